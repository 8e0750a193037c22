"""A gradebook of Canvas is filled in, and all the rest of it is given back to the byte."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.exports.canvas import canvas_form
from grader.exports.form import Filled, fill, targets
from grader.exports.grades import Grades
from grader.roster import Person, Roster

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from grader.verdict import Outcome
    from tests.exports.conftest import MakeReport

GRADEBOOK = """\
\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Notes,Lab 1 (7001),Lab 2 (7002),Current Score
,,,,,,Manual Posting,,
    Points Possible,,,,,,25.00,10.00,(read only)
"Moreau, Chloé",501,0501,cmoreau,"A and B","say ""hi"" now",3,,88.0
O'Neil,502,0502,dan,A,=1+1,7.00,,
"'=2+2",503,0503,eva,A,,,,
\u202ecod,504,0504,fay,A,,5,,
Gil,505,0505,gil,A,,6,,
"Student, Test",999,,0f3a,A,,,N/A,
"""
LAB_1 = "Lab 1 (7001)"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A gradebook as Canvas exports it."""
    (path := tmp_path / "gradebook.csv").write_text(GRADEBOOK, "utf-8", newline="")
    return path


def filled(
    file: Path, outcomes: Sequence[Outcome], *columns: str, points: int | None = None, roster: Roster | None = None
) -> Filled:
    """Fills in a gradebook."""
    form = canvas_form(file)
    grades = Grades(outcomes, points if points is None else Decimal(points))
    return fill(form, targets(form, columns, grades.exercises), grades, roster, absent_is_zero=False)


def column(text: str, name: str) -> dict[str, str]:
    """What a column says of each student, read by other means."""
    return {row["ID"]: row[name] for row in csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))) if row["ID"]}


def test_grades(file: Path, outcomes: list[Outcome]) -> None:
    """Grades go into the cells of their column; who is absent or ungraded keeps what is there, a zero is 0."""
    done = filled(file, outcomes, f"pow={LAB_1}")

    assert {"501": "25", "502": "7.00", "503": "0", "504": "5", "505": "6", "999": ""} == column(done.text, LAB_1)
    assert (3, 1) == (done.grades, done.absent)


def test_all_the_rest_stays(file: Path, outcomes: list[Outcome]) -> None:
    """Not a byte of anything else is changed, and a grade that is there already is left as it is written."""
    expected = GRADEBOOK.replace('now",3,', 'now",25,').replace("503,0503,eva,A,,,", "503,0503,eva,A,,0,")

    assert expected == filled(file, outcomes, f"pow={LAB_1}").text


