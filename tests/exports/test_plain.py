"""Grades as a table and a document of our own."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from decimal import Decimal
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from grader.exports.grades import Grades
from grader.exports.plain import COLUMNS, to_document, to_table
from grader.roster import Person, Roster
from grader.verdict import Absent, Report, Ungraded, Verdict

if TYPE_CHECKING:
    from grader.verdict import Outcome


def test_table(outcomes: list[Outcome]) -> None:
    """Zero, absent and ungraded are three things; XP, points and both totals stand in columns of their own."""
    roster = Roster("roster.csv", (Person("501", "Moreau, Chloé"),), (2,))
    heading, *rows = csv.reader(io.StringIO(to_table(Grades(outcomes, Decimal(10)), roster), newline=""))

    assert list(COLUMNS) == heading
    assert [
        ["501", "Moreau, Chloé", "fit", "graded", "4", "25", "1.6", "10", ""],
        ["501", "Moreau, Chloé", "pow", "graded", "25", "25", "10", "10", ""],
        ["502", "", "fit", "absent", "", "25", "", "10", ""],
    ] == rows[:3]
    assert ["503", "", "pow", "graded", "0", "25", "0", "10", ""] in rows
    assert ["504", "", "pow", "absent", "", "25", "", "10", ""] in rows
    assert ["505", "", "pow", "ungraded", "", "25", "", "10", "No engine: start Docker."] in rows


def test_document(outcomes: list[Outcome]) -> None:
    """The same rows are objects, with numbers for numbers and null for what is not known."""
    document = json.loads(to_document(Grades([*outcomes, Absent("501", "new")]), None))
    found = {(row["student"], row["exercise"]): row for row in document["grades"]}

    assert 1 == document["schema"]
    assert {
        "student": "502",
        "name": "",
        "exercise": "pow",
        "state": "graded",
        "xp": 7,
        "total_xp": 25,
        "points": 7,
        "total_points": 25,
        "reason": "",
    } == found["502", "pow"]
    assert [None, None, None, None] == [
        found["501", "new"][name] for name in ("xp", "total_xp", "points", "total_points")
    ]


def test_reason(outcomes: list[Outcome]) -> None:
    """Of a file that could not be run the reason is what kept it, in both, and not what else was noted."""
    report = next(each for each in outcomes if isinstance(each, Report))
    results = tuple(
        dataclasses.replace(each, verdict=Verdict.NOT_RUN, what="fit.py is empty") for each in report.results
    )
    broken = dataclasses.replace(report, results=results, notes=("This was handed in late.", "fit.py is empty"))
    (row,) = json.loads(to_document(Grades([broken]), None))["grades"]

    assert "fit.py is empty" == row["reason"]
    assert to_table(Grades([broken]), None).endswith('"fit.py is empty"\r\n')


TEXTS = st.text(st.characters(codec="utf-8"), max_size=5) | st.sampled_from(["=1+1", "a;=1", "\u202e", "\0", "\n", "é"])


@given(
    st.lists(st.builds(Ungraded, TEXTS, TEXTS, TEXTS), max_size=3, unique_by=lambda each: (each.student, each.exercise))
)
def test_any_text(outcomes: list[Ungraded]) -> None:
    """Whatever the texts, both can be read; a document says them as they were and is ASCII, a table has no formula."""
    grades = Grades(outcomes)
    document = to_document(grades, None)
    said = {(row["student"], row["exercise"], row["reason"]) for row in json.loads(document)["grades"]}
    cells = [cell for row in csv.reader(io.StringIO(to_table(grades, None), newline="")) for cell in row]

    assert document.isascii()
    assert {(each.student, each.exercise, each.reason) for each in outcomes} <= said
    assert [] == [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
