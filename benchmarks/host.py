"""How much processor time the grader itself takes for a submission, and how much its sandbox, of what the work takes.

    python -m benchmarks.host [SUBMISSIONS]

One submission is graded again and again in one process, in bubblewrap, where the kernel says what every process took.
"""

from __future__ import annotations

import resource
import sys
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.measure import AUTHOR, COURSE, FILES, Ratio, start_and_end, table
from benchmarks.throughput import BARE, run_bare
from grader.checks import Checks
from grader.course import find_course
from grader.grading import grade
from grader.sandbox.bubblewrap import BubblewrapSandbox
from grader.submission import read_submission

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HOST_TARGET_SECONDS = 0.040
"""How much the grader itself is meant to take for a submission, at most, beyond the sandbox and the student's code."""


class _Taken(NamedTuple):
    """Processor time in seconds: of this process, and of those that it started and that have ended."""

    own: float
    others: float


def taken(do: Callable[[], object], times: int) -> _Taken:
    """Do something several times, and return what it takes once."""

    def now() -> _Taken:
        own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
        return _Taken(own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime)

    do()  # the first time, everything is found out
    before = now()
    for _ in range(times):
        do()
    after = now()
    return _Taken((after.own - before.own) / times, (after.others - before.others) / times)


def bare(exercise: str, file: Path, times: int) -> float:
    """Return what the checks on a file take where nothing isolates them, once all is imported."""

    def run(copies: int) -> float:
        return taken(lambda: run_bare([sys.executable, str(BARE), str(COURSE)], exercise, [file] * copies), 1).others

    return (run(1 + times) - run(1)) / times


def main(times: int = 20) -> list[Ratio]:
    """Measure everything, and return the figures."""
    ratios = []
    course = find_course(COURSE, {}, COURSE)
    with BubblewrapSandbox() as sandbox:
        nothing = taken(lambda: start_and_end(sandbox), times)
        for name, file in FILES.items():
            exercise = course.exercise(name)
            path = COURSE / "submissions" / AUTHOR / file
            submission = read_submission(path, exercise, AUTHOR)
            with Checks(exercise) as checks:
                ours = taken(lambda: grade(submission, checks, sandbox, b"secret"), times)  # noqa: B023  # it is run here
            work = bare(name, path, times)
            own = f"{ours.own * 1000:.0f} ms"
            ratios.append(
                Ratio(f"{name}: the grader's own processor time", own, "40 ms", ours.own / HOST_TARGET_SECONDS, 1.0)
            )
            floor = nothing.others + work
            told = f"empty sandbox {nothing.others * 1000:.0f} ms, and bare {work * 1000:.0f} ms"
            ratios.append(Ratio(f"{name}: its sandbox's", f"{ours.others * 1000:.0f} ms", told, ours.others / floor))
    return ratios


if __name__ == "__main__":
    print(table(main(*map(int, sys.argv[1:]))))
