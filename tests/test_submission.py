"""A submission is what was handed in, read once and up to a bound, with what it may import from beside it."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.intake import File
from grader.submission import Part, Submission, make_submission, read_submission
from tests.arrivals import POW, as_folder, notebook

MIB = 1 << 20


def siblings(submission: Submission) -> dict[str, bytes]:
    """What may be imported from beside a submission."""
    return {part.name: part.source for part in submission.siblings}


class TestOneFile:
    """A file that a student checks."""

    def test_may_have_any_name(self, tmp_path: Path) -> None:
        """It is taken for what the exercise asks for, whose name is its module's."""
        as_folder(tmp_path, {"na\udcefve.py": b"x = 1\n"})

        assert Submission("me", "pow", "value.py", b"x = 1\n") == read_submission(tmp_path / "na\udcefve.py", POW, "me")

    @pytest.mark.parametrize("name", ["value.ipynb", "Untitled1.IPYNB"])
    def test_may_be_a_notebook(self, tmp_path: Path, name: str) -> None:
        """Which is told by its name."""
        as_folder(tmp_path, {name: notebook("x = 1", "x")})
        submission = read_submission(tmp_path / name, POW, "me")

        assert Submission("me", "pow", "value.ipynb", b"", cells=("x = 1", "x")) == submission
        assert (Part("cell 1", b"x = 1"), Part("cell 2", b"x")) == submission.parts

    def test_may_have_a_problem(self, tmp_path: Path) -> None:
        """Then it keeps its own name, which the problem is about."""
        as_folder(tmp_path, {"mine.ipynb": b"x = 1", "mine.py": b"#" * (MIB + 1)})
        submissions = [read_submission(tmp_path / name, POW, "me") for name in ("mine.ipynb", "mine.py")]

        assert ["is no notebook: line 1 is not JSON", "is larger than 1 MiB"] == [each.problem for each in submissions]
        assert ["mine.ipynb", "mine.py"] == [each.file for each in submissions]
        assert [b"", b""] == [each.source for each in submissions]

    @pytest.mark.parametrize("source", [b"", b"\xff\xfe\0", b"\0" * MIB])
    def test_bytes_are_read_as_they_are(self, tmp_path: Path, source: bytes) -> None:
        """What they mean is for the sandbox to find out; up to 1 MiB is taken."""
        as_folder(tmp_path, {"value.py": source})

        assert source == read_submission(tmp_path / "value.py", POW, "me").source

    def test_that_is_a_device_is_not_opened(self) -> None:
        """Some devices act on being opened."""
        submission = read_submission(Path("/dev/null"), POW, "me")

        assert "is a device, not a regular file" == submission.problem

    @pytest.mark.parametrize(
        ("path", "reason"),
        [("/nowhere/value.py", "No such file or directory"), ("/proc/self/mem", "Input/output error")],
    )
    def test_that_cannot_be_read_is_refused(self, path: str, reason: str) -> None:
        """With the machine's own words."""
        with pytest.raises(SubmissionError) as caught:
            read_submission(Path(path), POW, "me")

        assert f"{path} cannot be read ({reason}); name another file." == str(caught.value)


