"""What a student has seen of a report when its grading is over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grader.exercise import Check, Exercise
from grader.limits import Limits
from grader.reports.console import ReportScreen

if TYPE_CHECKING:
    from grader.verdict import Report


def report_screen(report: Report, *, width: int = 80, colour: bool = False) -> str:
    """All parts of a report's screen, one below the other."""
    checks = tuple(
        Check(result.check, result.question, result.worth, result.hint, hidden=result.hidden, file=Path("check_it.py"))
        for result in report.results
    )
    folder = Path("/course/exercises") / "one"
    exercise = Exercise(
        report.exercise, report.title, folder, report.file, report.total_xp, None, None, Limits(), checks, ""
    )
    screen = ReportScreen(exercise, width=width, colour=colour)
    return "".join([screen.begin(report.file), *map(screen.result, report.results), screen.end(report)])
