"""Many submissions: worker processes, each with a sandbox and collected checks of its own.

A worker is a process because a pytest session is: it belongs to one thread, and a check may keep it busy. One that
dies or takes longer than all of a submission's limits together costs that submission its grade, with the reason, and
is replaced; the others go on.
"""

from __future__ import annotations

import contextlib
import multiprocessing
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pebble import ProcessExpired, ProcessPool

from grader.checks import ALARM_SECONDS, DIAGNOSIS_SECONDS, Checks, longest
from grader.errors import GraderError
from grader.grading import grade
from grader.student import GRACE_SECONDS, MAX_LOSSES
from grader.verdict import Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from grader.exercise import Exercise
    from grader.sandbox import Sandbox
    from grader.sandbox.kinds import SandboxChoice
    from grader.submission import Submission

_START_SECONDS = 120.0
"""What a worker may take to import, collect and find a sandbox, beyond what its submission's limits allow."""
_WATCH_SECONDS = 1.0
"""How often the pool is looked at while no submission is done."""


def grade_all(
    submissions: Sequence[Submission],
    exercises: Iterable[Exercise],
    sandbox: SandboxChoice,
    secret: bytes,
    jobs: int,
    on_outcome: Callable[[Report | Ungraded], None],
) -> None:
    """Grade submissions, some at once.

    Args:
        submissions: What to grade.
        exercises: What the submissions are for.
        sandbox: Where students' code runs.
        secret: What hidden inputs are drawn from.
        jobs: Submissions at once.
        on_outcome: Is told each outcome as it comes, in no particular order; in the caller's thread.

    Raises:
        KeyboardInterrupt: Grading was interrupted; nothing of it is left running.
    """
    by_id = {exercise.id: exercise for exercise in exercises}
    pool = ProcessPool(
        max_workers=max(1, min(jobs, len(submissions))),
        context=multiprocessing.get_context("spawn"),
        initializer=_start,
        initargs=(_Worker(by_id, sandbox, secret),),
    )
    untold = {(submission.student, submission.exercise): submission for submission in submissions}
    futures: dict[Future[Report | Ungraded], Submission] = {}
    try:
        with contextlib.suppress(RuntimeError):  # a pool whose workers do not start takes no more
            for submission in submissions:
                seconds = _START_SECONDS + longest_seconds(by_id[submission.exercise])
                futures[pool.schedule(_grade_one, args=[submission], timeout=seconds)] = submission
        pending = set(futures)
        while pending:
            done, pending = wait(pending, _WATCH_SECONDS, FIRST_COMPLETED)
            for future in done:
                outcome = _outcome(future, futures[future])
                del untold[outcome.student, outcome.exercise]
                on_outcome(outcome)
            if not done and not pool.active:  # and forgets what it had taken
                break
        for submission in untold.values():
            on_outcome(_ungraded(submission, "no process could be started to grade it; grade it again"))
    finally:
        pool.stop()  # type: ignore[no-untyped-call]  # Pebble leaves this one untyped
        pool.join()


def _outcome(future: Future[Report | Ungraded], submission: Submission) -> Report | Ungraded:
    """What became of a submission whose worker is done with it, or was lost."""
    try:
        return future.result()
    except TimeoutError:
        return _ungraded(submission, "grading took longer than all its limits together and was stopped")
    except (ProcessExpired, BrokenProcessPool, CancelledError) as error:
        return _ungraded(submission, f"the process that graded it died ({error}); grade it again")


def longest_seconds(exercise: Exercise) -> float:
    """Return the longest that grading a submission can take, whatever it does, once all is ready for it."""
    limits = exercise.limits
    loads = (2 + MAX_LOSSES) * (limits.load_seconds + GRACE_SECONDS)
    last = max(check.runs for check in exercise.checks) * (
        limits.check_seconds + limits.load_seconds + 2 * GRACE_SECONDS
    )
    return loads + longest(exercise) + 2 * last + ALARM_SECONDS + DIAGNOSIS_SECONDS


def _ungraded(submission: Submission, reason: str) -> Ungraded:
    return Ungraded(submission.student, submission.exercise, reason)


# --------------------------------------------------------------------------------------------------------------------
# In a worker process


@dataclass(slots=True)
class _Worker:
    """What a worker process keeps from one submission to the next; lasts as long as the process."""

    exercises: dict[str, Exercise]
    choice: SandboxChoice
    secret: bytes
    checks: dict[str, Checks] = field(default_factory=dict)
    sandbox: Sandbox | None = None

    def grade(self, submission: Submission) -> Report | Ungraded:
        """Grade one submission; a fault that is not its student's leaves it ungraded."""
        try:
            if self.sandbox is None:
                self.sandbox = self.choice.open()
            if submission.exercise not in self.checks:
                self.checks[submission.exercise] = Checks(self.exercises[submission.exercise])
            return grade(submission, self.checks[submission.exercise], self.sandbox, self.secret)
        except GraderError as error:
            return _ungraded(submission, str(error))
        except Exception as error:  # noqa: BLE001  # a bug of ours may cost one grade, not the batch
            return _ungraded(submission, f"a fault in the grader: {type(error).__name__}: {error}")


_worker: _Worker


def _start(worker: _Worker) -> None:
    global _worker  # noqa: PLW0603  # a pool hands its workers nothing but arguments
    _worker = worker


def _grade_one(submission: Submission) -> Report | Ungraded:
    return _worker.grade(submission)
