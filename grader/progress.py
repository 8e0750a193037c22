"""What a person sees while a batch is graded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from grader.reports.text import one_line
from grader.verdict import Report, Ungraded

if TYPE_CHECKING:
    from types import TracebackType


class BatchProgress:
    """A bar on a terminal, a line for each submission elsewhere; lasts as long as the batch.

    Args:
        total: How many submissions there are.
        stream: Where to show it.
    """

    def __init__(self, total: int, stream: TextIO) -> None:
        self._total = total
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
        self._task = self._bar.add_task("", total=total)

    def outcome(self, outcome: Report | Ungraded) -> None:
        """Show that one more submission is done."""
        self._done += 1
        self._bar.advance(self._task)
        if not self._console.is_terminal:
            score = (
                f"{outcome.xp}/{outcome.total_xp} XP" if isinstance(outcome, Report) else f"ungraded: {outcome.reason}"
            )
            who = f"[{self._done}/{self._total}] {one_line(outcome.student)} {outcome.exercise}"
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
