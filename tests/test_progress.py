"""What a person sees while a batch is graded."""

from __future__ import annotations

import io
import os
import select
from typing import TYPE_CHECKING

import pytest

from grader.progress import BatchProgress
from grader.submission import Submission
from grader.verdict import Provenance, Report, Result, Ungraded, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

OUTCOMES = (
    Report(
        "ada [red]b",
        "tiny",
        "Tiny",
        "value.py",
        10,
        (Result("check_it", "Is it?", hidden=False, verdict=Verdict.PASSED, worth=5),),
        Provenance("", "", "unsafe", "", "", ()),
    ),
    Ungraded("blaise", "tiny", "the engine\nwas out"),
)


@pytest.fixture
def terminal() -> Iterator[tuple[int, io.TextIOWrapper]]:
    """A terminal: what reads its screen, and what is written to."""
    master, slave = os.openpty()
    with os.fdopen(slave, "w", encoding="utf-8") as stream:
        yield master, stream
    os.close(master)


PENDING = (
    Submission("ada [red]b", "tiny", "value.py", b"", partners=("carl", "dora")),
    Submission("blaise", "tiny", "value.py", b""),
    Submission("emil", "tiny", "value.py", b""),
)


def show(stream: io.TextIOBase) -> None:
    """Show a batch of three of which two are done."""
    with BatchProgress(PENDING, stream) as progress:  # type: ignore[arg-type]  # both are text streams
        for outcome in OUTCOMES:
            progress.outcome(outcome)


def test_lines() -> None:
    """Where there is no terminal each submission has a line, whatever is in it, and says how many more it is of."""
    stream = io.StringIO()
    show(stream)

    assert ["[1/3] ada [red]b +2 tiny: 5/10 XP", "[2/3] blaise tiny: ungraded: the engine\\nwas out"] == (
        stream.getvalue().splitlines()[:2]
    )


def test_long_line() -> None:
    """No line is broken."""
    stream = io.StringIO()
    with BatchProgress(PENDING[1:2], stream) as progress:
        progress.outcome(Ungraded("blaise", "tiny", "why " * 100))

    assert 1 == stream.getvalue().strip().count("\n") + 1


def test_bar(terminal: tuple[int, io.TextIOWrapper], monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal there is a bar with what is done and what remains, and it is gone when all is done."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    screen, stream = terminal
    show(stream)
    stream.flush()
    shown = ""
    while select.select([screen], [], [], 0.2)[0]:
        shown += os.read(screen, 1 << 16).decode()

    assert "Grading" in shown
    assert "2/3" in shown
    assert "ada" not in shown
    assert shown.rstrip().endswith("\x1b[2K")
