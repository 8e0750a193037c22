"""`grader status`: where a class stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.shared import FOLDER, course_of, screen, show
from grader.errors import SubmissionError

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("results", type=FOLDER)
@click.option(
    "--policy",
    type=click.Choice(["best", "last"]),
    default="best",
    show_default=True,
    help="Which of a student's submissions for an exercise counts.",
)
@click.pass_context
def status(context: click.Context, results: Path, policy: str) -> int:
    """Show where the class stands whose gradebook is in RESULTS, the output folder of `grader grade`.

    That is each student's XP, who is absent, what is ungraded and why, and when something was graded last. It leaves
    with status 3 where something is ungraded.
    """
    from grader.gradebook import FILE_NAME, Gradebook, Policy  # noqa: PLC0415  # see shared
    from grader.outcomes import outlines  # noqa: PLC0415
    from grader.reports.console import class_table  # noqa: PLC0415
    from grader.verdict import Ungraded  # noqa: PLC0415

    if not (results / FILE_NAME).is_file():  # to open it would make one
        raise SubmissionError(f"{results} holds no {FILE_NAME}; name the output folder of `grader grade`")
    exercises = course_of(context).exercises()
    with Gradebook(results / FILE_NAME) as gradebook:
        with gradebook.outcomes([exercise.id for exercise in exercises], Policy(policy)) as found:
            outcomes = outlines(found)
        names = {person.id: person.name for person in gradebook.people() if person.name}
        attempts, last = gradebook.activity()
    for part in class_table(outcomes, exercises, names, **screen()):
        show(part)
    if last is not None:
        show(f"Attempts: {attempts}, the last on {last.astimezone():%Y-%m-%d at %H:%M}.\n")
    return 3 if any(isinstance(outcome, Ungraded) for outcome in outcomes) else 0
