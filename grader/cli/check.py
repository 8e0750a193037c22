"""`grader exercises` and `grader check`: what a student needs."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import click

from grader.cli.shared import FILE, course_of, screen, show
from grader.errors import SandboxError

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.pass_context
def exercises(context: click.Context) -> None:
    """List the exercises of the course."""
    from grader.reports.console import exercise_list  # noqa: PLC0415  # see shared

    show(exercise_list(course_of(context).exercises(), **screen()))


@click.command()
@click.argument("exercise")
@click.argument("file", type=FILE)
@click.pass_context
def check(context: click.Context, exercise: str, file: Path) -> int:
    """Run the public checks of EXERCISE on FILE, and show what was asked, what happened, and the XP.

    FILE runs in a sandbox where bubblewrap is installed. Elsewhere it runs as `python FILE` would, without isolation:
    run it on your own work. What other people handed in is for `grader grade`.
    """
    from grader.checks import Checks  # noqa: PLC0415  # see shared
    from grader.grading import grade as grade_one  # noqa: PLC0415
    from grader.reports.console import report_screen  # noqa: PLC0415
    from grader.sandbox.kinds import SandboxChoice, choose_sandbox  # noqa: PLC0415
    from grader.submission import read_submission  # noqa: PLC0415

    chosen = course_of(context).exercise(exercise).public
    submission = read_submission(file, chosen, student="you")
    if not submission.problem:  # it is taken for what would be handed in: the file's name is its module's
        submission = dataclasses.replace(submission, file=chosen.submit)
    try:
        choice = choose_sandbox("bubblewrap")
    except SandboxError:
        choice = SandboxChoice("unsafe")
        click.echo(f"Running {file} on this machine, without isolation.", err=True)
    with Checks(chosen) as checks, choice.open() as sandbox:
        report = grade_one(submission, checks, sandbox)
    show(report_screen(report, **screen()))
    return 0 if report.passed else 1
