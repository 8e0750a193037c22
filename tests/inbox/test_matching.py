"""A file is for the exercise that its name says, or nearly says, or its contents say; what is doubtful is marked."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.inbox import InboxOptions, read_inbox
from grader.inbox.attempts import is_litter
from grader.inbox.matching import allowance_of_a_student, match
from grader.intake import File, Folder
from tests.arrivals import FIT, POW, as_folder, doubts, exercise, handed_in, ignored, notebook, problems, zipped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from grader.exercise import Exercise
    from grader.inbox import Inbox

X = b"x = 1\n"
VALUE = b"import math\r\n\r\nclass  Value(object):\r\n    pass\r\n"
LINE_FIT = exercise("line_fit", "line_fit.py")


def sort(root: Path, files: Mapping[str, bytes], *exercises: Exercise, others: Sequence[Exercise] = ()) -> Inbox:
    """What comes of the files of one student, who is called ann."""
    as_folder(root, {f"ann/{name}": data for name, data in files.items()} | {"bob/": b""})
    return read_inbox(root, exercises, InboxOptions(others=tuple(others)))


def taken(inbox: Inbox) -> dict[str, str]:
    """What is taken for each exercise."""
    return {exercise: path.removeprefix("ann/") for (_, exercise), path in handed_in(inbox).items()}


class TestNames:
    """A name is right, or nearly."""

    @pytest.mark.parametrize("name", ["value.py", "value.ipynb"])
    def test_right(self, tmp_path: Path, name: str) -> None:
        """As the exercise asks for it, or as a notebook."""
        inbox = sort(tmp_path, {name: notebook("x")}, POW, FIT)

        assert {"pow": name} == taken(inbox)
        assert {} == doubts(inbox)

    @pytest.mark.parametrize(
        "name",
        [
            *("Value.py", "VALUE.PY", "value.IPYNB", "\uff56alue.py", " value .py", "value (1).py", "value(12).ipynb"),
            *("value-1.py", "value-2 (1).py", "value_3.py", "value copy.py", "value - Copy.py", "value - Copy (2).py"),
            *(
                "Copy of value.py",
                "copy_of_value.ipynb",
                "lovelace_value.py",
                "Ada Lovelace - value.py",
                "hw1_value-1.py",
            ),
        ],
    )
    def test_nearly_right(self, tmp_path: Path, name: str) -> None:
        """It is used, and marked."""
        inbox = sort(tmp_path, {name: notebook("x")}, POW, FIT)

        assert {"pow": name} == taken(inbox)
        assert {f"ann/{name}": "is taken for value.py by its name"} == doubts(inbox)
        assert ("value.ipynb" if name.lower().endswith("ipynb") else "value.py") == inbox.submissions[0].file
        assert (f"{name} is taken for value.py by its name.",) == inbox.origins[0].notes

    @pytest.mark.parametrize(
        ("name", "file"),
        [
            *(("value.py.txt", "value.py"), ("Value (1).PY.TXT", "value.py"), ("value.py.json", "value.py")),
            *(("value.ipynb.json", "value.ipynb"), ("value.ipynb.txt", "value.ipynb")),
        ],
    )
    def test_hung_on(self, tmp_path: Path, name: str, file: str) -> None:
        """So is one to whose name a system added what it is to the system."""
        inbox = sort(tmp_path, {name: notebook("x"), "notes.txt": X}, POW, FIT)

        assert {f"ann/{name}": "is taken for value.py by its name"} == doubts(inbox)
        assert (file, "") == (inbox.submissions[0].file, inbox.submissions[0].problem)
        assert bool(inbox.submissions[0].cells) == (file == "value.ipynb")

    def test_hung_on_beside(self, tmp_path: Path) -> None:
        """A file that is named as asked for is better."""
        assert {"pow": "value.ipynb"} == taken(sort(tmp_path, {"value.ipynb": notebook("x"), "value.py.txt": X}, POW))

    @pytest.mark.parametrize(
        "name",
        ["values.py", "value2.py", "test_value.py", "my_test_value.py", "value.txt", "value.pyc", "avalue.py", "value"],
    )
    def test_wrong(self, tmp_path: Path, name: str) -> None:
        """Anything else is not enough."""
        assert {} == taken(sort(tmp_path, {name: X}, POW, FIT))

    def test_right_of_another(self, tmp_path: Path) -> None:
        """A name that is right for one exercise is not nearly right for another."""
        inbox = sort(tmp_path, {"line_fit.py": X}, FIT, LINE_FIT)

        assert {"line_fit": "line_fit.py"} == taken(inbox)

    def test_nearly_right_for_two(self, tmp_path: Path) -> None:
        """The longer name is meant."""
        assert {"line_fit": "Line-Fit (1).py"} == taken(sort(tmp_path, {"Line-Fit (1).py": X}, FIT, LINE_FIT))

    def test_hyphens_are_underscores(self, tmp_path: Path) -> None:
        """Neither is easy to tell from a space."""
        assert {"line_fit": "line fit.py"} == taken(sort(tmp_path, {"line fit.py": X}, LINE_FIT))

    def test_not_asked_for(self, tmp_path: Path) -> None:
        """The file of an exercise that is not asked for is that, and nothing else."""
        inbox = sort(tmp_path, {"fit.py": X, "line_fit (1).py": X}, POW, others=[FIT, LINE_FIT])

        assert {} == taken(inbox)
        assert {"ann/fit.py": "is for fit", "ann/line_fit (1).py": "is for line_fit"} == ignored(inbox)


class TestRivals:
    """Of several files the best is used, and the others are named."""

    @pytest.mark.parametrize(
        ("best", "other"),
        [
            ("value.py", "value.ipynb"),
            ("value.py", "value (1).py"),
            ("value.ipynb", "Value.py"),
            ("deep/value.py", "value-1.py"),
            ("value.ipynb", "deep/value.py"),
            ("a/value.py", "a/b/value.py"),
            ("pow/value.py", "a/value.py"),
            ("value (1).py", "value (1).ipynb"),
            ("value-1.py", "value.py/"),
            ("value.ipynb", "value.py/x.txt"),
        ],
    )
    def test_best(self, tmp_path: Path, best: str, other: str) -> None:
        """It has the right name, lies on top, lies in the exercise's folder, and is a Python file, in this order."""
        inbox = sort(tmp_path, {best: notebook("x"), other: notebook("x")}, POW, FIT)
        rival = other.removesuffix("/").removesuffix("/x.txt")

        assert {"pow": best} == taken(inbox)
        assert {""} == set(problems(inbox).values())
        assert f"is not used: ann/{best} is" == ignored(inbox)[f"ann/{rival}"]

    def test_as_good(self, tmp_path: Path) -> None:
        """Where nothing tells them apart, that is marked."""
        inbox = sort(tmp_path, {"a/value.py": X, "b/value.py": X}, POW)

        assert {"ann/a/value.py": "is taken for value.py, as ann/b/value.py could be"} == doubts(inbox)