class TestSiblings:
    """What lies beside a file may be imported, as far as it is the student's own module."""

    @pytest.mark.parametrize("name", ["value.py", "value.ipynb", "mine.py"])
    def test_python_files(self, tmp_path: Path, name: str) -> None:
        """They have names that can be imported, and the submission is none of them."""
        as_folder(tmp_path, {name: notebook("x"), "loss.py": b"1", "graph.py": b"2", "größe.py": b"3"})
        as_folder(
            tmp_path, dict.fromkeys(("notes.txt", "my loss.py", "1.py", "loss.pyc", "loss", ".py", "a.py/b"), b"")
        )

        assert {"graph.py": b"2", "größe.py": b"3", "loss.py": b"1"} == siblings(
            read_submission(tmp_path / name, POW, "me")
        )

    @pytest.mark.parametrize("name", ["mine.py", "mine.ipynb"])
    def test_nothing_is_in_the_submissions_place(self, tmp_path: Path, name: str) -> None:
        """What is taken for `value.py` is the module `value`, whatever else is called that."""
        as_folder(tmp_path, {name: notebook("x"), "value.py": b"another", "mine.py": b"x"})

        assert {} == siblings(read_submission(tmp_path / name, POW, "me"))

    @pytest.mark.parametrize("module", ["math", "json", "random", "conftest", "sitecustomize", "usercustomize"])
    def test_modules_of_python(self, tmp_path: Path, module: str) -> None:
        """What has the name of one, or would be imported by itself, stays out."""
        as_folder(tmp_path, {"value.py": b"", f"{module}.py": b"", "mathematics.py": b""})

        assert {"mathematics.py": b""} == siblings(read_submission(tmp_path / "value.py", POW, "me"))

    def test_what_is_no_file(self, tmp_path: Path) -> None:
        """Nothing is followed or waited for."""
        as_folder(tmp_path, {"value.py": b"", "secret": b"secret"})
        (tmp_path / "link.py").symlink_to("secret")
        os.mkfifo(tmp_path / "pipe.py")

        assert {} == siblings(read_submission(tmp_path / "value.py", POW, "me"))

    def test_what_cannot_be_read(self) -> None:
        """It is said, as of all that stays out, and costs nobody the grade."""

        def refuse(_: int) -> bytes:
            raise PermissionError(errno.EACCES, "Permission denied")

        beside = {name: File(name, f"ann/{name}", refuse) for name in ("loss.py", "math.py")}
        submission, left_out = make_submission("ann", POW, File("value.py", "ann/value.py", lambda _: b""), beside)

        assert () == submission.siblings
        assert {
            "loss.py": "cannot be read: Permission denied",
            "math.py": "is not imported: Python has a module math of its own",
        } == left_out

    def test_how_many(self, tmp_path: Path) -> None:
        """Twenty are read, in the order of their names."""
        as_folder(tmp_path, {"value.py": b""} | {f"m{number:02}.py": b"" for number in range(25)})

        assert [f"m{number:02}.py" for number in range(20)] == [
            *siblings(read_submission(tmp_path / "value.py", POW, "me"))
        ]

    def test_how_much(self, tmp_path: Path) -> None:
        """They hold 1 MiB together."""
        sizes = {"a": MIB // 2, "b": MIB // 2 + 1, "c": MIB // 2, "d": 1, "e": 0, "f": MIB + 1}
        as_folder(tmp_path, {"value.py": b""} | {f"{name}.py": b"#" * size for name, size in sizes.items()})

        assert ["a.py", "c.py", "e.py"] == [*siblings(read_submission(tmp_path / "value.py", POW, "me"))]


class TestTheDigest:
    """What tells submissions apart."""

    def test_depends_on_what_was_handed_in_alone(self) -> None:
        """Two students with the same file have the same digest."""
        digest = Submission("ann", "pow", "value.py", b"x").digest

        assert re.fullmatch("[0-9a-f]{64}", digest)
        assert digest == Submission("bob", "fit", "value.py", b"x", partners=("cy",)).digest

    def test_text_that_is_none(self) -> None:
        """Whatever a student managed to get into a text, there is a digest, so that there is a grade."""
        odd = [
            Submission("ann", "pow", "\ud800", b""),
            Submission("ann", "pow", "value.py", b"", "\ud800"),
            Submission("ann", "pow", "value.ipynb", b"", cells=("\ud800",)),
            Submission("ann", "pow", "value.py", b"", siblings=(Part("\ud800", b""),)),
        ]

        assert 4 == len({submission.digest for submission in odd})

    def test_everything_that_runs(self) -> None:
        """The digest tells apart what differs in its cells, its siblings, or where one ends and the next begins."""
        variants = [
            Submission("ann", "pow", "value.py", b"x"),
            Submission("ann", "pow", "value.py", b"x", siblings=(Part("loss.py", b"y"),)),
            Submission("ann", "pow", "value.py", b"x", siblings=(Part("loss.py", b"z"),)),
            Submission("ann", "pow", "value.py", b"x", siblings=(Part("loss.pyz", b""),)),
            Submission("ann", "pow", "value.py", b"", cells=("x",)),
            Submission("ann", "pow", "value.py", b"", cells=("x", "y")),
            Submission("ann", "pow", "value.py", b"", cells=("xy",)),
            Submission("ann", "pow", "value.py", b"", cells=("x", "y", "")),
        ]

        assert len(variants) == len({variant.digest for variant in variants})

    @given(
        st.lists(st.tuples(st.text(st.characters(codec="ascii", exclude_characters="\0")), st.binary()), unique=True)
    )
    def test_differs_with_name_and_bytes(self, files: list[tuple[str, bytes]]) -> None:
        """No two files share one, nor does a problem share one with an empty file."""
        submissions = [Submission("ann", "pow", name, source) for name, source in files]
        submissions += [Submission("ann", "pow", name, b"", "is a folder") for name in {name for name, _ in files}]

        assert len(submissions) == len({submission.digest for submission in submissions})
