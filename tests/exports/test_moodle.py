"""A grading worksheet of Moodle is filled in, with comments if asked, and else given back to the byte."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from grader.errors import SubmissionError
from grader.exports.form import Filled, fill, targets
from grader.exports.grades import Grades
from grader.exports.moodle import moodle_form
from grader.reports.comment import MARK, to_comment
from grader.verdict import Report, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from grader.verdict import Outcome
    from tests.exports.conftest import MakeReport

WORKSHEET = """\
\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum grade","Last modified (grade)","Feedback comments"
"Participant 501","Chloé Moreau",chloe@example.org,"Submitted for grading - ",,25.00,"Monday, 3 March 2025, 9:00 AM",
"Participant 502","Dan, Jr.",dan@example.org,"Submitted for grading - ",7.00,25.00,-,"<p>Well done</p>"
"Participant 503","=1+1",eva@example.org,"Submitted for grading - ",,25.00,-,
"Participant 504",Fay,fay@example.org,"No submission",,25.00,-,
"Participant 505",Gil,gil@example.org,"Submitted for grading - ",6.00,25.00,-,
"Participant 509",Hal,hal@example.org,"Submitted for grading - ",,25.00,-,
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A worksheet as Moodle exports it."""
    (path := tmp_path / "Grades.csv").write_text(WORKSHEET, "utf-8", newline="")
    return path


def filled(
    file: Path, outcomes: Sequence[Outcome], *columns: str, comments: bool = False, absent_is_zero: bool = False
) -> Filled:
    """Fills in a worksheet."""
    form, grades = moodle_form(file, comments=comments), Grades(outcomes)
    return fill(form, targets(form, columns, grades.exercises), grades, None, absent_is_zero=absent_is_zero)


def cells(text: str, name: str) -> list[str]:
    """What a column says, read by other means."""
    return [row[name] for row in csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))]


def test_grades(file: Path, outcomes: list[Outcome]) -> None:
    """Grades go into the column Grade, by the participants' numbers; all else stays to the byte."""
    done = filled(file, outcomes, "pow=Grade")
    expected = WORKSHEET.replace('- ",,25.00,"Mon', '- ",25,25.00,"Mon')
    expected = expected.replace(
        'eva@example.org,"Submitted for grading - ",,', 'eva@example.org,"Submitted for grading - ",0,'
    )

    assert expected == done.text
    assert ("Identifier", 3, ["line 7: Participant 509, Hal"]) == (done.column, done.grades, done.no_result)


def test_all_exercises_together(file: Path, outcomes: list[Outcome]) -> None:
    """Without an exercise it is what all of them add up to, and other full marks are told."""
    done = filled(file, outcomes)

    assert ["29", "7.00", "0", "", "6.00", ""] == cells(done.text, "Grade")
    assert ["'Grade' has 25 points, and full marks here are 50"] == done.full_points


def test_absent_is_zero(file: Path, outcomes: list[Outcome]) -> None:
    """Who handed in nothing may get a zero, who is ungraded never does; neither gets a comment."""
    done = filled(file, outcomes, "pow=Grade", comments=True, absent_is_zero=True)

    assert ["25", "7.00", "0", "0", "6.00", ""] == cells(done.text, "Grade")
    assert ["", "", ""] == cells(done.text, "Feedback comments")[3:]


def test_comments(file: Path, outcomes: list[Outcome]) -> None:
    """Comments are what the student may read; one that somebody wrote stays."""
    done = filled(file, outcomes, "pow=Grade", comments=True)
    reports = [each for each in outcomes if isinstance(each, Report) and each.exercise == "pow"]

    assert [to_comment([reports[0]]), "<p>Well done</p>", to_comment([reports[2]])] == cells(
        done.text, "Feedback comments"
    )[:3]
    assert ["502: a comment"] == done.kept
    assert "SECRET" not in done.text


def test_comments_of_ours(file: Path, outcomes: list[Outcome], make_report: MakeReport) -> None:
    """A comment of an earlier export is replaced."""
    file.write_text(filled(file, outcomes, "pow=Grade", comments=True).text, "utf-8", newline="")
    better = make_report("503", "pow", 25)
    done = filled(file, [better], "pow=Grade", comments=True)

    assert [to_comment([better])] == cells(done.text, "Feedback comments")[2:3]
    assert ["line 4: Participant 503, =1+1: 25, of 503, for 0"] == done.replaced


def test_hostile_comments(file: Path, make_report: MakeReport) -> None:
    """What a student's code said is inert in the worksheet, and its cell is whole."""
    report = make_report("501", "pow", 7)
    hostile = '"a", b;=1+1\n=2\r\n<script>\u202e'
    results = tuple(replace(each, hidden=False, what=hostile, verdict=Verdict.FAILED) for each in report.results)
    done = filled(file, [replace(report, results=results)], comments=True)
    comment = cells(done.text, "Feedback comments")[0]

    assert comment.startswith(MARK)
    assert not any(sign in comment for sign in ('"', "<script", ";=", "\n", "\u202e"))
    assert WORKSHEET.count("\n") == done.text.count("\n")


def test_by_other_identifiers(file: Path, make_report: MakeReport) -> None:
    """Students may be known by e-mail address, if the worksheet has it."""
    assert "25" == cells(filled(file, [make_report("Eva@example.org", "pow", 25)]).text, "Grade")[2]


def test_another_language(file: Path, outcomes: list[Outcome]) -> None:
    """A worksheet in another language can be filled in if its column is named."""
    german = (
        WORKSHEET.replace("Identifier", "ID").replace("Participant ", "Teilnehmer/in").replace(",Grade,", ",Bewertung,")
    )
    file.write_text(german, "utf-8", newline="")

    assert ["25", "7.00", "0", "", "6.00", ""] == cells(filled(file, outcomes, "pow=Bewertung").text, "Bewertung")
    with pytest.raises(SubmissionError, match="has no column 'Grade' for grades; those for grades are 'Email address'"):
        filled(file, outcomes)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"Maximum grade"', "Scale", "has a scale for grades; let the assignment's grade be points, and export anew"),
        (
            "Participant 503",
            "Eva",
            r"Grades\.csv, line 4: does not begin with a participant's number; export",
        ),
        ('"Dan, Jr."', "Dan, Jr.", "line 3: has 9 cells and the header 8"),
        (
            '"Feedback comments"',
            "Kommentar",
            "has no column 'Feedback comments'; export the worksheet in English",
        ),
        ('"Full name"', '"Feedback comments"', "has 2 columns 'Feedback comments'; rename one"),
    ],
)
def test_no_worksheet(file: Path, outcomes: list[Outcome], old: str, new: str, said: str) -> None:
    """What cannot be filled in is refused with the next step."""
    file.write_text(WORKSHEET.replace(old, new), "utf-8", newline="")

    with pytest.raises(SubmissionError, match=said):
        filled(file, outcomes, comments=True)


@pytest.mark.parametrize("text", ["Identifier,Status,Grade\nParticipant 501,x,\n", "Identifier,Grade\n"])
def test_small_worksheets(file: Path, outcomes: list[Outcome], text: str) -> None:
    """A worksheet of few columns will do, without names or with nobody in it."""
    file.write_text(text, "utf-8")

    assert text.replace("x,", "x,25") == filled(file, outcomes, "pow=Grade").text
