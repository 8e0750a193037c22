"""Names of report files."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.reports.file_names import junit_file_name, page_file_name

if TYPE_CHECKING:
    from pathlib import Path

IDS = st.text(st.characters()) | st.text("aAéE.-_~/\0\u0301\ufb01", max_size=4) | st.text(min_size=100)


@pytest.mark.parametrize("student", ["anna", "007", "anna.m@uni.example", "x_y-z", "a" * 180])
def test_plain_ids_stay_as_they_are(student: str) -> None:
    """An id of lower-case ASCII letters, digits and a few marks is found again by its name."""
    assert f"{student}.pow_relu.xml" == junit_file_name(student, "pow_relu")


@pytest.mark.parametrize(
    ("student", "readable"),
    [
        ("Anna", "Anna"),
        ("Müller, Jr.", "Muller_Jr."),
        ("../x", "_x"),
        ("-rf", "rf"),
        (".hidden", "hidden"),
        ("two\nlines", "two_lines"),
        ("=1+1", "_1_1"),
        ("\udcff", "_"),
        ("", "_"),
        ("x" * 300, "x" * 80),
        ("é" * 100, "e" * 80),
        ("Zoë 名前", "Zoe_"),
        ("名" * 100, "_"),
    ],
)
def test_other_ids_stay_readable_and_get_a_hash(student: str, readable: str) -> None:
    """What should not stand in a file name is replaced, and a hash of the ids keeps the name apart."""
    assert re.fullmatch(re.escape(readable) + r"\.pow_relu~[0-9a-f]{12}\.xml", junit_file_name(student, "pow_relu"))


@given(st.lists(st.tuples(IDS, IDS), min_size=2, max_size=5, unique=True))
@example([("Anna", "x"), ("anna", "x"), ("ANNA", "x")])
@example([("\xe9", "x"), ("e\u0301", "x"), ("É", "x")])
@example([("a.b", "c"), ("a", "b.c")])
@example([("\U0001f600", "x"), ("\ud83d\ude00", "x")])
@example([("a" * 300, "x"), ("a" * 301, "x")])
def test_no_two_pairs_share_a_name(pairs: list[tuple[str, str]]) -> None:
    """Names differ wherever ids do, on file systems, too, that ignore case or the form of Unicode."""
    names = [junit_file_name(student, exercise) for student, exercise in pairs]

    assert len(pairs) == len({unicodedata.normalize("NFKD", name.casefold()) for name in names})


@given(IDS, IDS)
@example("-rf", "x")
@example("...", "...")
def test_every_name_is_safe(student: str, exercise: str) -> None:
    """A name is one visible file, no option, ASCII, and short enough for every file system."""
    name = junit_file_name(student, exercise)

    assert name == junit_file_name(student, exercise)
    assert name.isascii()
    assert name.isprintable()
    assert not set(name) & set("/\\:*?\"'<>|$` ")
    assert name[0] not in ".-~"
    assert name.endswith(".xml")
    assert len(name.encode("utf-8")) <= 200


@given(st.lists(IDS, min_size=2, max_size=5, unique=True))
@example(["Anna", "anna", "ANNA"])
@example(["a" * 195, "a" * 196])
def test_pages_are_named_by_the_same_rules(students: list[str]) -> None:
    """A student's page has the student's id for a name, where that is plain, and else one that is as safe."""
    names = [page_file_name(student) for student in students]

    assert len(students) == len({name.casefold() for name in names})
    for student, name in zip(students, names, strict=True):
        assert name == f"{student}.html" or re.fullmatch(r"[\w@][\w.@-]{0,79}~[0-9a-f]{12}\.html", name, re.ASCII)
        assert len(name) <= 200


@given(IDS.filter(lambda text: "\0" not in text))
def test_a_file_system_takes_every_name(tmp_path_factory: pytest.TempPathFactory, student: str) -> None:
    """A file of the name can be written, and is found under that name."""
    folder: Path = tmp_path_factory.mktemp("junit")
    name = junit_file_name(student, "pow_relu")
    (folder / name).write_bytes(b"")

    assert [name] == [file.name for file in folder.iterdir()]
