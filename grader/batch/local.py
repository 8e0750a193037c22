"""Submissions graded on this machine: worker processes, each with a sandbox and collected checks of its own.

A worker is a process because a pytest session is: it belongs to one thread, and a check may keep it busy. One that
dies or takes longer than all of a submission's limits together costs that submission its grade, with the reason, and
is replaced; the others go on.
"""

from __future__ import annotations

import multiprocessing
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pebble import ProcessExpired, ProcessPool

from grader.batch import Executor
from grader.checks import ALARM_SECONDS, DIAGNOSIS_SECONDS, Checks, longest
from grader.errors import GraderError
from grader.grading import grade, provenance
from grader.student import GRACE_SECONDS, MAX_LOSSES
from grader.submission import Submission
from grader.verdict import Ungraded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.exercise import Exercise
    from grader.sandbox import Sandbox
    from grader.sandbox.kinds import SandboxChoice
    from grader.verdict import Provenance, Report

_START_SECONDS = 120.0
"""What a worker may take to import, collect and find a sandbox, beyond what its submission's limits allow."""
_WATCH_SECONDS = 1.0
"""How often the pool is looked at while no submission is done."""


class LocalExecutor(Executor):
    """Grades in processes of this machine; they start with the first submission.

    Args:
        exercises: What the submissions are for.
        sandbox: Where students' code runs.
        secret: What hidden inputs are drawn from.
        jobs: Submissions at once, each in a process.
    """

    def __init__(self, exercises: Iterable[Exercise], sandbox: SandboxChoice, secret: bytes, jobs: int) -> None:
        self._jobs = jobs
        self._exercises = {exercise.id: exercise for exercise in exercises}
        self._pool = ProcessPool(
            max_workers=jobs,
            context=multiprocessing.get_context("spawn"),
            initializer=_start,
            initargs=(_Worker(self._exercises, sandbox, secret),),
        )
        self._under_way: dict[Future[Report | Ungraded], Submission] = {}

    @property
    def slots(self) -> int:
        """How many submissions are graded at once."""
        return self._jobs

    @property
    def is_broken(self) -> bool:
        """Whether no process can be started, so that nothing more is graded."""
        return not self._pool.active

    def conditions(self) -> dict[str, Provenance]:
        """Return what its processes find their reports will be made from; see `conditions`.

        Raises:
            GraderError: There is no sandbox, or no process that could look for one.
        """
        try:
            return self._pool.schedule(_conditions, timeout=_START_SECONDS).result()
        except (*_LOST, RuntimeError) as error:
            raise GraderError(f"no process could be started to grade in ({error or type(error).__name__})") from error

    def submit(self, submission: Submission) -> None:
        """Take a submission to be graded."""
        seconds = _START_SECONDS + longest_seconds(self._exercises[submission.exercise])
        try:
            future: Future[Report | Ungraded] = self._pool.schedule(_grade_one, args=[submission], timeout=seconds)
        except RuntimeError:  # a pool whose workers do not start takes no more
            future = Future()
            future.set_result(_not_started(submission))
        self._under_way[future] = submission

    def finished(self) -> list[Report | Ungraded]:
        """Return what came of submissions; see `Executor.finished`."""
        done, _ = wait(self._under_way, _WATCH_SECONDS, FIRST_COMPLETED)
        if not done and self.is_broken:  # and forgets what it had taken
            lost = list(self._under_way.values())
            self._under_way.clear()
            return [_not_started(submission) for submission in lost]
        return [_outcome(future, self._under_way.pop(future)) for future in done]

    def close(self) -> None:
        """Stop every process."""
        self._pool.stop()  # type: ignore[no-untyped-call]  # Pebble leaves this one untyped
        self._pool.join()


_LOST = (TimeoutError, ProcessExpired, BrokenProcessPool, CancelledError)
"""How Pebble says that a process did not come to its end."""


def _outcome(future: Future[Report | Ungraded], submission: Submission) -> Report | Ungraded:
    """What became of a submission whose worker is done with it, or was lost."""
    try:
        return future.result()
    except TimeoutError:
        return ungraded(submission, "grading took longer than all its limits together and was stopped")
    except _LOST as error:
        return ungraded(submission, f"the process that graded it died ({error}); grade it again")


def _not_started(submission: Submission) -> Ungraded:
    return ungraded(submission, "no process could be started to grade it; grade it again")


def ungraded(submission: Submission, reason: str) -> Ungraded:
    """Return that a submission was not graded, and why."""
    return Ungraded(submission.student, submission.exercise, reason)


def longest_seconds(exercise: Exercise) -> float:
    """Return the longest that grading a submission can take, whatever it does, once all is ready for it."""
    limits = exercise.limits
    loads = (3 + MAX_LOSSES) * (limits.load_seconds + GRACE_SECONDS)  # one loss is not counted, see `ask_ahead`
    last = max(check.runs for check in exercise.checks) * (
        limits.check_seconds + limits.load_seconds + 2 * GRACE_SECONDS
    )
    return loads + longest(exercise) + 2 * last + ALARM_SECONDS + DIAGNOSIS_SECONDS


def conditions(exercises: Iterable[Exercise], sandbox: Sandbox, secret: bytes) -> dict[str, Provenance]:
    """Return what reports will be made from besides the submission, by the exercise's id.

    Where two places have the same conditions, they give the same submission the same report.
    """
    return {
        exercise.id: provenance(Submission("", exercise.id, exercise.submit, b""), exercise, sandbox, secret)
        for exercise in exercises
    }


# --------------------------------------------------------------------------------------------------------------------
# In a worker process


@dataclass(slots=True)
class _Worker:
    """What a worker process keeps from one submission to the next; lasts as long as the process."""

    exercises: dict[str, Exercise]
    choice: SandboxChoice
    secret: bytes
    checks: dict[str, Checks] = field(default_factory=dict)
    opened: Sandbox | None = None

    @property
    def sandbox(self) -> Sandbox:
        """The sandbox, opened when it is asked for first."""
        if self.opened is None:
            self.opened = self.choice.open()
        return self.opened

    def grade(self, submission: Submission) -> Report | Ungraded:
        """Grade one submission; a fault that is not its student's leaves it ungraded."""
        try:
            sandbox = self.sandbox
            if submission.exercise not in self.checks:
                self.checks[submission.exercise] = Checks(self.exercises[submission.exercise])
            return grade(submission, self.checks[submission.exercise], sandbox, self.secret)
        except GraderError as error:
            return ungraded(submission, str(error))
        except Exception as error:  # noqa: BLE001  # a bug of ours may cost one grade, not the batch
            return ungraded(submission, f"a fault in the grader: {type(error).__name__}: {error}")


_worker: _Worker


def _start(worker: _Worker) -> None:
    global _worker  # noqa: PLW0603  # a pool hands its workers nothing but arguments
    _worker = worker


def _grade_one(submission: Submission) -> Report | Ungraded:
    return _worker.grade(submission)


def _conditions() -> dict[str, Provenance]:
    return conditions(_worker.exercises.values(), _worker.sandbox, _worker.secret)