class TestContents:
    """A file of no name is for the exercise whose classes it defines."""

    @pytest.mark.parametrize("data", [VALUE, b"class Value: pass", b"class\tValue:\n", b"\xff\nclass Value:\n"])
    def test_python(self, tmp_path: Path, data: bytes) -> None:
        """It is not parsed, but looked through."""
        inbox = sort(tmp_path, {"hw1.py": data, "other.py": X}, POW, FIT)

        assert {"pow": "hw1.py"} == taken(inbox)
        assert {"ann/hw1.py": "is taken for value.py because it defines Value"} == doubts(inbox)
        assert data == inbox.submissions[0].source
        assert ["other.py"] == [part.name for part in inbox.submissions[0].siblings]

    def test_notebook(self, tmp_path: Path) -> None:
        """So are the cells of a notebook."""
        inbox = sort(tmp_path, {"Untitled.ipynb": notebook("x = 1", "class Value:\n    pass")}, POW, FIT)

        assert {"pow": "Untitled.ipynb"} == taken(inbox)
        assert "value.ipynb" == inbox.submissions[0].file

    @pytest.mark.parametrize(
        "data",
        [b"", b"class Values: pass", b"    class Value: pass", b"# class Value", b"class Value" * 100_000, b"{}"],
    )
    def test_nothing(self, tmp_path: Path, data: bytes) -> None:
        """What does not define them is not it."""
        assert {} == taken(sort(tmp_path, {"hw1.py": data, "hw1.ipynb": data, "x.py": X}, POW, FIT))

    def test_all_names(self, tmp_path: Path) -> None:
        """All that the exercise asks for must be there."""
        layers = exercise("layers", "nn.py", Layer=(), MLP=())
        files = {"a.py": b"class Layer: 1\nclass MLP: 2\n", "b.py": b"class MLP: 2\n"}

        assert {"layers": "a.py"} == taken(sort(tmp_path, files, layers, FIT))

    def test_two_exercises(self, tmp_path: Path) -> None:
        """What could be for two exercises is for neither."""
        assert {} == taken(sort(tmp_path, {"hw1.py": VALUE}, POW, exercise("chain", "chain.py", Value=())))

    def test_not_asked_for(self, tmp_path: Path) -> None:
        """Nor is it what could be for one that is not asked for."""
        other = exercise("chain", "chain.py", Value=())

        assert {} == taken(sort(tmp_path, {"hw1.py": VALUE, "x.py": X}, POW, others=[other]))

    def test_claimed(self, tmp_path: Path) -> None:
        """A file whose name says what it is for is for nothing else."""
        assert {"fit": "fit.py"} == taken(sort(tmp_path, {"fit.py": VALUE}, POW, FIT))

    def test_several(self, tmp_path: Path) -> None:
        """Of several the best is used."""
        inbox = sort(tmp_path, {"b.py": VALUE, "a.ipynb": notebook("class Value: 1"), "c.py": VALUE}, POW, FIT)

        assert {"pow": "b.py"} == taken(inbox)
        assert "is not used: ann/b.py is" == ignored(inbox)["ann/a.ipynb"]

    def test_how_many(self, tmp_path: Path) -> None:
        """Only so many are looked through."""
        assert {} == taken(sort(tmp_path, {f"a{number:02}.py": X for number in range(10)} | {"b.py": VALUE}, POW, FIT))


