"""What is told while a batch is graded: to a person on a terminal or in a log, or to a program in lines of JSON."""

from __future__ import annotations

import json
import logging
import time
from collections import deque
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol, TextIO

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from grader.record import write_json
from grader.reports.text import LIMIT, SHORTEST_LIMIT, one_line, visible
from grader.verdict import Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.submission import Submission

SCHEMA = 1
"""Version of the JSON lines' form, raised by every change that a reader has to know of."""

_PACE_SECONDS = 60.0
"""How often a log that is no terminal is told the pace."""
_RECENT = 200
"""Over how many submissions the pace is measured: more would hide a change, fewer would jump."""
_BAR_COLUMNS = 30


class Progress(Protocol):
    """Tells how a batch gets on; lasts as long as the command."""

    def remark(self, text: str) -> None:
        """Tell what else there is to say, in one line or several."""

    @contextmanager
    def batch(self, total: int) -> Iterator[None]:
        """Tell of a batch of so many submissions, for as long as this lasts; an interruption is told and passed on."""

    def started(self, submission: Submission) -> None:
        """Tell that a submission is being graded."""

    def outcome(self, outcome: Report | Ungraded) -> None:
        """Tell what came of a submission that was started."""


class _Batch:
    """A batch so far: what runs, what came of the rest, and how fast it goes.

    Args:
        total: How many submissions it has.
        clock: Tells the time in seconds.

    Attributes:
        done: How many are graded or ungraded.
        not_passed: How many of them were graded and did not pass every check.
        ungraded: How many of them could not be graded.
        running: What is being graded, and since when, by student and exercise; the longest first.
    """

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.total = total
        self.done = 0
        self.not_passed = 0
        self.ungraded = 0
        self.running: dict[tuple[str, str], tuple[Submission, float]] = {}
        self._clock = clock
        self._begun = clock()
        self._recent = deque([self._begun], maxlen=_RECENT + 1)

    def start(self, submission: Submission) -> None:
        self.running[submission.student, submission.exercise] = submission, self._clock()

    def end(self, outcome: Report | Ungraded) -> Submission:
        """Count an outcome, and return the submission that it is of."""
        self.done += 1
        if isinstance(outcome, Ungraded):
            self.ungraded += 1
        elif not outcome.passed:
            self.not_passed += 1
        self._recent.append(self._clock())
        return self.running.pop((outcome.student, outcome.exercise))[0]

    @property
    def seconds(self) -> float:
        """How long it has lasted."""
        return self._clock() - self._begun

    @property
    def per_minute(self) -> float:
        """Submissions a minute of late; it sinks while none comes to its end."""
        return 60 * (len(self._recent) - 1) / max(self._clock() - self._recent[0], 1e-3)

    @property
    def remaining_seconds(self) -> float | None:
        """How long the rest takes at this pace; None while there is none."""
        return 60 * (self.total - self.done) / self.per_minute if self.done else None

    def counts(self) -> dict[str, int]:
        """How many submissions of which kind, by name."""
        return {
            "done": self.done,
            "total": self.total,
            "not_passed": self.not_passed,
            "ungraded": self.ungraded,
        }

    def pace(self) -> str:
        """The rate, the rest and the failures, in words."""
        rest = self.remaining_seconds
        remaining = "" if rest is None else f"{_rate(self.per_minute)} a minute, {_duration(rest)} remaining; "
        return f"{remaining}{self.not_passed} not passed, {self.ungraded} ungraded"

    def now(self) -> str:
        """What runs, the longest first."""
        running = tuple(self.running.values())  # a terminal is drawn by a thread of its own
        names = (
            f"{_whose(submission, SHORTEST_LIMIT)} {_duration(self._clock() - since)}" for submission, since in running
        )
        return f"{len(running)} running: {', '.join(names)}" if running else "Nothing is running."


def _rate(per_minute: float) -> str:
    return f"{per_minute:.0f}" if per_minute >= 10 else f"{per_minute:.1f}"  # noqa: PLR2004  # two digits tell enough