@pytest.mark.parametrize("delimiter", [",", ";"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_any_style(file: Path, outcomes: list[Outcome], delimiter: str, end: str, mark: str) -> None:
    """Line ends, separators and the byte order mark are those of the file."""
    text = GRADEBOOK.removeprefix("\ufeff").replace('"A and B"', "A").replace("Moreau, Chloé", "Chloé Moreau")
    text = text.replace("Student, Test", "Test").replace(",", delimiter).replace("\n", end)
    file.write_text(mark + text, "utf-8", newline="")
    expected = text.replace(f'now"{delimiter}3', f'now"{delimiter}25').replace("eva;A;;;", "eva;A;;0;")
    expected = expected.replace("eva,A,,,", "eva,A,,0,")

    assert mark + expected == filled(file, outcomes, f"pow={LAB_1}").text


def test_all_exercises_together(file: Path, outcomes: list[Outcome]) -> None:
    """A column without an exercise gets what all of them add up to."""
    assert {"501": "29", "502": "7.00", "503": "0", "504": "5", "505": "6", "999": ""} == column(
        filled(file, outcomes, LAB_1).text, LAB_1
    )


def test_a_column_for_each_exercise(file: Path, outcomes: list[Outcome]) -> None:
    """Exercises may have a column each."""
    done = filled(file, outcomes, f"pow={LAB_1}", "fit=Lab 2 (7002)")

    assert ["25", "4"] == [column(done.text, name)["501"] for name in (LAB_1, "Lab 2 (7002)")]
    assert 4 == done.grades


def test_what_is_told(file: Path, outcomes: list[Outcome], make_report: MakeReport) -> None:
    """What somebody may have to see to: students without a row, rows without a result, ungraded, replaced grades."""
    done = filled(file, [*outcomes, make_report("777", "pow", 25)], f"pow={LAB_1}")

    assert "ID" == done.column
    assert ["505: pow: No engine: start Docker."] == done.ungraded
    assert ["777"] == done.no_row
    assert ["line 9: Student, Test"] == done.no_result
    assert ["line 4: Moreau, Chloé: 25, of 501, for 3"] == done.replaced
    assert not done.complete


def test_complete(file: Path, make_report: MakeReport) -> None:
    """A file is complete if every grade has its row; rows without a result do not count."""
    assert filled(file, [make_report("501", "pow", 25)], LAB_1).complete


def test_excused(file: Path, make_report: MakeReport) -> None:
    """Who is excused stays so, and so does who is not meant."""
    file.write_text(GRADEBOOK.replace('now",3,', 'now",EX,'), "utf-8")
    done = filled(file, [make_report("501", "pow", 25), make_report("999", "pow", 7)], LAB_1)
    other = filled(file, [make_report("999", "pow", 7)], "Lab 2 (7002)")

    assert ("EX", "7", "N/A") == (
        column(done.text, LAB_1)["501"],
        column(done.text, LAB_1)["999"],
        column(other.text, "Lab 2 (7002)")["999"],
    )
    assert (["501: EX"], ["999: N/A"]) == (done.kept, other.kept)


def test_full_marks(file: Path, outcomes: list[Outcome]) -> None:
    """Where Canvas has other full marks it is told; --points makes them the same."""
    assert ["'Lab 2 (7002)' has 10 points, and full marks here are 25"] == filled(
        file, outcomes, "pow=Lab 2 (7002)"
    ).full_points
    assert [] == filled(file, outcomes, "pow=Lab 2 (7002)", points=10).full_points
    assert "2.8" == column(filled(file, outcomes, "pow=Lab 2 (7002)", points=10).text, "Lab 2 (7002)")["502"]


@pytest.mark.parametrize(("students", "by"), [(("0501", "0502"), "SIS User ID"), (("CMoreau", "dan"), "SIS Login ID")])
def test_other_identifiers(file: Path, make_report: MakeReport, students: tuple[str, str], by: str) -> None:
    """Students may be known by their id in the university's system or by their login, leading zeros and all."""
    done = filled(file, [make_report(students[0], "pow", 25), make_report(students[1], "pow", 4)], LAB_1)

    assert (by, "25", "4") == (done.column, column(done.text, LAB_1)["501"], column(done.text, LAB_1)["502"])


def test_roster(file: Path, make_report: MakeReport) -> None:
    """Or by what the roster tells."""
    roster = Roster("roster.csv", (Person("octochloe", "", frozenset({"cmoreau"})),), (2,))

    assert "25" == column(filled(file, [make_report("octochloe", "pow", 25)], LAB_1, roster=roster).text, LAB_1)["501"]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ([], r"Say with --column which column of .* is meant; those for grades are 'Lab 1 \(7001\)', "),
        (["Lab 1 (701)"], r"has no column 'Lab 1 \(701\)' for grades; did you mean 'Lab 1 \(7001\)'\?"),
        (["xyz"], r"has no column 'xyz' for grades; those for grades are 'Lab 1 \(7001\)', 'Lab 2 \(7002\)'\."),
        (["ID"], "has no column 'ID' for grades"),
        (["Current Score"], "has no column 'Current Score' for grades"),
        (["pow=Lab 3 (7001)"], r"has no column 'Lab 3 \(7001\)' for grades; did you mean"),
        (["powr=Lab 1 (7001)"], "There are no results of 'powr'; did you mean 'pow'"),
        (["zzz=Lab 1 (7001)"], r"There are no results of 'zzz'\."),
        (["pow=Lab 1 (7001)", "fit=Lab 1 (7001)"], "A column or an exercise is asked for twice"),
        (["pow=Lab 1 (7001)", "Lab 2 (7002)"], "A column or an exercise is asked for twice"),
    ],
)
def test_wrong_columns(file: Path, outcomes: list[Outcome], columns: list[str], said: str) -> None:
    """A column that is none for grades is refused, and the error names those that are."""
    with pytest.raises(SubmissionError, match=said):
        filled(file, outcomes, *columns)


