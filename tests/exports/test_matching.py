"""Each student's row is found, or nobody's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.exports.matching import Matching, match
from grader.roster import Kind, Person, Roster, read_roster

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


KINDS = {"ID": (Kind.CANVAS,), "SIS User ID": (Kind.NUMBER,), "SIS Login ID": (Kind.LOGIN, Kind.EMAIL)}


def roster(*people: Person) -> Roster:
    """A roster of some people."""
    return Roster("roster.csv", people, tuple(range(2, 2 + len(people))))


def rows(students: Sequence[str], keys: Sequence[str], people: Roster | None = None) -> dict[str, int]:
    """The rows that are found by one column."""
    return dict(match(students, {"ID": keys}, KINDS, people).rows)


def test_by_the_column_that_finds_most() -> None:
    """One column serves for all, so a number that means somebody else in another column does no harm."""
    columns = {"ID": ("1", "2", "3"), "SIS User ID": ("7", "8", "1"), "SIS Login ID": ("a", "b", "c")}

    assert Matching("ID", {"1": 0, "2": 1}) == match(["1", "2", "9"], columns, KINDS, None)
    assert Matching("SIS User ID", {"7": 0, "8": 1, "1": 2}) == match(["1", "7", "8"], columns, KINDS, None)
    assert Matching("ID", {"1": 0}) == match(["1"], columns, KINDS, None)
    assert Matching("ID", {}) == match(["x"], columns, KINDS, None)


def test_by_the_roster() -> None:
    """The roster tells by what else a student is known; a student's own id comes first."""
    people = roster(Person("ada", "", frozenset({"501", "U1"})), Person("bo", "", frozenset({"502"})))

    assert {"ada": 0, "bo": 1} == rows(["ada", "bo", "cy"], ["501", "502", "503"], people)
    assert {"U1": 0} == rows(["U1"], ["501"], people)
    assert {"ada": 1} == rows(["ada"], ["501", "ada"], people)


def test_capitals_and_unicode_forms() -> None:
    """Names that differ in nothing else are the same, unless both are there."""
    assert {"Ada@x.org": 0, "e\u0301": 1} == rows(["Ada@x.org", "e\u0301"], ["ada@X.org", "\u00e9"])
    assert {"ada": 1, "ADA": 0} == rows(["ada", "ADA"], ["ADA", "ada"])
    assert {"ada": 0} == rows(["ada", "ADA"], ["ada"])


def test_nobody_is_guessed_at() -> None:
    """A student with two rows has none, and so has a row with two students."""
    twins = roster(Person("ada", "", frozenset({"adal", "501"})))

    assert {} == rows(["5"], ["5", "5"])
    assert {} == rows(["ada", "adal"], ["501"], twins)
    assert {} == rows(["ada", "ADA"], ["Ada"])
    assert {} == rows(["ada"], ["adal", "501"], twins)
    assert {} == rows([""], [""])


def test_columns_of_another_kind(tmp_path: Path) -> None:
    """What a student is called on one platform is no identifier of another's, so nobody gets a grade by it."""
    path = tmp_path / "roster.csv"
    path.write_text("student,github,canvas_id\nzoe,cmoreau,\neve,501,502\nbob,bob,503\n777,max,501\n")
    people = read_roster(path)

    assert {"eve": 1, "bob": 2, "777": 0} == rows(["bob", "eve", "zoe", "777"], ["501", "502", "503", "777"], people)
    assert {} == rows(["501x"], ["501x"], people)
    path.write_text("canvas_id,github\n501,502\n")
    assert {"501": 0, "502x": 2} == rows(["501", "502x"], ["501", "502", "502x"], read_roster(path))


def test_logins_that_are_addresses(tmp_path: Path) -> None:
    """A login may be an e-mail address, where the roster has none."""
    path = tmp_path / "roster.csv"
    path.write_text("student,email,login\n1,a@x.org,a\n2,b@x.org,\n")
    columns = {"SIS Login ID": ["a@x.org", "a", "b@x.org"]}

    assert {"1": 1, "2": 2} == match(["1", "2"], columns, KINDS, read_roster(path)).rows


def test_ambiguous_roster() -> None:
    """A student who could be two people of the roster is told."""
    people = roster(Person("ada", "", frozenset({"x"})), Person("bo", "", frozenset({"x"})))

    with pytest.raises(SubmissionError, match="'x' may mean the students on lines 2 and 3"):
        rows(["x"], ["x"], people)


NAMES = st.sampled_from(["a", "A", "b", "é", "e\u0301", "É", "5", ""])


@given(st.lists(NAMES, unique=True), st.lists(NAMES))
def test_no_row_is_two_students(students: list[str], keys: list[str]) -> None:
    """Whatever the names, no two students have one row, and a row that is found says the student's name."""
    found = rows(students, keys)

    assert len(set(found.values())) == len(found)
    assert all(keys[row].casefold()[:1] in {student.casefold()[:1], "é", "e"} for student, row in found.items())
    assert all(student in found for student in students if student and keys.count(student) == 1)