def _duration(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


def _whose(submission: Submission, limit: int = LIMIT) -> str:
    partners = f" +{len(submission.partners)}" if submission.partners else ""
    return f"{visible(submission.student, limit=limit, keep='')}{partners} {submission.exercise}"


class BatchProgress(Progress):
    """Tells a person: on a terminal by lines that change, and by plain ones elsewhere.

    Args:
        stream: Where to show it.
    """

    def __init__(self, stream: TextIO) -> None:
        self._console = Console(file=stream, highlight=False)
        self._batch = _Batch(0)
        self._paced = 0.0

    def remark(self, text: str) -> None:
        """Show a text as it is, in colours if it has some and the stream shows them."""
        self._console.print(Text.from_ansi(text.removesuffix("\n")), soft_wrap=True)

    @contextmanager
    def batch(self, total: int) -> Iterator[None]:
        """Show how far a batch is."""
        self._batch = _Batch(total)
        self._paced = 0.0
        if not self._console.is_terminal:
            yield
            return
        with Live(get_renderable=self._lines, console=self._console, transient=True):
            yield

    def started(self, submission: Submission) -> None:
        """Show it among what runs."""
        self._batch.start(submission)

    def outcome(self, outcome: Report | Ungraded) -> None:
        """Count it. A terminal shows a line of what is ungraded alone, and other places of everything."""
        submission = self._batch.end(outcome)
        if isinstance(outcome, Ungraded):
            came_of_it = f"ungraded: {outcome.reason}"
        elif self._console.is_terminal:
            return
        else:
            came_of_it = f"{outcome.xp}/{outcome.total_xp} XP"
        self.remark(f"[{self._batch.done}/{self._batch.total}] {_whose(submission)}: {one_line(came_of_it)}")
        if not self._console.is_terminal and self._batch.seconds - self._paced >= _PACE_SECONDS:
            self._paced = self._batch.seconds
            self.remark(f"{self._batch.done} of {self._batch.total} done; {self._batch.pace()}.")

    def _lines(self) -> Table:
        """What a terminal shows: how far it is, and what runs now, each in one line of its width."""
        batch = self._batch
        first = Table.grid(padding=(0, 1))
        first.add_column(no_wrap=True)
        first.add_column(no_wrap=True)
        first.add_column(no_wrap=True, overflow="ellipsis")
        bar = ProgressBar(total=max(batch.total, 1), completed=batch.done, width=_BAR_COLUMNS)
        first.add_row(bar, f"{batch.done}/{batch.total}", Text(batch.pace()))
        lines = Table.grid()
        lines.add_column(no_wrap=True, overflow="ellipsis")
        lines.add_row(first)
        lines.add_row(Text(batch.now(), overflow="ellipsis", no_wrap=True))
        return lines


class BatchEvents(Progress):
    """Tells a program: one JSON object a line, as docs/cli.md describes them.

    What Python's own log would say goes there too.

    Args:
        stream: Where to write it.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._batch = _Batch(0)
        logging.captureWarnings(capture=True)
        logging.basicConfig(handlers=[_Remarks(self)], force=True)

    def remark(self, text: str) -> None:
        """Tell a text."""
        self._tell("remark", text=text.strip())

    @contextmanager
    def batch(self, total: int) -> Iterator[None]:
        """Tell that a batch begins, and how it ended."""
        self._batch = _Batch(total)
        self._tell("batch_started", schema=SCHEMA, total=total)
        event = "batch_interrupted"
        try:
            yield
            event = "batch_ended"
        finally:
            self._tell(event, **self._batch.counts(), seconds=round(self._batch.seconds, 3))

    def started(self, submission: Submission) -> None:
        """Tell that it is being graded."""
        self._batch.start(submission)
        self._tell(
            "submission_started",
            student=submission.student,
            exercise=submission.exercise,
            partners=list(submission.partners),
        )

    def outcome(self, outcome: Report | Ungraded) -> None:
        """Tell what came of it, and how far the batch is."""
        self._batch.end(outcome)
        if isinstance(outcome, Report):
            summary: dict[str, object] = {
                "state": "graded",
                "xp": outcome.xp,
                "total_xp": outcome.total_xp,
                "passed": outcome.passed,
                "seconds": round(outcome.seconds, 3),
            }
        else:
            summary = {"state": "ungraded", "reason": outcome.reason}
        rest = self._batch.remaining_seconds
        self._tell(
            "submission_done",
            student=outcome.student,
            exercise=outcome.exercise,
            **summary,
            **self._batch.counts(),
            per_minute=round(self._batch.per_minute, 2),
            remaining_seconds=None if rest is None else round(rest),
        )

    def _tell(self, event: str, **fields: object) -> None:
        line = write_json({"event": event, "time": datetime.now(UTC).isoformat(timespec="milliseconds"), **fields})
        # A stream of another encoding than UTF-8 would write what it lacks in a way that is no JSON.
        line = "".join(c if c.isascii() else json.dumps(c)[1:-1] for c in line)
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except BrokenPipeError:
            raise SystemExit(1) from None  # as rich leaves when nobody reads what it shows


class _Remarks(logging.Handler):
    """Makes remarks of what is logged."""

    def __init__(self, events: BatchEvents) -> None:
        super().__init__()
        self._events = events

    def emit(self, record: logging.LogRecord) -> None:
        self._events.remark(record.getMessage())
