"""What this machine has and lacks. Each probe tries the real thing."""

from __future__ import annotations

import platform
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.errors import GraderError
from grader.limits import Limits
from grader.sandbox.kinds import SandboxChoice
from grader.stand_in import StudentError
from grader.student import Stopped, Student
from grader.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.course import Course
    from grader.sandbox.kinds import Kind

_PROBE = Submission("probe", "probe", "probe.py", b"answer = 6 * 7\n")


@dataclass(frozen=True, slots=True)
class Finding:
    """What one probe found; lasts until it is shown.

    Attributes:
        subject: What was tried.
        ok: Whether it works.
        detail: What was found, or what is wrong and the next step.
    """

    subject: str
    ok: bool
    detail: str


def examine(find_course: Callable[[], Course]) -> Iterator[Finding]:
    """Try, one after the other, what grading needs; each finding comes as soon as it is known."""
    yield Finding("Python", ok=True, detail=f"{platform.python_version()}, {sys.executable}")
    yield _course(find_course)
    yield _sandbox("docker", "isolated")
    yield _sandbox("bubblewrap", "isolated")
    yield _sandbox("unsafe", "not isolated")


def _course(find_course: Callable[[], Course]) -> Finding:
    try:
        course = find_course()
        exercises = course.exercises()
    except GraderError as error:
        return Finding("course", ok=False, detail=str(error))
    return Finding("course", ok=True, detail=f"{course.root}: {', '.join(exercise.id for exercise in exercises)}")


def _sandbox(kind: Kind, purpose: str) -> Finding:
    """Run a file of one line in a sandbox and ask for its answer."""
    subject = f"sandbox {kind}"
    started = time.monotonic()
    try:
        with SandboxChoice(kind).open() as sandbox:
            student = Student(_PROBE, Limits(), sandbox, execute=True)
            try:
                student.load()
                student.begin()
                answer = student.recorder.resolve(student.engine.answer)
            finally:
                student.close()
            image = sandbox.image
    except (GraderError, StudentError, Stopped) as error:
        return Finding(subject, ok=False, detail=str(error))
    if answer != 42:  # noqa: PLR2004  # what the probe's file says
        return Finding(subject, ok=False, detail=f"it answered {answer!r} where 42 was expected")
    seconds = time.monotonic() - started
    return Finding(subject, ok=True, detail=f"{image}, answered in {seconds:.2f} s ({purpose})")
