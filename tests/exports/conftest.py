"""Results of made-up classes, to be exported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from grader.reports.json_record import to_json
from grader.verdict import Absent, Provenance, Report, Result, Ungraded, Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from grader.verdict import Outcome

PROVENANCE = Provenance("a" * 64, "b" * 64, "docker", "sha256:c0ffee", "f00d", (("grader", "0.1.0"),))


class MakeReport(Protocol):
    """Makes the report of a student who earned some of 25 XP."""

    def __call__(self, student: str, exercise: str, xp: int) -> Report: ...  # noqa: D102


@pytest.fixture
def make_report() -> MakeReport:
    """A public check that earns what is asked for, and a hidden one, worth the rest, that fails unless it is 25 XP."""

    def make(student: str, exercise: str, xp: int) -> Report:
        rest = Verdict.PASSED if xp == 25 else Verdict.ERROR
        results = (
            Result("check_value", "Is the value right?", False, Verdict.PASSED, xp % 25),  # noqa: FBT003  # hidden
            Result("check_rest", "Does it hold elsewhere?", True, rest, 25 - xp % 25, "Look.", "SECRET", "SECRET"),  # noqa: FBT003
        )
        return Report(student, exercise, exercise.title(), "value.py", 25, results, PROVENANCE)

    return make


@pytest.fixture
def outcomes(make_report: MakeReport) -> list[Outcome]:
    """One full mark, one part, one zero, one absent from all, one ungraded in `pow`; most are absent from `fit`."""
    return [
        make_report("501", "pow", 25),
        make_report("502", "pow", 7),
        make_report("503", "pow", 0),
        Absent("504", "pow"),
        Ungraded("505", "pow", "No engine: start Docker."),
        make_report("501", "fit", 4),
        *(Absent(student, "fit") for student in ("502", "503", "504", "505")),
    ]


@pytest.fixture
def results(tmp_path: Path, outcomes: list[Outcome]) -> Path:
    """A folder with their record."""
    folder = tmp_path / "results"
    folder.mkdir()
    in_order = sorted(outcomes, key=lambda outcome: (outcome.student, outcome.exercise))
    (folder / "results.json").write_text("".join(to_json(in_order)), "utf-8")
    return folder
