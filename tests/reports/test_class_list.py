"""What a list of a class says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from grader.reports import class_list
from grader.verdict import Absent, Ungraded

if TYPE_CHECKING:
    from grader.exercise import Exercise
    from grader.verdict import Outcome, Report


def test_a_row_has_a_place_for_each_exercise(report: Report, exercises: list[Exercise]) -> None:
    """Students are sorted by id; an exercise of which nothing is known has an empty place."""
    absent = Absent("anna", "line_fit")
    rows = class_list.rows([replace(report, student="bo"), absent], exercises)

    assert [("anna", [None, None, absent]), ("bo", [replace(report, student="bo"), None, None])] == list(rows.items())


def test_a_cell_tells_a_zero_from_what_is_none(report: Report) -> None:
    """XP stand only where something was graded."""
    outcomes: list[Outcome | None] = [
        report,
        replace(report, results=()),
        Ungraded("bo", "x", "why"),
        Absent("cy", "x"),
        None,
    ]

    assert ["3", "0", "ungraded", "absent", ""] == [class_list.cell(outcome) for outcome in outcomes]


@pytest.mark.parametrize(
    ("graded", "ungraded", "total"), [(2, 0, "6"), (1, 1, "3 + ?"), (0, 1, "?"), (0, 2, "?"), (0, 0, "")]
)
def test_a_total_says_what_it_lacks(report: Report, graded: int, ungraded: int, total: str) -> None:
    """What is ungraded may yet add to it; what is absent does not."""
    row: list[Outcome | None] = [
        *[report] * graded,
        *[Ungraded("anna", "x", "why")] * ungraded,
        Absent("anna", "x"),
        None,
    ]

    assert total == class_list.total(row)


def test_counts(report: Report) -> None:
    """A line says how many there are of each kind."""
    outcomes: list[Outcome] = [report, Ungraded("bo", "x", "why"), Absent("bo", "y"), Absent("cy", "x")]

    assert "Students: 3. Submissions: 1 graded, 1 ungraded, 2 absent." == class_list.counts(outcomes)
    assert [outcomes[1]] == class_list.ungraded(outcomes)
