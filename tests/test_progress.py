"""What is told while a batch is graded, to people and to programs."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import select
import time
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from grader import progress
from grader.progress import BatchEvents, BatchProgress
from grader.submission import Submission
from grader.verdict import Provenance, Report, Result, Ungraded, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.progress import Progress

OUTCOMES = (
    Report(
        "ada [red]b",
        "tiny",
        "Tiny",
        "value.py",
        10,
        (
            Result("check_it", "Is it?", hidden=False, verdict=Verdict.PASSED, worth=5),
            Result("check_more", "Is it more?", hidden=False, verdict=Verdict.FAILED, worth=5),
        ),
        Provenance("", "", "unsafe", "", "", ()),
        seconds=1.2345,
    ),
    Ungraded("blaise", "tiny", "the engine\nwas out"),
)
PENDING = (
    Submission("ada [red]b", "tiny", "value.py", b"", partners=("carl", "dora")),
    Submission("blaise", "tiny", "value.py", b""),
    Submission("emil\x1b[31m\u202e", "tiny", "value.py", b""),
)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, io.TextIOWrapper]]:
    """A terminal of 100 columns: what reads its screen, and what is written to."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    master, slave = os.openpty()
    with os.fdopen(slave, "w", encoding="utf-8") as stream:
        yield master, stream
    os.close(master)


def shown_on(screen: int) -> str:
    """What was written to a terminal by now."""
    shown = ""
    while select.select([screen], [], [], 0.2)[0]:
        shown += os.read(screen, 1 << 16).decode()
    return shown


def show(told: Progress) -> None:
    """Tell of a batch of three of which two are done."""
    with told.batch(len(PENDING)):
        for submission in PENDING:
            told.started(submission)
        for outcome in OUTCOMES:
            told.outcome(outcome)


def events(text: str) -> list[dict[str, Any]]:
    """The objects of a log of JSON, each of which is a line of ASCII characters that show."""
    assert all(line.isascii() and line.isprintable() for line in text.split("\n"))
    return [json.loads(line) for line in text.removesuffix("\n").split("\n")]


