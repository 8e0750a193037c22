"""`grader exercises` and `grader check`: what a student needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.github import tell_github
from grader.cli.shared import FAIL_UNDER, FILE, course_of, screen, show
from grader.errors import GraderError, SandboxError

if TYPE_CHECKING:
    from pathlib import Path

    from grader.verdict import Report, Ungraded


@click.command()
@click.pass_context
def exercises(context: click.Context) -> None:
    """List the exercises of the course."""
    from grader.reports.console import exercise_list  # noqa: PLC0415  # see shared

    show(exercise_list(course_of(context).exercises(), **screen()))


@click.command()
@click.argument("exercise")
@click.argument("file", type=FILE)
@click.option("--junit", type=FILE, metavar="FILE", help="Also write a JUnit report to FILE, for a CI system.")
@click.option(
    "--fail-under",
    type=FAIL_UNDER,
    metavar="PERCENT",
    help="Leave with status 1 only if less than this part of the XP of the public checks was earned.",
)
@click.pass_context
def check(context: click.Context, exercise: str, file: Path, junit: Path | None, fail_under: float | None) -> int:
    """Run the public checks of EXERCISE on FILE, and show what was asked, what happened, and the XP.

    FILE runs in a sandbox where bubblewrap is installed. Elsewhere it runs as `python FILE` would, without isolation:
    run it on your own work. What other people handed in is for `grader grade`.
    """
    from grader.checks import Checks  # noqa: PLC0415  # see shared
    from grader.grading import grade as grade_one  # noqa: PLC0415
    from grader.reports.console import report_screen  # noqa: PLC0415
    from grader.sandbox.kinds import SandboxChoice, choose_sandbox  # noqa: PLC0415
    from grader.submission import read_submission  # noqa: PLC0415
    from grader.verdict import Ungraded  # noqa: PLC0415

    if junit:
        _make_way(junit, file)
    chosen = course_of(context).exercise(exercise).public
    submission = read_submission(file, chosen, student="you")
    try:
        choice = choose_sandbox("bubblewrap")
    except SandboxError:
        choice = SandboxChoice("unsafe")
        click.echo(f"Running {file} on this machine, without isolation.", err=True)
    try:
        with Checks(chosen) as checks, choice.open() as sandbox:
            report = grade_one(submission, checks, sandbox)
    except GraderError as error:
        _tell_machines(Ungraded(submission.student, submission.exercise, str(error)), file, junit)
        raise
    show(report_screen(report, **screen()))
    _tell_machines(report, file, junit)
    if fail_under is None:
        return 0 if report.passed else 1
    worth = sum(result.worth for result in report.results)
    return 0 if report.results and 100 * report.xp >= fail_under * worth else 1


def _make_way(junit: Path, file: Path) -> None:
    """Remove what an earlier run wrote: if this one does not come to its end, nobody shall take it for this one's."""
    if junit.resolve() == file.resolve():
        raise click.UsageError(f"--junit names {file} itself; name another file.")
    try:
        junit.parent.mkdir(parents=True, exist_ok=True)
        junit.unlink(missing_ok=True)
    except OSError as error:
        raise click.UsageError(f"{junit} cannot be written ({error.strerror}); name another file.") from error


def _tell_machines(outcome: Report | Ungraded, file: Path, junit: Path | None) -> None:
    from grader.reports.junit import to_junit  # noqa: PLC0415  # see shared
    from grader.reports.markdown import report_markdown  # noqa: PLC0415
    from grader.results import write  # noqa: PLC0415

    if junit:
        write(junit, to_junit(outcome))
    tell_github([outcome], lambda limit: report_markdown(outcome, limit=limit), file)
