"""One submission graded: the heart of the program, top to bottom."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib.metadata
import json
import platform
import time
from typing import TYPE_CHECKING

from grader.diagnosis import Diagnosis
from grader.exercise import reference_digest
from grader.seeding import fingerprint, hidden_seed, public_seed
from grader.stand_in import StudentError
from grader.student import Stopped, Student
from grader.verdict import Provenance, Report, Result, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.checks import Checks
    from grader.exercise import Check, Exercise
    from grader.sandbox import Sandbox
    from grader.submission import Submission


def grade(
    submission: Submission,
    checks: Checks,
    sandbox: Sandbox,
    secret: bytes = b"",
    on_result: Callable[[Result], None] = lambda _: None,
) -> Report:
    """Grade one submission in a sandbox of its own.

    Args:
        submission: What the student handed in.
        checks: The collected checks of its exercise.
        sandbox: Where the student's code runs.
        secret: What hidden inputs are drawn from; without it there may be public checks alone.
        on_result: Is told each result as it comes.

    Raises:
        ExerciseError: A check is at fault.
        SandboxError: There is no sandbox to be had.
    """
    started = time.monotonic()
    exercise = checks.exercise

    def seed(check: Check) -> int:
        if check.hidden:
            return hidden_seed(secret, exercise.id, submission.student, check.name)
        return public_seed(exercise.id, check.name)

    problem = f"{submission.file} {submission.problem}" if submission.problem else ""
    student = Student(
        submission,
        exercise.limits,
        sandbox,
        execute=exercise.engine is not None,
        module=exercise.module,
        forbid=exercise.forbid,
        require=exercise.require,
    )
    was_late = False
    try:
        if not problem:
            _load(student)
    except StudentError as error:
        problem = f"{submission.file} does not load.\n{error}"
    except Stopped as stopped:
        problem = f"{submission.file} does not load. {stopped.what}"
        was_late = stopped.verdict is Verdict.TIMEOUT
    try:
        results = (
            _not_run(exercise, problem, on_result, retried=was_late)
            if problem
            else checks.run(student, seed, on_result)
        )
    finally:
        student.close()
    diagnosis = Diagnosis() if problem else checks.diagnose()
    return Report(
        submission.student,
        exercise.id,
        exercise.title,
        submission.file,
        exercise.xp,
        results,
        provenance(submission, exercise, sandbox, secret),
        _notes(problem, student.notes, results),
        time.monotonic() - started,
        diagnosis.public,
        diagnosis.private,
    )


def _load(student: Student) -> None:
    """Load the file, and once more if its time was up: the machine may have been busy."""
    try:
        student.load()
    except Stopped as stopped:
        if stopped.verdict is not Verdict.TIMEOUT:
            raise
        student.close()
        student.load()


def _notes(problem: str, happened: list[str], results: tuple[Result, ...]) -> tuple[str, ...]:
    retried = [result.check for result in results if result.retried and result.verdict is not Verdict.NOT_RUN]
    notes = [problem, *happened] if problem else [*happened]
    if retried:
        notes.append(f"Took too long and was run once more: {', '.join(retried)}.")
    return tuple(notes)


def _not_run(
    exercise: Exercise, problem: str, on_result: Callable[[Result], None], *, retried: bool
) -> tuple[Result, ...]:
    results = tuple(
        Result(
            check.name,
            check.question,
            check.hidden,
            Verdict.NOT_RUN,
            check.xp,
            check.hint,
            problem,
            retried=retried,
        )
        for check in exercise.checks
    )
    for result in results:
        on_result(result)
    return results


def provenance(submission: Submission, exercise: Exercise, sandbox: Sandbox, secret: bytes) -> Provenance:
    """Return what a report on a submission is made from."""
    return Provenance(
        submission=submission.digest,
        exercise=exercise.digest,
        sandbox=sandbox.kind,
        image=sandbox.image,
        secret=fingerprint(secret) if secret else "",
        versions=_versions(),
        reference=reference_digest(exercise),
    )


def reuse_key(student: str, exercise: str, made_from: Provenance) -> str:
    """Return what tells a report that would be another one from one that would be the same, but for times."""
    told = json.dumps([student, exercise, dataclasses.asdict(made_from)])
    return hashlib.sha256(told.encode()).hexdigest()


@functools.cache
def _versions() -> tuple[tuple[str, str], ...]:
    """Name and version of what takes part in a grade; Hypothesis only where it is installed."""
    versions = [("python", platform.python_version())]
    for name in ("grader", "pytest", "hypothesis"):
        try:
            versions.append((name, importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            continue
    return tuple(versions)
