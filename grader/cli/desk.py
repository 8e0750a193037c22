"""`grader show` and `grader start`: what a student begins with."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.shared import FOLDER, course_of, screen, show
from grader.errors import GraderError

if TYPE_CHECKING:
    from grader.exercise import Exercise


@click.command(name="show")
@click.argument("exercise")
@click.pass_context
def show_prompt(context: click.Context, exercise: str) -> None:
    """Show the prompt of EXERCISE: what is to be done."""
    prompt = (course_of(context).exercise(exercise).folder / "README.md").read_text(encoding="utf-8-sig")
    if sys.stdout.isatty():
        from grader.reports.prompt import prompt_screen  # noqa: PLC0415  # see shared

        show(prompt_screen(prompt, **screen()))
    else:
        show(prompt)


@click.command()
@click.argument("exercise")
@click.argument("folder", type=FOLDER, required=False)
@click.pass_context
def start(context: click.Context, exercise: str, folder: Path | None) -> None:
    """Put the prompt of EXERCISE and the file to begin with into FOLDER, which is ./EXERCISE unless given.

    Nothing is ever overwritten: a file that is there already stays as it is, and is named.
    """
    chosen = course_of(context).exercise(exercise)
    place = folder or Path(chosen.id)
    _put(chosen, "README.md", place / "README.md")
    file = place / chosen.submit
    _put(chosen, "starter.py", file)
    click.echo(f"Read {place / 'README.md'}, edit {file}, and see how far you are:")
    course = ["--course", str(context.obj)] if context.obj else []
    click.echo(f"    {shlex.join(['grader', *course, 'check', chosen.id, str(file)])}")


def _put(exercise: Exercise, name: str, place: Path) -> None:
    """Copy one file of an exercise to a place where there is none.

    Raises:
        GraderError: The place cannot be written to.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as new:
            new.write((exercise.folder / name).read_bytes())
    except FileExistsError:
        click.echo(f"{place} is there already and stays as it is; to begin anew, name another folder.", err=True)
    except OSError as error:
        raise GraderError(f"{place} cannot be written ({error.strerror}); name another folder") from error
