"""A class of any size can be gone through, and its outlines held."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from typing import TYPE_CHECKING

from grader.outcomes import Reread, outlines
from grader.results import Results
from grader.verdict import Absent, Provenance, Report, Result, Ungraded, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from grader.verdict import Outcome
    from tests.conftest import TinyCourse

LONG = "x" * 1000


def report(number: int, checks: int = 10) -> Report:
    """A report of some 30 KB, which says nothing that another one says."""
    results = tuple(
        Result(
            f"check_{place}",
            "Right?",
            place > 5,
            Verdict.PASSED if (number + place) % 3 else Verdict.ERROR,
            2,
            f"Look {place}.",
            f"what {number} {place}\n{LONG}",
            f"code {number} {place}\n{LONG}",
            derivation=f"derivation {number} {place}\n{LONG}",
            retried=place == number % 50,
            seconds=number / 7,
        )
        for place in range(checks)
    )
    provenance = Provenance(f"{number:064}", "e" * 64, "docker", "sha256:c0ffee", "f00d", (("grader", "0.1.0"),))
    notes = (f"note {number % 3}",)
    return Report(f"student{number:04}", "tiny", "Tiny", "value.py", 20, results, provenance, notes, number / 3)


def test_reread() -> None:
    """Outcomes are read anew each time they are gone through."""
    times: list[int] = []

    def read() -> Iterator[Outcome]:
        times.append(1)
        yield Absent("ann", "tiny")

    outcomes = Reread(read)

    assert [Absent("ann", "tiny")] == list(outcomes) == list(outcomes)
    assert 2 == len(times)


def test_an_outline() -> None:
    """It has the verdicts, the XP and whatever is short; long texts are gone, and what is alike is held once."""
    others = Ungraded("ann", "tiny", "No engine."), Absent("bob", "tiny")
    first, second, *rest = outlines([report(0), report(3), *others])
    full = report(0)

    assert isinstance(first, Report)
    assert isinstance(second, Report)
    assert list(others) == rest
    assert (full.student, full.exercise, full.title, full.xp, full.seconds) == (
        *(first.student, first.exercise, first.title, first.xp, first.seconds),
    )
    assert [replace(each, hint="", what="", code="", derivation="") for each in full.results] == list(first.results)
    assert [each.retried for each in full.results] == [each.retried for each in first.results]
    assert LONG not in repr(first)
    assert all(one is other for one, other in zip(first.results[4:], second.results[4:], strict=True))


def test_memory(course: TinyCourse, tmp_path: Path) -> None:
    """The results of ten times the reports are written with some more bytes for each, a small part of the report."""
    exercises = [course.exercise()]

    def peak(students: int) -> int:
        tracemalloc.start()
        try:
            Results(tmp_path / "out").write(Reread(lambda: map(report, range(students))), exercises)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(2)  # the first time, templates are compiled
    large = min(peak(100), peak(100))  # now and then Python's own tables grow by more than all of this

    assert large - peak(10) < 90 * 2000
