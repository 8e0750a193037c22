"""A roster says who is in the class, and whom an identifier means."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.roster import Person, Roster, read_roster

if TYPE_CHECKING:
    from pathlib import Path

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (7001),Current Score
,,,,,Manual Posting,
    Points Possible,,,,,25.00,(read only)
"Moreau, Chloé",501,U0501,cmoreau,"A and B",501,88.0
"Student, Test",502,,0f3a,A,,
"""
MOODLE = """\
\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum Grade","Last modified (grade)","Feedback comments"
"Participant 9001","Chloé Moreau",chloe@example.org,"Submitted for grading - ",,25.00,-,
"Participant 9002","Dan O'Neil",dan@example.org,"No submission",,25.00,-,
"""
GRADESCOPE = "First Name,Last Name,SID,Email,Section\nChloé,Moreau,U0501,chloe@example.org,A\n"
CLASSROOM = '"identifier","github_username","github_id","name"\n"U0501","cmoreau","77",""\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the roster is."""
    return tmp_path / "roster.csv"


def read(file: Path, text: str) -> list[Person]:
    """Reads a roster of some text."""
    file.write_text(text, "utf-8", newline="")
    return list(read_roster(file))


class TestReading:
    """What a roster's columns mean."""

    def test_columns(self, file: Path) -> None:
        """One column is the id, one the name; every other that says something is an alias, but for groups."""
        text = "student,Name,email,SIS_ID,github,section\nada,Ada L.,a@x.org,007,,1\nbo,,,,bo,1\n"

        assert [
            Person("ada", "Ada L.", frozenset({"a@x.org", "007"})),
            Person("bo", "", frozenset()),
        ] == read(file, text)

    @pytest.mark.parametrize(
        "column", ["student", "ID", "Student ID", "canvas_id", "sid", "SIS ID", "Moodle", "login", "GitHub", "e_mail"]
    )
    def test_id(self, file: Path, column: str) -> None:
        """Many names of a column say that it is the id, whatever the capitals; a name of no meaning does not."""
        text = f"{column},name\nada,Ada\n"
        if column == "e_mail":
            with pytest.raises(SubmissionError, match="no column says who a student is"):
                read(file, text)
        else:
            assert [Person("ada", "Ada")] == read(file, text)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("student,id,name\nada,1,Ada\n", Person("ada", "Ada", frozenset({"1"}))),
            ("Student,ID,Email\nAda,1,a@x.org\n", Person("1", "Ada", frozenset({"a@x.org"}))),
            ("login,email\nada,a@x.org\n", Person("ada", "", frozenset({"a@x.org"}))),
            ("LastName,FirstName,ID\nLovelace,Ada,1\n", Person("1", "Ada Lovelace")),
        ],
    )
    def test_which_is_the_id(self, file: Path, text: str, expected: Person) -> None:
        """`student` comes before `id`, unless it is the only name that there is."""
        assert [expected] == read(file, text)

    def test_canvas(self, file: Path) -> None:
        """A gradebook of Canvas is a roster without its rows that are nobody's, its own test student's among them."""
        assert [
            Person("501", "Moreau, Chloé", frozenset({"U0501", "cmoreau"})),
        ] == read(file, CANVAS)

    def test_of_the_name_of_the_test_student(self, file: Path) -> None:
        """Elsewhere somebody may be called so."""
        assert [Person("1", "Student, Test")] == read(file, 'id,name\n1,"Student, Test"\n')

    def test_moodle(self, file: Path) -> None:
        """So is a worksheet of Moodle: the participant's number is the id, as in its downloads."""
        assert [
            Person("9001", "Chloé Moreau", frozenset({"Participant 9001", "chloe@example.org"})),
            Person("9002", "Dan O'Neil", frozenset({"Participant 9002", "dan@example.org"})),
        ] == read(file, MOODLE)

    def test_gradescope(self, file: Path) -> None:
        """And a roster of Gradescope."""
        assert [Person("U0501", "Chloé Moreau", frozenset({"chloe@example.org"}))] == read(file, GRADESCOPE)

    def test_classroom(self, file: Path) -> None:
        """And one of GitHub Classroom."""
        assert [Person("U0501", "", frozenset({"cmoreau", "77"}))] == read(file, CLASSROOM)

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)  # each writes the file anew
    @given(
        st.lists(
            st.tuples(st.text(st.characters(codec="utf-8"), min_size=1), st.text(st.characters(codec="utf-8"))),
            min_size=1,
            unique_by=lambda row: row[0].strip(),
        ).filter(lambda rows: all(row[0].strip() for row in rows)),
        st.sampled_from([",", ";", "\t"]),
        st.booleans(),
    )
    def test_whatever_people_are_called(
        self,
        file: Path,
        rows: list[tuple[str, str]],
        delimiter: str,
        mark: bool,  # noqa: FBT001  # drawn by Hypothesis
    ) -> None:
        """Commas, quotes, line ends, formulas and marks are read as they were written, but for spaces around them."""
        stream = io.StringIO(newline="")
        csv.writer(stream, delimiter=delimiter).writerows([("student", "name"), *rows])
        people = read(file, "\ufeff" * mark + stream.getvalue())

        assert [(each.strip(), name.strip()) for each, name in rows] == [(each.id, each.name) for each in people]

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (
                "name,group\nAda,1\n",
                r"line 1: no column says who a student is; name one 'student' or 'id'; its",
            ),
            ("student,name\nada,A\nbo,B\nada,C\n", r"line 4: student 'ada' is there already, on line 2; remove one\."),
            ("student,name\n,A\n", r"line 2: no student; say who the student is, or remove the line\."),
            ("student,name\nada,Lovelace, Ada\n", r"line 2: has 3 cells and the header 2; put quotation marks"),
            ("student\n", r"roster\.csv holds no student; write a line for each below the header\."),
            ("student\n" + "x" * 10 * 1024 * 1024, r"roster\.csv is larger than 10 MiB"),
        ],
    )
    def test_refused(self, file: Path, text: str, said: str) -> None:
        """What cannot be used is told with the line and the next step."""
        with pytest.raises(SubmissionError, match=said):
            read(file, text)


