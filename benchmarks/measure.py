"""What the measurements share: a class to grade, a clock, and the table that tells what came of it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from grader.sandbox import Sandbox

COURSE = Path(__file__).parent.parent
FILES = {"pow_relu": "value.py", "line_fit": "line_fit.py"}
"""What is graded: an engine that is asked 17 questions in some 270 cases, and a program that is run 16 times."""
AUTHOR = "ada"
"""Whose work it is a copy of; all of it is right."""
AT_ONCE = os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Ratio:
    """One figure of a run: how much of something there is, against a floor in the same run.

    Attributes:
        what: What was measured.
        measured: How much, with its unit.
        floor: What it is compared with, and how much that is.
        ratio: How many times as much it is.
        target: The most that it is meant to be; 0 where nothing is promised.
    """

    what: str
    measured: str
    floor: str
    ratio: float
    target: float = 0.0

    def __str__(self) -> str:
        """A row of the table."""
        target = f"{self.target:g}{'' if self.ratio <= self.target else ' **missed**'}" if self.target else ""
        return f"| {self.what} | {self.measured} | {self.floor} | {self.ratio:.2f} | {target} |"


def table(ratios: Sequence[Ratio]) -> str:
    """Return the figures of a run as a Markdown table."""
    head = "| what | measured | floor | ratio | at most |\n| --- | --- | --- | ---: | ---: |"
    return "\n".join([head, *map(str, ratios)])


@contextlib.contextmanager
def class_of(students: int) -> Iterator[Path]:
    """A folder of submissions, two for each student, no two of them with the same bytes."""
    with tempfile.TemporaryDirectory(prefix="grader-bench-") as name:
        Path(name).chmod(0o755)  # containers read it as somebody else
        for number in range(students):
            folder = Path(name) / f"student{number:05}"
            folder.mkdir()
            for file in FILES.values():
                source = (COURSE / "submissions" / AUTHOR / file).read_text(encoding="utf-8")
                (folder / file).write_text(f"{source}\n# {number}\n", encoding="utf-8")
        yield Path(name)


def start_and_end(sandbox: Sandbox) -> None:
    """Start a sandbox in which nothing is done, and end it."""
    session = sandbox.open(Limits())
    session.receive(time.monotonic() + 60)
    session.close()


def seconds_of(command: Sequence[str | Path]) -> float:
    """Run a command and return how long it took.

    Raises:
        CalledProcessError: It failed.
    """
    started = time.perf_counter()
    subprocess.run(  # noqa: S603  # our own commands
        list(map(str, command)),
        cwd=COURSE,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - started


def grader(*arguments: str | Path) -> list[str | Path]:
    """Return the command that runs this grader."""
    return [sys.executable, "-m", "grader", *arguments]
