"""How much more memory a large class takes than a small one: the grader itself, and each process that grades for it.

    python -m benchmarks.memory [SUBMISSIONS]

Both classes are graded with the command that instructors use, in a made-up course whose two checks make reports
of some 6 KB, as those of real exercises are. What counts is the most that a process ever held, as the kernel says.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import AT_ONCE, Ratio, grader, table

SMALL, LARGE = 100, 10_000
TARGET_BYTES = 20_000_000
"""How much more the large class may take."""

_CHECK = '''\
def check_{name}(engine):
    """The answer is right."""
    return engine.answer()
'''

_COURSE = {
    "reference/__init__.py": "",
    "reference/engine.py": "def answer():\n    return 42\n",
    "exercises/tiny/exercise.toml": """\
title = "A tiny exercise"
submit = "answer.py"
xp = 2

[reference]
engine = "reference.engine"

[checks.check_public]
xp = 1
""",
    "exercises/tiny/README.md": "Answer.\n",
    "exercises/tiny/starter.py": "",
    "exercises/tiny/checks/check_public.py": _CHECK.format(name="public"),
    "exercises/tiny/hidden/hidden.toml": "[checks.check_hidden]\nxp = 1\n",
    "exercises/tiny/hidden/check_hidden.py": _CHECK.format(name="hidden"),
}

_ANSWER = """\
def answer():
    raise ValueError("student {number} has a lot to say: " + 4_000 * "x")
"""


class Peak(NamedTuple):
    """The most that processes ever held, in bytes: the grader, and the largest of those that grade for it."""

    grader: int
    worker: int


def peak_of(submissions: int) -> Peak:
    """Grade a class of as many, and return what that took."""
    with tempfile.TemporaryDirectory(prefix="grader-bench-") as name:
        course = Path(name) / "course"
        for file, text in _COURSE.items():
            _write(course / file, text)
        for number in range(submissions):
            _write(Path(name) / "class" / f"student{number:05}" / "answer.py", _ANSWER.format(number=number))
        output = Path(name) / "results"
        command = grader("--course", course, "grade", Path(name) / "class", "-o", output, "--sandbox", "unsafe")
        return _watched([*map(str, command), "-j", str(AT_ONCE)])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _watched(command: list[str]) -> Peak:
    """Run a command and look again and again at what it and its children hold."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet) as process:  # noqa: S603  # our own
        own = workers = 0
        while process.poll() is None:
            own = max(own, _held(process.pid))
            workers = max([workers, *map(_held, _children(process.pid))])
            time.sleep(0.05)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Peak(own, workers)


def _held(process: int) -> int:
    """The most that a process ever held, in bytes; nothing of one that has ended."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def _children(process: int) -> list[int]:
    found: list[int] = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, thread.read_text(encoding="ascii").split())
    return found


def main(submissions: int = LARGE) -> list[Ratio]:
    """Measure everything, and return the figures."""
    small, large = peak_of(SMALL), peak_of(submissions)

    def row(what: str, few: int, many: int) -> Ratio:
        told = f"{many / 1e6:.0f} MB, {(many - few) / 1e6:+.1f} MB"
        return Ratio(what, told, f"of {SMALL}: {few / 1e6:.0f} MB, and 20 MB", (many - few) / TARGET_BYTES, 1.0)

    return [
        row(f"memory of {what} for a class of {submissions:,}", few, many)
        for what, few, many in zip(("the grader", "each worker"), small, large, strict=True)
    ]


if __name__ == "__main__":
    print(table(main(*map(int, sys.argv[1:]))))
