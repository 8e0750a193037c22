"""What a person sees while a batch is graded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from grader.reports.text import one_line
from grader.verdict import Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from grader.submission import Submission


class BatchProgress:
    """A bar on a terminal, a line for each submission elsewhere; lasts as long as the batch.

    Args:
        pending: The submissions of the batch.
        stream: Where to show it.
    """

    def __init__(self, pending: Sequence[Submission], stream: TextIO) -> None:
        self._total = len(pending)
        self._partners = {(each.student, each.exercise): len(each.partners) for each in pending}
        self._done = 0
        self._console = Console(file=stream)
        self._bar = Progress(
            TextColumn("Grading"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("remaining"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("", total=self._total)

    def outcome(self, outcome: Report | Ungraded) -> None:
        """Show that one more submission is done."""
        self._done += 1
        self._bar.advance(self._task)
        if not self._console.is_terminal:
            score = (
                f"{outcome.xp}/{outcome.total_xp} XP" if isinstance(outcome, Report) else f"ungraded: {outcome.reason}"
            )
            partners = self._partners[outcome.student, outcome.exercise]
            whose = f"{one_line(outcome.student)}{f' +{partners}' if partners else ''} {outcome.exercise}"
            who = f"[{self._done}/{self._total}] {whose}"
            self._console.print(Text(f"{who}: {one_line(score)}"), soft_wrap=True)

    def __enter__(self) -> Self:
        """Start showing it."""
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop showing it."""
        self._bar.stop()
