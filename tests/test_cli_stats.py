"""`grader stats`: what the results of a class say about the checks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from grader.reports.json_record import to_json
from grader.verdict import Absent, Provenance, Report, Result, Ungraded, Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from grader.verdict import Outcome
    from tests.conftest import Command

CHECK = Result("check_it", "Is it?", hidden=False, verdict=Verdict.PASSED, worth=5)
PROVENANCE = Provenance("a", "b", "docker", "image", "", ())


def write_results(folder: Path) -> None:
    """Writes the record of a class: two students graded, one ungraded, one absent."""
    reports = [
        Report(student, "fit", "Fit a line", "fit.py", 5, (replace(CHECK, verdict=verdict),), PROVENANCE)
        for student, verdict in (("ada", Verdict.PASSED), ("bo", Verdict.FAILED))
    ]
    outcomes: list[Outcome] = [*reports, Ungraded("cy", "fit", "Docker went away."), Absent("di", "fit")]
    (folder / "results.json").write_text("".join(to_json(outcomes)), encoding="utf-8")


def test_results_tell_of_their_checks(tmp_path: Path, command: Command) -> None:
    """The folder that a class was graded into is enough, or the record in it; a course is not needed."""
    write_results(tmp_path)
    done = command("stats", tmp_path, cwd=tmp_path)
    same = command("stats", tmp_path / "results.json", cwd=tmp_path)

    assert (0, "") == (done.returncode, done.stderr)
    assert "Fit a line (fit)\nGraded: 2. With every check run: 2.\n" in done.stdout
    assert "check_it   1 of 2    50 %        undefined\n" in done.stdout
    assert done.stdout == same.stdout


def test_no_results(tmp_path: Path, command: Command) -> None:
    """A place without results is wrong usage, told in a line."""
    done = command("stats", tmp_path, cwd=tmp_path)

    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert done.stderr.startswith(f"grader: {tmp_path / 'results.json'} cannot be read")
