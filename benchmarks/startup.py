"""How long somebody waits who types a command: for help, and for the first result of a check.

    python -m benchmarks.startup [TIMES]

The floor is an interpreter that does nothing. Of several times the shortest counts: what else the machine does only
adds to it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

from benchmarks.measure import AUTHOR, COURSE, FILES, Ratio, grader, seconds_of, table

HELP_TARGET_SECONDS, RESULT_TARGET_SECONDS = 0.15, 0.5


def seconds_to_result() -> float:
    """Check a file, and return how long it takes until the first result is shown."""
    started = time.perf_counter()
    command = list(map(str, grader("check", "pow_relu", COURSE / "submissions" / AUTHOR / FILES["pow_relu"])))
    with subprocess.Popen(  # noqa: S603  # our own command
        command,
        cwd=COURSE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None  # noqa: S101  # for mypy: it is a pipe
        while line := process.stdout.readline():
            if b"XP" in line and b"passed" in line:
                seconds = time.perf_counter() - started
                process.stdout.read()
                return seconds
    raise AssertionError("no result was shown")


def main(times: int = 10) -> list[Ratio]:
    """Measure everything, and return the figures."""
    nothing = min(seconds_of([sys.executable, "-I", "-c", ""]) for _ in range(times))
    helped = min(seconds_of(grader("--help")) for _ in range(times))
    result = min(seconds_to_result() for _ in range(times))
    return [
        Ratio(f"`{what}`", f"{measured * 1000:.0f} ms", f"{target * 1000:.0f} ms", measured / target, 1.0)
        for what, measured, target in [
            ("grader --help", helped, HELP_TARGET_SECONDS),
            ("grader check, first result", result, RESULT_TARGET_SECONDS),
        ]
    ] + [
        Ratio(
            "`grader --help`", f"{helped * 1000:.0f} ms", f"an interpreter: {nothing * 1000:.0f} ms", helped / nothing
        )
    ]


if __name__ == "__main__":
    print(table(main(*map(int, sys.argv[1:]))))