class TestTheOnlyFile:
    """If there is one exercise, and one file, the file is for the exercise."""

    @pytest.mark.parametrize("name", ["hw1.py", "Untitled.ipynb", "deep/solution.py"])
    def test_any_name(self, tmp_path: Path, name: str) -> None:
        """Whatever its name."""
        inbox = sort(tmp_path, {name: notebook("x"), "notes.txt": X}, POW)

        assert {"pow": name} == taken(inbox)
        assert {f"ann/{name}": "is taken for value.py because it is the only file"} == doubts(inbox)

    @pytest.mark.parametrize("files", [{"a.py": X, "b.py": X}, {"a.py": X, "a.ipynb": X}, {"notes.txt": X}, {}])
    def test_not_the_only_one(self, tmp_path: Path, files: Mapping[str, bytes]) -> None:
        """Of several nobody knows."""
        assert {} == taken(sort(tmp_path, files, POW))

    def test_several_exercises(self, tmp_path: Path) -> None:
        """Nor if there are several exercises."""
        assert {} == taken(sort(tmp_path, {"hw1.py": X}, POW, FIT))


class TestArchives:
    """What a student packed is unpacked, once."""

    def test_opened(self, tmp_path: Path) -> None:
        """Where something is missing outside."""
        inner = {"hw/fit.py": b"inner", "hw/loss.py": b"loss", "hw/value.py": b"inner", "hw/notes.txt": X}
        inbox = sort(tmp_path, {"value.py": b"outer", "all.zip": zipped(inner)}, POW, FIT)

        assert {"pow": "value.py", "fit": "all.zip/hw/fit.py"} == taken(inbox)
        assert [b"outer", b"inner"] == [each.source for each in inbox.submissions]
        assert ["loss.py", "value.py"] == [part.name for part in inbox.submissions[1].siblings]
        assert {
            "ann/all.zip/hw/notes.txt": "is not asked for",
            "ann/all.zip/hw/value.py": "is not used: ann/value.py is",
        } == ignored(inbox)

    def test_closed(self, tmp_path: Path) -> None:
        """Where nothing is, it stays closed."""
        inbox = sort(tmp_path, {"value.py": X, "old.zip": b"not even a zip"}, POW)

        assert {"pow": "value.py"} == taken(inbox)
        assert {"ann/old.zip": "is not asked for"} == ignored(inbox)

    def test_in_an_archive(self, tmp_path: Path) -> None:
        """An archive in it stays closed as well."""
        inbox = sort(tmp_path, {"a.zip": zipped({"b.zip": zipped({"value.py": X}), "c.tgz": b""})}, POW, FIT)

        assert {} == taken(inbox)
        assert {"ann/a.zip/b.zip": "is an archive in an archive", "ann/a.zip/c.tgz": "is an archive in an archive"} == (
            ignored(inbox)
        )

    def test_how_many(self, tmp_path: Path) -> None:
        """Three are opened."""
        inbox = sort(tmp_path, {f"{name}.zip": zipped({f"{name}.txt": X}) for name in "abcde"}, POW, FIT)

        assert {
            **{f"ann/{name}.zip/{name}.txt": "is not asked for" for name in "abc"},
            **{f"ann/{name}.zip": "is one archive too many" for name in "de"},
        } == ignored(inbox)

    @pytest.mark.parametrize("name", ["value.zip", "Ada_value (1).tar.gz", "value.rar"])
    def test_broken(self, tmp_path: Path, name: str) -> None:
        """What cannot be opened counts for the exercise that its name says."""
        inbox = sort(tmp_path, {name: b"PK\3\4 and nothing more"}, POW, FIT)

        assert {"pow": name} == taken(inbox)
        assert {"ann": "is damaged, or no archive"} == problems(inbox)

    def test_broken_and_only(self, tmp_path: Path) -> None:
        """Or for the only exercise."""
        inbox = sort(tmp_path, {"all.7z": b"7z\xbc\xaf\x27\x1c" + bytes(100)}, POW)

        assert {"ann": "is an archive of a kind that cannot be read; make it a .zip"} == problems(inbox)

    def test_broken_and_nobodys(self, tmp_path: Path) -> None:
        """Else it is named with all else."""
        assert {"ann/all.zip": "is not asked for"} == ignored(sort(tmp_path, {"all.zip": b"PK\3\4"}, POW, FIT))

    def test_broken_inside(self, tmp_path: Path) -> None:
        """A file that can be read is better than one that cannot, wherever they lie."""
        (tmp_path / "ann").mkdir()
        (tmp_path / "ann" / "value.py").symlink_to("nowhere")
        inbox = sort(tmp_path, {"all.zip": zipped({"value.py": X})}, POW)

        assert {"pow": "all.zip/value.py"} == taken(inbox)

    def test_unreadable(self) -> None:
        """An archive that this machine refuses to read could hold what is missing."""

        def refuse(_: int) -> bytes:
            raise OSError(5, "Input/output error")

        contents = Folder("", "", lambda: {"a.zip": File("a.zip", "ann/a.zip", refuse)})
        with ExitStack() as stack:
            found = match(contents, [POW], (), allowance_of_a_student(), stack)

        assert "ann/a.zip cannot be read: Input/output error." == found.unread


@given(st.text())
def test_any_name_is_for_something_or_nothing(name: str) -> None:
    """Whatever a file is called, it is chosen or named unless a system left it, and nothing fails."""
    contents = Folder("", "", lambda: {name: File(name, name, lambda _: b"")})
    with ExitStack() as stack:
        found = match(contents, [POW, FIT], (), allowance_of_a_student(), stack)

    told = len(found.chosen) + len(found.others([choice.file.path for choice in found.chosen.values()]))
    assert (0 if is_litter(name) else 1) == told