class TestLines:
    """Where there is no terminal, each submission has a line."""

    def test_outcomes(self) -> None:
        """It says whose it is, with how many partners, whatever is in their names, and what came of it."""
        stream = io.StringIO()
        show(BatchProgress(stream))

        assert ["[1/3] ada [red]b +2 tiny: 5/10 XP", "[2/3] blaise tiny: ungraded: the engine\\nwas out"] == (
            stream.getvalue().splitlines()
        )

    def test_long_line(self) -> None:
        """No line is broken."""
        stream = io.StringIO()
        told = BatchProgress(stream)
        with told.batch(1):
            told.started(PENDING[1])
            told.outcome(Ungraded("blaise", "tiny", "why " * 100))

        assert 1 == stream.getvalue().strip().count("\n") + 1

    def test_pace(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Now and then a line tells the rate, what remains, and how many did not pass or could not be graded."""
        monkeypatch.setattr(progress, "_PACE_SECONDS", 0.2)
        stream = io.StringIO()
        told = BatchProgress(stream)
        with told.batch(600):
            told.started(PENDING[0])
            time.sleep(0.3)
            told.outcome(OUTCOMES[0])
            told.started(PENDING[1])
            told.outcome(OUTCOMES[1])
        lines = stream.getvalue().splitlines()

        assert 3 == len(lines)
        assert re.fullmatch(
            r"1 of 600 done; \d[\d.]* a minute, 0:\d\d:\d\d remaining; 1 not passed, 0 ungraded\.", lines[1]
        )

    def test_remark(self) -> None:
        """What else is said has no colours."""
        stream = io.StringIO()
        BatchProgress(stream).remark("\x1b[1mIgnored:\x1b[0m\n  a file\n")

        assert "Ignored:\n  a file\n" == stream.getvalue()


class TestTerminal:
    """On a terminal two lines change."""

    def test_lines_that_change(self, terminal: tuple[int, io.TextIOWrapper]) -> None:
        """They tell what is done, the rate, the rest, the failures and what runs now, and are gone in the end."""
        screen, stream = terminal
        told = BatchProgress(stream)
        with told.batch(len(PENDING)):
            for submission in PENDING:
                told.started(submission)
            told.outcome(OUTCOMES[0])
            time.sleep(0.6)
        shown = shown_on(screen)

        assert "1/3" in shown
        assert " a minute, 0:0" in shown
        assert "remaining; 1 not passed, 0 ungraded" in shown
        assert "2 running: blaise tiny 0:00:0" in shown
        assert ", emil\\x1b[31m\\u202e tiny 0:00:0" in shown
        assert "\u202e" not in shown
        assert "ada" not in shown.rpartition("2 running")[2]
        assert shown.rstrip().endswith("\x1b[2K")

    def test_nothing_yet(self, terminal: tuple[int, io.TextIOWrapper]) -> None:
        """Before anything is done no rate and no rest are made up."""
        screen, stream = terminal
        told = BatchProgress(stream)
        with told.batch(3):
            pass
        shown = shown_on(screen)

        assert "0/3" in shown
        assert "0 not passed, 0 ungraded" in shown
        assert "Nothing is running." in shown
        assert "remaining" not in shown

    def test_no_wider_than_the_terminal(self, terminal: tuple[int, io.TextIOWrapper]) -> None:
        """Names that are long, or many, are cut."""
        screen, stream = terminal
        told = BatchProgress(stream)
        with told.batch(100):
            for number in range(100):
                told.started(Submission(f"{number}" + "x" * 200, "tiny", "value.py", b""))
        lines = [line for line in shown_on(screen).splitlines() if "running" in line]

        assert lines
        assert all("100 running: 0xxx" in line and line.rstrip().endswith("…") for line in lines)

    def test_ungraded(self, terminal: tuple[int, io.TextIOWrapper]) -> None:
        """What could not be graded stays on the screen, with the reason."""
        screen, stream = terminal
        show(BatchProgress(stream))

        assert "[2/3] blaise tiny: ungraded: the engine\\nwas out" in shown_on(screen)


class TestEvents:
    """A program is told by JSON objects, one a line."""

    def test_fields(self) -> None:
        """Each has a time and the fields that the documentation names."""
        stream = io.StringIO()
        told = BatchEvents(stream)
        told.remark("Sandbox: unsafe.\n")
        show(told)
        found = events(stream.getvalue())
        times = [event.pop("time") for event in found]
        pace = [(event.pop("per_minute"), event.pop("remaining_seconds")) for event in found[5:7]]
        lasted = found[7].pop("seconds")
        started = [
            {"event": "submission_started", "student": each.student, "exercise": "tiny", "partners": [*each.partners]}
            for each in PENDING
        ]
        graded = {"state": "graded", "xp": 5, "total_xp": 10, "passed": False, "seconds": 1.234}
        ungraded = {"state": "ungraded", "reason": "the engine\nwas out"}
        done = {"event": "submission_done", "exercise": "tiny", "total": 3, "not_passed": 1}

        assert [
            {"event": "remark", "text": "Sandbox: unsafe."},
            {"event": "batch_started", "schema": 1, "total": 3},
            *started,
            {**done, "student": "ada [red]b", **graded, "done": 1, "ungraded": 0},
            {**done, "student": "blaise", **ungraded, "done": 2, "ungraded": 1},
            {"event": "batch_ended", "done": 2, "total": 3, "not_passed": 1, "ungraded": 1},
        ] == found
        assert times == sorted(times)
        assert all(rate > 0 and rest >= 0 for rate, rest in pace)
        assert lasted >= 0

    @pytest.mark.parametrize("name", ["\ud800", "é\n\x1b[2J", '"}\u2028{', "\U0001f600", "\x00", "\\ud800"])
    def test_any_name(self, name: str) -> None:
        """Whatever students are called, each line is strict JSON in any encoding."""
        stream = io.StringIO()
        told = BatchEvents(stream)
        with told.batch(1):
            told.started(Submission(name, "tiny", "value.py", b""))
            told.outcome(Ungraded(name, "tiny", name))
        found = events(stream.getvalue())
        expected = "\\ud800" if name == "\ud800" else name

        assert [expected, expected] == [found[1]["student"], found[2]["student"]]
        assert expected == found[2]["reason"]

    def test_interrupted(self) -> None:
        """A batch that is cut off says so, and how far it was."""
        stream = io.StringIO()
        told = BatchEvents(stream)
        with suppress(KeyboardInterrupt), told.batch(3):
            told.started(PENDING[0])
            told.outcome(OUTCOMES[0])
            raise KeyboardInterrupt
        last = events(stream.getvalue())[-1]

        assert ("batch_interrupted", 1, 3) == (last["event"], last["done"], last["total"])

    def test_log(self) -> None:
        """What libraries log, and Python's warnings, are remarks."""
        stream = io.StringIO()
        BatchEvents(stream)
        logging.getLogger("anything").warning("a word of %s", "warning")
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("old", DeprecationWarning, stacklevel=1)
        found = events(stream.getvalue())

        assert ["remark", "remark"] == [event["event"] for event in found]
        assert "a word of warning" == found[0]["text"]
        assert "DeprecationWarning: old" in found[1]["text"]

    def test_nobody_reads(self) -> None:
        """Where nobody reads any more it ends as rich does."""
        reading, writing = os.pipe()
        os.close(reading)
        with io.TextIOWrapper(io.FileIO(writing, "w"), write_through=True) as stream, pytest.raises(SystemExit):
            BatchEvents(stream).remark("anybody?")


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    """What is told to a program takes Python's log over, for as long as the command lasts."""
    handlers = logging.root.handlers[:]
    yield
    logging.captureWarnings(capture=False)
    logging.root.handlers[:] = handlers