def test_a_column_that_is_there_twice(file: Path, outcomes: list[Outcome]) -> None:
    """Nor is guessed which of two is meant."""
    file.write_text(GRADEBOOK.replace("Lab 2 (7002)", LAB_1), "utf-8")

    for asked in (LAB_1, f"pow={LAB_1}"):
        with pytest.raises(SubmissionError, match=r"has 2 columns 'Lab 1 \(7001\)'; rename one on the platform\."):
            filled(file, outcomes, asked)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("student,xp\nada,5\n", "is no gradebook of Canvas: it lacks a column ID or Section; export it anew"),
        ("Student,ID,Section\nLovelace, Ada,1,A\n", r"line 2: has 4 cells and the header 3; put quotation marks"),
        ("Student,ID,Section\nAda,1,A\n", r"Say with --column .* is meant; it has none for grades\."),
    ],
)
def test_no_gradebook(file: Path, outcomes: list[Outcome], text: str, said: str) -> None:
    """What is no gradebook, or one whose cells cannot be told apart, is refused."""
    file.write_text(text, "utf-8")

    with pytest.raises(SubmissionError, match=said):
        filled(file, outcomes)


def test_without_points(file: Path, outcomes: list[Outcome]) -> None:
    """A gradebook whose row of points was taken out, and whose names are in two columns, can be filled in too."""
    file.write_text("LastName,FirstName,ID,Section,Lab 1 (7001~12)\nMoreau,Chloé,501,A,\nX,Y,7,A,\n", "utf-8")
    done = filled(file, outcomes, "pow=Lab 1 (7001~12)")

    assert "LastName,FirstName,ID,Section,Lab 1 (7001~12)\nMoreau,Chloé,501,A,25\nX,Y,7,A,\n" == done.text
    assert (["line 3: X Y"], []) == (done.no_result, done.full_points)


NASTY = st.lists(
    st.sampled_from([*',;"\r\n=+-@\u202e\u200b', "\r\n", "é", "e\u0301", "007", "=HYPERLINK(1)", "\0", "\x1b[31m"])
    | st.text(st.characters(codec="utf-8"), max_size=2),
    max_size=5,
).map("".join)


@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)  # each example writes the file anew
@given(st.lists(NASTY, min_size=1, max_size=4), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_whatever_people_are_called(file: Path, make_report: MakeReport, names: list[str], quoting: int) -> None:
    """Names of every kind come back as they were, each beside its grade."""
    stream = io.StringIO(newline="")
    rows = [[name, str(number), "A", "", name] for number, name in enumerate(names, start=1)]
    writer = csv.writer(stream, quoting=quoting)  # type: ignore[arg-type]
    writer.writerows([["Student", "ID", "Section", LAB_1, "Current Score"], *rows])
    file.write_text(stream.getvalue(), "utf-8", newline="")
    outcomes = [make_report(row[1], "pow", int(row[1])) for row in rows]
    text = filled(file, outcomes, LAB_1).text

    assert [[*row[:3], row[1], row[4]] for row in rows] == list(csv.reader(io.StringIO(text, newline="")))[1:]