class TestFinding:
    """Whom an identifier means."""

    ADA = Person("ada", "Ada", frozenset({"Ada@X.org", "5", "shared"}))
    BO = Person("5", "Bo", frozenset({"bo@x.org", "shared", "Noe\u0308l"}))
    ADA2 = Person("ADA", "Another", frozenset({"ada2", "STRASSE"}))
    ROSTER = Roster("roster.csv", (ADA, BO, ADA2), (2, 3, 7))

    @pytest.mark.parametrize(
        ("identifier", "expected"),
        [
            ("ada", ADA),
            ("ADA", ADA2),
            ("5", BO),
            ("Ada@X.org", ADA),
            ("ada@x.ORG", ADA),
            ("no\u00ebl", BO),
            ("straße", ADA2),
            ("Ada ", None),
            ("", None),
            ("Bo", None),
        ],
    )
    def test_find(self, identifier: str, expected: Person | None) -> None:
        """An id comes first, then an alias, then either in other capitals or another Unicode form; names never."""
        assert expected == self.ROSTER.find(identifier)

    @pytest.mark.parametrize(
        ("identifier", "lines"), [("shared", "2 and 3"), ("Shared", "2 and 3"), ("Ada", "2 and 7")]
    )
    def test_ambiguous(self, identifier: str, lines: str) -> None:
        """Nobody is guessed at."""
        with pytest.raises(
            SubmissionError, match=rf"roster\.csv: '{identifier}' may mean the students on lines {lines}; give each"
        ):
            self.ROSTER.find(identifier)

    def test_people(self) -> None:
        """A roster is its people, in order."""
        assert ([self.ADA, self.BO, self.ADA2], 3) == (list(self.ROSTER), len(self.ROSTER))
