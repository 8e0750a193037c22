"""`grader inbox`: what arrived, before anything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.inbox_options import ARRIVED, inbox_options
from grader.cli.shared import course_of, screen, show

if TYPE_CHECKING:
    from pathlib import Path

    from grader.cli.inbox_options import Asked


@click.command()
@click.argument("path", type=ARRIVED)
@inbox_options
@click.pass_context
def inbox(context: click.Context, path: Path, asked: Asked) -> int:
    """Show what lies in PATH, a folder or an archive of submissions, and what `grade` would make of it. Runs nothing.

    PATH may be what Canvas, Moodle, Gradescope, GitHub Classroom, nbgrader, Blackboard or Brightspace hand out, or a
    folder of <student>/<file>. Shown are its layout, who handed in what, and who did not; then what is doubtful,
    unreadable or ignored, and why.
    """
    from grader.reports.inbox_screen import inbox_screen  # noqa: PLC0415  # see shared

    course = course_of(context)
    exercises = asked.exercises(course)
    found = asked.read(path, exercises, course)
    show(inbox_screen(found, exercises, **screen()))
    return 3 if found.ungraded else 0
