"""XP as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.exercise import Exercise
from grader.limits import Limits
from grader.reports import csv_table
from grader.reports.class_list import NO_NAMES
from grader.reports.csv_table import COLUMNS, table
from grader.reports.text import visible
from grader.verdict import Absent, Report, Ungraded, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from grader.verdict import Outcome

OUTCOMES = st.from_type(Report) | st.from_type(Ungraded) | st.from_type(Absent)
TEXTS = st.lists(
    st.sampled_from([*",;\t\r\n\"'=+-@", "\uff1d", "\uff20", "=1+1", "\x1b", "::error::"]) | st.text(max_size=2),
    max_size=9,
).map("".join)
FORMULA_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
FOLDER = Path("/course/exercises/fit")
EXERCISE = Exercise("fit", "Fit", FOLDER, "fit.py", 25, None, "reference.fit", Limits(), (), "d" * 64)


def to_csv(outcomes: Sequence[Outcome], exercises: Sequence[Exercise], names: Mapping[str, str] = NO_NAMES) -> str:
    """The whole table of a class."""
    return "".join(csv_table.to_csv(outcomes, exercises, names))


def read(text: str) -> list[list[str]]:
    """Reads a table as a program would, from a file that was written as UTF-8."""
    return list(csv.reader(io.TextIOWrapper(io.BytesIO(text.encode("utf-8")), "utf-8", newline=""), strict=True))


def exercises_of(outcomes: Iterable[Outcome]) -> list[Exercise]:
    """Makes an exercise for each that occurs."""
    return [replace(EXERCISE, id=name) for name in sorted({outcome.exercise for outcome in outcomes})]


def test_zero_ungraded_and_absent_are_three_things(report: Report, exercises: list[Exercise]) -> None:
    """XP stand only where something was graded, a zero too; ungraded has its reason; absent has nothing."""
    outcomes: list[Outcome] = [
        report,
        replace(report, student="bo", results=tuple(replace(r, verdict=Verdict.FAILED) for r in report.results)),
        Ungraded("cy", "pow_relu", "No engine: start Docker, then try again."),
        Absent("di", "pow_relu"),
    ]

    assert (
        '"student","exercise","state","xp","total_xp","reason","name"\r\n'
        '"anna","pow_relu","graded","3","25","","Anna"\r\n'
        '"bo","pow_relu","graded","0","25","",""\r\n'
        '"cy","pow_relu","ungraded","","25","No engine: start Docker, then try again.",""\r\n'
        '"di","pow_relu","absent","","25","","\'=D"\r\n'
    ) == to_csv(outcomes, exercises, {"anna": "Anna", "bo": "", "di": "=D"})


def test_there_is_a_row_for_each_outcome(exercises: list[Exercise]) -> None:
    """The rows stand in the order of the outcomes."""
    outcomes = [Absent(student, name) for student in ("a", "b") for name in ("pow_relu", "neuron_fit", "line_fit")]

    names = [(outcome.student, outcome.exercise) for outcome in outcomes]
    assert names == [(row[0], row[1]) for row in read(to_csv(outcomes, exercises))[1:]]


@pytest.mark.parametrize("student", ["007", 'Müller, "Jr."', "two\nlines", "two\r\nlines", "e\u0301", "名前", " x "])
def test_a_name_survives(student: str) -> None:
    """Commas, quotes, line ends, accents, outer spaces and leading zeros are read back as they were."""
    assert student == read(to_csv([Absent(student, "fit")], [EXERCISE]))[1][0]


@pytest.mark.parametrize(
    ("student", "written"),
    [
        ("=1+1", "'=1+1"),
        ('=HYPERLINK("http://x")', '\'=HYPERLINK("http://x")'),
        ("+1", "'+1"),
        ("-rf", "'-rf"),
        ("@sum", "'@sum"),
        ("\uff1d1", "'\uff1d1"),
        ("\uff0b1", "'\uff0b1"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("\n=1", "'\n'=1"),
        ("a;=1+1;b", "a;'=1+1;b"),
        ('a;"=1"', 'a;\'"=1"'),
        ("a\n@x", "a\n'@x"),
        ("a=1;b-2", "a=1;b-2"),
    ],
)
def test_no_cell_is_a_formula(student: str, written: str) -> None:
    """What a spreadsheet would run gets an apostrophe, after which it is text."""
    assert written == read(to_csv([Absent(student, "fit")], [EXERCISE]))[1][0]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@given(st.lists(TEXTS, min_size=2, max_size=4))
def test_no_cell_is_a_formula_whatever_separates_cells(delimiter: str, texts: list[str]) -> None:
    """A spreadsheet that takes something else than commas to separate cells finds no formula either."""
    lines = io.StringIO("".join(table([texts, texts])), newline="")
    cells = [cell for row in csv.reader(lines, delimiter=delimiter) for cell in row]

    assert [] == [cell for cell in cells if cell.lstrip("\t\r\n").startswith(FORMULA_STARTS)]


def test_why_nothing_ran(report: Report, exercises: list[Exercise]) -> None:
    """Of a graded file of which nothing could be run, what kept it from running is the reason, and never a note."""
    notes = ("This was handed in late.", "value.py is no notebook.", "Something else.")
    not_run = tuple(replace(each, verdict=Verdict.NOT_RUN, what=notes[1]) for each in report.results)
    outcomes = [
        replace(report, student="a", results=not_run, notes=notes),
        replace(report, student="b", results=(), notes=notes),
        replace(report, student="c", notes=notes),
    ]

    assert ["value.py is no notebook.", "", ""] == [row[5] for row in read(to_csv(outcomes, exercises))[1:]]


def test_what_does_not_show_is_written_out() -> None:
    """Control characters and the like are as visible here as elsewhere."""
    assert r"a\x1b[31m\u202e\udcff" == read(to_csv([Absent("a\x1b[31m\u202e\udcff", "fit")], [EXERCISE]))[1][0]


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)  # outcomes take their time
@given(st.lists(OUTCOMES, max_size=5))
def test_every_table_can_be_read(outcomes: list[Outcome]) -> None:
    """Whatever the texts, each outcome is a row of seven cells, none a formula, its texts as they show."""
    heading, *rows = read(to_csv(outcomes, exercises_of(outcomes)))

    assert list(COLUMNS) == heading
    assert {7} >= {len(row) for row in rows}
    assert not [cell for row in rows for cell in row if cell.startswith(FORMULA_STARTS)]
    students = sorted(visible(outcome.student, keep="\r\n\t").replace("'", "") for outcome in outcomes)
    assert students == sorted(row[0].replace("'", "") for row in rows)
    states = {Report: "graded", Ungraded: "ungraded", Absent: "absent"}
    assert sorted(states[type(outcome)] for outcome in outcomes) == sorted(row[2] for row in rows)
    assert all((row[2] == "graded") == row[3].isdecimal() for row in rows)
