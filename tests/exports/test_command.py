"""`grader export`: what it writes, what it says, and the exit status."""

from __future__ import annotations

import json
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import pytest

from grader.cli import main
from grader.reports.json_record import to_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.exports.conftest import MakeReport

GRADEBOOK = "Student,ID,Section,Lab 1 (7001)\n    Points Possible,,,25\nMoreau,501,A,3\nNil,509,A,\n"
WORKSHEET = "Identifier,Full name,Grade,Feedback comments\nParticipant 501,Moreau,,\nParticipant 509,Nil,,\n"


@dataclass(frozen=True, slots=True)
class Done:
    """A command that was run: its exit status, and what it printed."""

    status: int
    out: str
    err: str


class Run(Protocol):
    """Runs `grader export` in this process."""

    def __call__(self, *arguments: object) -> Done: ...  # noqa: D102


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """The command line, and what a signal did before it was run."""
    terminate = signal.getsignal(signal.SIGTERM)

    def run(*arguments: object) -> Done:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["grader", "export", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        printed = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Done(left.value.code, printed.out, printed.err)

    yield run
    signal.signal(signal.SIGTERM, terminate)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The file to write."""
    return tmp_path / "out"


@pytest.fixture
def into(tmp_path: Path) -> Path:
    """A gradebook of Canvas."""
    (path := tmp_path / "gradebook.csv").write_text(GRADEBOOK, "utf-8")
    return path


@pytest.fixture
def worksheet(tmp_path: Path) -> Path:
    """A worksheet of Moodle."""
    (path := tmp_path / "worksheet.csv").write_text(WORKSHEET, "utf-8")
    return path


class TestCanvas:
    """`grader export canvas`."""

    def test_filled_in(self, run: Run, results: Path, into: Path, out: Path) -> None:
        """It writes the gradebook with grades, for the user alone, and says what somebody may have to see to."""
        done = run("canvas", results, "--into", into, "-o", out, "--column", "pow=Lab 1 (7001)")

        assert (0, f"Grades are in {out}.\n") == (done.status, done.out)
        assert GRADEBOOK.replace("A,3", "A,25") == out.read_text("utf-8")
        assert 0o600 == out.stat().st_mode & 0o777
        assert done.err.splitlines() == [
            "Grades filled in: 1. Students are known by the column 'ID'.",
            "Nothing was handed in for 1, which stay as they were.",
            "Ungraded, so they stay as they were:",
            "  505: pow: No engine: start Docker.",
            "No row for these students; --roster tells by what else they are known:",
            "  502",
            "  503",
            "No results for these rows:",
            "  line 4: Nil",
            "Other grades replaced:",
            "  line 3: Moreau: 25, of 501, for 3",
        ]

    def test_strict(self, run: Run, results: Path, into: Path, out: Path, make_report: MakeReport) -> None:
        """With --strict the status says whether all were graded and all grades found their row."""
        arguments = ("canvas", results, "--into", into, "-o", out, "--column", "Lab 1 (7001)", "--strict", "--replace")
        before = run(*arguments).status
        (results / "results.json").write_text("".join(to_json([make_report("501", "pow", 7)])), "utf-8")
        after = run(*arguments).status

        assert (1, 0) == (before, after)

    def test_in_place(self, run: Run, results: Path, into: Path) -> None:
        """The platform's file itself is written only with --replace."""
        arguments = ("canvas", results, "--into", into, "-o", into, "--column", "pow=Lab 1 (7001)")
        refused = run(*arguments)

        assert (2, GRADEBOOK) == (refused.status, into.read_text("utf-8"))
        assert f"{into} is there already; name another file, or add --replace." in refused.err
        assert 0 == run(*arguments, "--replace").status
        assert GRADEBOOK.replace("A,3", "A,25") == into.read_text("utf-8")

    def test_roster(self, run: Run, results: Path, into: Path, out: Path, tmp_path: Path) -> None:
        """A roster tells by what else students are known."""
        (roster := tmp_path / "roster.csv").write_text("student,canvas_id\n502,509\n", "utf-8")
        done = run("canvas", results, "--into", into, "-o", out, "--column", "pow=Lab 1 (7001)", "--roster", roster)

        assert "Nil,509,A,7\n" in out.read_text("utf-8")
        assert "No row for these students:" in done.err.splitlines()

    def test_nobody_has_a_row(
        self, run: Run, results: Path, into: Path, out: Path, tmp_path: Path, make_report: MakeReport
    ) -> None:
        """Where no student has a row, it says by what the results and the file know people, and writes nothing."""
        (results / "results.json").write_text(
            "".join(to_json([make_report(name, "pow", 7) for name in "abcd"])), "utf-8"
        )
        (roster := tmp_path / "roster.csv").write_text("student,github\n501,a-501\n", "utf-8")
        arguments = ("canvas", results, "--into", into, "-o", out, "--column", "Lab 1 (7001)")
        said = (
            f"None of the students has a row in {into}, so nothing was written. The results know them as 'a', 'b', "
            "'c' and 1 more. The file knows people by ID ('501', '509'). Next, "
        )
        first, second = run(*arguments), run(*arguments, "--roster", roster)

        assert (1, 1, False) == (first.status, second.status, out.exists())
        assert (
            f"{said}name a class list that has both with --roster, or another file; what counts in it is 'ID'.\n"
            == (first.err)
        )
        assert f"{said}add to {roster}, which says of none of them what the file does, a column with its 'ID'.\n" == (
            second.err
        )

    def test_nobody_is_in_the_file(self, run: Run, results: Path, into: Path, out: Path) -> None:
        """A file without rows names nobody."""
        into.write_text("".join(GRADEBOOK.splitlines(keepends=True)[:2]), "utf-8")
        done = run("canvas", results, "--into", into, "-o", out, "--column", "Lab 1 (7001)")

        assert (1, True) == (done.status, "'503' and 2 more. The file names nobody. Next, name" in done.err)

    def test_nothing_is_written_if_something_is_wrong(self, run: Run, results: Path, into: Path, out: Path) -> None:
        """The last line says what is wrong and the next step, and there is no file."""
        done = run("canvas", results, "--into", into, "-o", out, "--column", "Lab 2")

        assert (2, False) == (done.status, out.exists())
        assert done.err.endswith("has no column 'Lab 2' for grades; those for grades are 'Lab 1 (7001)'.\n")

    def test_text_of_others_is_visible(
        self, run: Run, results: Path, into: Path, out: Path, make_report: MakeReport
    ) -> None:
        """Names that a terminal would obey are written out."""
        reports = [make_report("a\x1b[31m\n::error::", "pow", 7), make_report("501", "pow", 7)]
        (results / "results.json").write_text("".join(to_json(reports)), "utf-8")
        done = run("canvas", results, "--into", into, "-o", out, "--column", "Lab 1 (7001)")

        assert r"  a\x1b[31m\n\x3a:error::" in done.err.splitlines()


class TestMoodle:
    """`grader export moodle`."""

    def test_filled_in(self, run: Run, results: Path, worksheet: Path, out: Path) -> None:
        """The column is Grade, points are scaled, and only with --feedback there are comments."""
        run("moodle", results, "--into", worksheet, "-o", out, "--points", "10")

        assert WORKSHEET.replace("Moreau,,", "Moreau,5.8,") == out.read_text("utf-8")
        run("moodle", results, "--into", worksheet, "-o", out, "--feedback", "--replace")
        assert "Moreau,29,<div class='grader-feedback'>" in out.read_text("utf-8")
        assert "SECRET" not in out.read_text("utf-8")

    def test_absent(self, run: Run, results: Path, worksheet: Path, out: Path) -> None:
        """Absent is no zero unless --absent says so."""
        worksheet.write_text(WORKSHEET.replace("509", "504"), "utf-8")
        run("moodle", results, "--into", worksheet, "-o", out, "--absent", "0")

        assert "Nil,0,\n" in out.read_text("utf-8")


class TestOthers:
    """`grader export csv` and `grader export json`."""

    def test_both(self, run: Run, results: Path, out: Path) -> None:
        """Both have a row for each student and exercise."""
        assert 0 == run("csv", results, "-o", out).status
        assert 11 == len(out.read_text("utf-8").splitlines())
        assert 0 == run("json", results / "results.json", "-o", out, "--replace").status
        assert 10 == len(json.loads(out.read_text("utf-8"))["grades"])
        assert 0o600 == out.stat().st_mode & 0o777


class TestWrongUsage:
    """Wrong usage ends with status 2; nothing is written over that is not meant."""

    @pytest.mark.parametrize("points", ["0", "-1", "nan", "inf", "1e3", "1000001", "x", ""])
    def test_points(self, run: Run, results: Path, out: Path, points: str) -> None:
        """Points are a number above zero."""
        done = run("csv", results, "-o", out, "--points", points)

        assert (2, False) == (done.status, out.exists())
        assert f"{points!r} is no number above 0 and up to 1,000,000." in done.err

    def test_inputs(self, run: Run, results: Path, tmp_path: Path) -> None:
        """What is read is never written over, with --replace neither."""
        (roster := tmp_path / "roster.csv").write_text("student\n501\n", "utf-8")
        before = (results / "results.json").read_bytes()
        for named in (results, results / "results.json"):
            for output in (results / "results.json", roster):
                done = run("json", named, "-o", output, "--roster", roster, "--replace")
                assert (2, True) == (done.status, f"{output} is read from; name another file." in done.err)

        assert (before, "student\n501\n") == ((results / "results.json").read_bytes(), roster.read_text("utf-8"))

    def test_links(self, run: Run, results: Path, out: Path, tmp_path: Path) -> None:
        """Nor is what is no regular file."""
        out.symlink_to(tmp_path / "elsewhere")
        done = run("json", results, "-o", out, "--replace")

        assert (2, True) == (done.status, f"{out} is no regular file; name another." in done.err)

    def test_no_folder(self, run: Run, results: Path, tmp_path: Path) -> None:
        """A file that cannot be written is a fault of the machine."""
        done = run("json", results, "-o", tmp_path / "no" / "where")

        assert (3, True) == (done.status, "cannot be written: No such file or directory" in done.err)
