"""Many submissions: handed to an executor as it has room for them, and each outcome told once.

Theory of operation. An `Executor` grades some submissions at once, and keeps what goes wrong with one of them from
the others: `local` in processes of this machine, `dask_client` on other machines. The loop below keeps as many in hand
as the executor has slots and asks for the next one only then, so that a batch may be larger than memory. All that is
told is told in the caller's thread.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Protocol

from grader.closing import Closing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from grader.submission import Submission
    from grader.verdict import Report, Ungraded


class Executor(Closing, Protocol):
    """Where submissions are graded, some at once; lasts as long as the batch."""

    @property
    def slots(self) -> int:
        """How many submissions it has work for at once, at least 1; may change while it works."""

    def submit(self, submission: Submission) -> None:
        """Take a submission to be graded."""

    def finished(self) -> Sequence[Report | Ungraded]:
        """Return what came of submissions, each once; wait for the next about a second, so that it may be none."""

    def close(self) -> None:
        """Stop whatever is under way, and leave nothing of it running."""


def grade_all(
    submissions: Iterable[Submission],
    executor: Executor,
    on_outcome: Callable[[Report | Ungraded], None],
    on_start: Callable[[Submission], None] = lambda _: None,
) -> None:
    """Grade submissions, some at once.

    Args:
        submissions: What to grade; the next is asked for when there is room for it.
        executor: Where it is graded.
        on_outcome: Is told each outcome as it comes, in no particular order.
        on_start: Is told each submission that is handed to the executor.

    Raises:
        KeyboardInterrupt: Grading was interrupted; what is under way ends when the executor is closed.
    """
    waiting = iter(submissions)
    under_way = 0
    finished: Sequence[Report | Ungraded] = ()
    while True:
        started = list(islice(waiting, max(0, executor.slots - under_way)))
        for submission in started:  # before anything is told, which takes its time: no slot is to wait for that
            executor.submit(submission)
        under_way += len(started)
        for outcome in finished:
            on_outcome(outcome)
        for submission in started:
            on_start(submission)
        if not under_way:
            return
        finished = executor.finished()
        under_way -= len(finished)
