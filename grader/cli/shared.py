"""What commands share: the course they are about, and how they print.

Commands import what they need when they run: imports are what `--help` would wait for.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from grader.course import Course

FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)
FAIL_UNDER = click.FloatRange(0, 100)

_DEFAULT_WIDTH = 80


def course_of(context: click.Context) -> Course:
    """Find the course that a command is about.

    Raises:
        CourseError: There is none.
    """
    from grader.course import find_course  # noqa: PLC0415  # see above

    return find_course(context.obj, os.environ, Path.cwd())


def show(text: str) -> None:
    """Print a rendered screen, with what the terminal's encoding lacks replaced."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    click.echo(text.encode(encoding, "replace").decode(encoding), nl=False)


def screen() -> dict[str, Any]:
    """The width and colour that screens are rendered with: those of the terminal, plain text elsewhere."""
    terminal = sys.stdout.isatty()
    width = os.get_terminal_size(sys.stdout.fileno()).columns if terminal else 0
    return {"width": width or _DEFAULT_WIDTH, "colour": terminal and "NO_COLOR" not in os.environ}
