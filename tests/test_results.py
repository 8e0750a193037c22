"""What a batch writes is there whole or not at all."""

from __future__ import annotations

import csv
import json
import os
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from grader.errors import GraderError
from grader.results import Results, write
from grader.verdict import Absent, Ungraded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from grader.exercise import Exercise
    from grader.verdict import Report
    from tests.conftest import Judge, TinyCourse


@pytest.fixture
def exercise(course: TinyCourse) -> Exercise:
    """Two public checks."""
    return course.exercise()


@pytest.fixture
def report(exercise: Exercise, course: TinyCourse, judge: Judge) -> Report:
    """Ada's report."""
    return judge(exercise, course.wrong)


def files(folder: Path) -> list[str]:
    """All files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_files(tmp_path: Path, exercise: Exercise, report: Report) -> None:
    """Each submission has a JUnit file, graded or not, and each student a page; others are about everybody."""
    results = Results(tmp_path / "a" / "new" / "folder")
    blaise = Ungraded("blaise", "tiny", "the engine was out")
    results.write([report, blaise, Absent("carl", "tiny")], [exercise], {"ada": "Ada Lovelace"})
    junit = etree.parse(results.folder / "junit" / "ada.tiny.xml")
    record = json.loads((results.folder / "results.json").read_text(encoding="utf-8"))
    with (results.folder / "xp.csv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))

    batch = etree.parse(results.folder / "junit.xml")
    summary = (results.folder / "summary.md").read_text(encoding="utf-8")

    page = (results.folder / "pages" / "ada.html").read_text(encoding="utf-8")

    of_all = ["class.html", "junit.xml", "results.json", "summary.md", "xp.csv"]
    pages = ["pages/ada.html", "pages/blaise.html", "pages/carl.html"]
    assert sorted(["junit/ada.tiny.xml", "junit/blaise.tiny.xml", *pages, *of_all]) == files(results.folder)
    assert "Feedback for <bdi>ada (Ada Lovelace)" in page
    assert "ada (Ada Lovelace)" in (results.folder / "class.html").read_text(encoding="utf-8")
    assert "| `ada (Ada Lovelace)` |" in summary
    assert ["Ada Lovelace", "", ""] == [row["name"] for row in rows]
    assert 'href="pages/carl.html"' in (results.folder / "class.html").read_text(encoding="utf-8")
    assert ["check_value", "check_relu"] == [case.get("name") for case in junit.iter("testcase")]
    assert ["graded", "ungraded", "absent"] == [outcome["state"] for outcome in record["outcomes"]]
    assert ["ada.tiny", "blaise.tiny", "carl.tiny"] == [suite.get("name") for suite in batch.iter("testsuite")]
    assert "| `carl` | absent |" in summary
    assert [("ada", str(report.xp)), ("blaise", ""), ("carl", "")] == [(row["student"], row["xp"]) for row in rows]


def test_modes(tmp_path: Path, exercise: Exercise, report: Report) -> None:
    """Nobody else on the machine may read what is about everybody; a student's file has the mode of any new file."""
    Results(out := tmp_path / "out").write([report], [exercise])
    modes = {path.name: path.stat().st_mode & 0o777 for path in out.rglob("*") if path.is_file()}
    (tmp_path / "new").touch()

    shared = dict.fromkeys(("ada.tiny.xml", "ada.html"), (tmp_path / "new").stat().st_mode & 0o777)
    of_all = ("class.html", "junit.xml", "results.json", "summary.md", "xp.csv")
    assert shared | dict.fromkeys(of_all, 0o600) == modes


def test_earlier_run(tmp_path: Path, exercise: Exercise, report: Report) -> None:
    """The results of an earlier run are replaced; what else is in the folder stays."""
    Results(out := tmp_path / "out").write([report], [exercise])
    (out / "course.secret").write_text("mine")
    (out / "junit" / "notes.txt").write_text("mine too")
    Results(out).write([Absent("carl", "tiny")], [exercise])

    kept = ["course.secret", "junit/notes.txt"]
    of_all = ["class.html", "junit.xml", "results.json", "summary.md", "xp.csv"]
    assert sorted([*kept, *of_all, "pages/carl.html"]) == files(out)


def test_no_half_files(tmp_path: Path) -> None:
    """A file that is written again replaces the one before in one step, and leaves nothing beside it."""
    path = tmp_path / "file"
    write(path, ["bef", "ore"])
    before = path.stat().st_ino
    write(path, ["after"])

    assert ["file"] == files(tmp_path)
    assert "after" == path.read_text()
    assert before != path.stat().st_ino


def test_a_fault_on_the_way(tmp_path: Path) -> None:
    """Where what is to be written cannot be made, the file stays as it was, and nothing lies beside it."""

    def pieces() -> Iterator[str]:
        yield "after"
        raise GraderError("The engine is gone.")

    write(path := tmp_path / "file", ["before"])
    with pytest.raises(GraderError, match="The engine is gone"):
        write(path, pieces())

    assert ["file"] == files(tmp_path)
    assert "before" == path.read_text()


def test_two_at_once(tmp_path: Path) -> None:
    """Of two that write the same file at the same time, each has its whole text there, the later one's at last."""
    seen: list[str] = []

    def pieces() -> Iterator[str]:
        yield "sl"
        write(path, ["fast"])
        seen.append(path.read_text())
        yield "ow"

    write(path := tmp_path / "file", pieces())

    assert ["fast", "slow"] == [*seen, path.read_text()]
    assert ["file"] == files(tmp_path)


def test_links_are_not_followed(tmp_path: Path) -> None:
    """A link in a file's place is replaced, and what it leads to stays as it was."""
    (tmp_path / "elsewhere").write_text("mine")
    (tmp_path / "file").symlink_to("elsewhere")
    write(tmp_path / "file", ["ours"])

    assert ("mine", "ours") == ((tmp_path / "elsewhere").read_text(), (tmp_path / "file").read_text())


def test_something_in_the_way(tmp_path: Path, exercise: Exercise, report: Report) -> None:
    """What lies where files of an earlier run would, and is no file, is named."""
    results = Results(tmp_path)
    (tmp_path / "junit" / "x.xml").mkdir()
    with pytest.raises(GraderError, match=r"junit/x\.xml cannot be removed: Is a directory; remove it, or name anot"):
        results.write([report], [exercise])


@pytest.mark.parametrize("place", ["file/out", "file"])
def test_no_folder(tmp_path: Path, place: str) -> None:
    """A folder that cannot be made is refused with its name and the reason."""
    (tmp_path / "file").write_text("")

    with pytest.raises(GraderError, match=r"/file.* cannot be written: .*; name another folder"):
        Results(tmp_path / place)


def test_cannot_be_written(tmp_path: Path) -> None:
    """So is a file that cannot be written."""
    (tmp_path / "file").mkdir()

    with pytest.raises(GraderError, match=r"file cannot be written: Is a directory; make room, or name"):
        write(tmp_path / "file", ["text"])


def test_odd_names(tmp_path: Path, exercise: Exercise) -> None:
    """Whatever a student is called, the files stay in their folders, and no two students share one."""
    names = ["../../x", "a/b", "-rf", "ADA", "ada", "x" * 300, "Müller, Jr.", ".", "a\nb", "\x00", "\udcff"]
    Results(tmp_path / "out").write([Ungraded(name, "tiny", "why not") for name in names], [exercise])
    found = [os.path.dirname(name) for name in files(tmp_path / "out")]  # noqa: PTH120  # a text, not a path

    assert {"": 5, "junit": len(names), "pages": len(names)} == Counter(found)
