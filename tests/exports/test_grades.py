"""Outcomes become grades: zero, absent and ungraded are three things, and XP become a platform's points."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.exports.grades import Grades, decimal_text, read_number
from grader.verdict import Absent, Provenance, Report, Result, Ungraded, Verdict

if TYPE_CHECKING:
    from grader.verdict import Outcome
    from tests.exports.conftest import MakeReport


def points(grades: Grades, *exercises: str, zero: bool = False) -> list[str | None]:
    """Each student's points."""
    found = [grades.grade(student, exercises, absent_is_zero=zero).points for student in grades.students]
    return [each if each is None else decimal_text(each) for each in found]


def test_one_exercise(outcomes: list[Outcome]) -> None:
    """A zero is 0; who is absent or ungraded has no points."""
    grades = Grades(outcomes)

    assert ["25", "7", "0", None, None] == points(grades, "pow")
    assert ["4", None, None, None, None] == points(grades, "fit")


def test_several_exercises(outcomes: list[Outcome]) -> None:
    """What was handed in is added up; while something is ungraded the sum is not known."""
    assert ["29", "7", "0", None, None] == points(Grades(outcomes), "pow", "fit")


def test_absent_is_zero(outcomes: list[Outcome]) -> None:
    """Absent may count as zero, ungraded never does."""
    assert ["29", "7", "0", "0", None] == points(Grades(outcomes), "pow", "fit", zero=True)


def test_scale(outcomes: list[Outcome]) -> None:
    """All XP become the points that were asked for, in hundredths."""
    assert ["10", "2.8", "0", None, None] == points(Grades(outcomes, Decimal(10)), "pow")
    assert ["5.8", "1.4", "0", None, None] == points(Grades(outcomes, Decimal(10)), "pow", "fit")
    assert ["12.5", "3.5", "0", None, None] == points(Grades(outcomes, Decimal("12.5")), "pow")


@pytest.mark.parametrize(
    ("xp", "of", "scale", "expected"),
    [(1, 3, "1", "0.33"), (2, 3, "1", "0.67"), (1, 8, "0.1", "0.01"), (1, 8, "1", "0.13"), (25, 25, "100", "100")],
)
def test_rounding(make_report: MakeReport, xp: int, of: int, scale: str, expected: str) -> None:
    """Halves are rounded up, and no zeros stand at the end."""
    report = replace(make_report("ada", "pow", xp), total_xp=of)

    assert [expected] == points(Grades([report], Decimal(scale)), "pow")


@given(st.integers(0, 1000), st.integers(1, 1000), st.decimals("0.01", 1_000_000, places=2))
def test_scale_is_monotone_and_bounded(xp: int, more: int, scale: Decimal) -> None:
    """More XP are never fewer points, none are 0, all are full points, and every grade is a plain number."""

    def report(student: str, xp: int) -> Report:
        results = (Result("check", "", False, Verdict.PASSED, xp),)  # noqa: FBT003  # hidden
        return Report(student, "pow", "", "", more + 1000, results, Provenance("", "", "", "", "", ()))

    grades = Grades([report("a", min(xp, more)), report("b", more), report("c", more + 1000)], scale)
    low, high, full = (grades.grade(student, ["pow"]).points for student in "abc")

    assert low is not None
    assert high is not None
    assert 0 <= low <= high <= scale == full
    assert all((read_number(decimal_text(each)) == each) for each in (low, high, full))


def test_students_and_exercises(outcomes: list[Outcome]) -> None:
    """They are those of the outcomes, in order; who has no outcome for an exercise is absent."""
    grades = Grades([outcomes[0], Absent("502", "fit")])

    assert (("501", "502"), ("fit", "pow")) == (grades.students, grades.exercises)
    assert (Absent("501", "fit"),) == grades.grade("501", ["fit"]).outcomes


def test_what_it_is_made_of(outcomes: list[Outcome]) -> None:
    """A grade knows its reports, and what was not graded."""
    grades = Grades(outcomes)

    assert ["pow", "fit"] == [report.exercise for report in grades.grade("501", ["pow", "fit"]).reports]
    assert (Ungraded("505", "pow", "No engine: start Docker."),) == grades.grade("505", ["pow", "fit"]).ungraded


def test_full_points(outcomes: list[Outcome]) -> None:
    """Full marks are the points asked for, else the XP; where nobody was graded they are not known."""
    assert Decimal(50) == Grades(outcomes).full_points(["pow", "fit"])
    assert Decimal(10) == Grades(outcomes, Decimal(10)).full_points(["pow", "fit"])
    assert Grades([Absent("ada", "pow")]).full_points(["pow"]) is None


def test_unknown_xp(make_report: MakeReport) -> None:
    """Of unknown XP no points can be made, and the error says of which."""
    grades = Grades([make_report("ada", "pow", 7), Absent("ada", "fit")], Decimal(10))

    with pytest.raises(SubmissionError, match=r"Nobody's work for fit was graded, .*; grade some, leave out --points"):
        grades.grade("ada", ["fit", "pow"])


def test_xp_that_differ(make_report: MakeReport) -> None:
    """Reports that were made with different exercises are no class."""
    reports = [make_report("ada", "pow", 7), replace(make_report("bo", "pow", 7), total_xp=20)]

    with pytest.raises(SubmissionError, match="pow was graded with 25 XP in all and with 20; grade all of it again"):
        Grades(reports)


@pytest.mark.parametrize(
    ("text", "number"),
    [("25.00", "25"), ("7,5", "7.5"), ("-1", "-1"), ("0", "0")]
    + [(text, None) for text in ("", "nan", "inf", "1e3", "1.000,5", "٣", " 1", "EX", "1_0", "1" * 13)],
)
def test_numbers(text: str, number: str | None) -> None:
    """Platforms write numbers with a point or a comma; nothing else is one."""
    assert (number if number is None else Decimal(number)) == read_number(text)
