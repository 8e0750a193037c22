"""What commands share: the course they are about, and how they print.

Commands import what they need when they run: imports are what `--help` would wait for.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from grader.course import Course

FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)
FAIL_UNDER = click.FloatRange(0, 100)

_DEFAULT_WIDTH = 80


def options_as(
    name: str, kind: type[Any], options: Sequence[Callable[[Any], Any]]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what gives a command some options, whose values it gets together.

    Args:
        name: The command's parameter for them.
        kind: What they are put into, a dataclass: each option has the name of a field.
        options: The options, in the order of the help.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def collecting(*arguments: object, **values: Any) -> object:  # noqa: ANN401  # whatever click makes of options
            together = kind(**{field.name: values.pop(field.name) for field in dataclasses.fields(kind)})
            return command(*arguments, **{name: together}, **values)

        return functools.reduce(lambda decorated, option: option(decorated), reversed(options), collecting)

    return decorate


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


def refuse_to_overwrite(output: Path, inputs: Sequence[Path | None] = (), *, replace: bool) -> None:
    """Refuse to write over what nothing could bring back, and over what is not there to be written over.

    Raises:
        UsageError: The file is there and not to be replaced, is one of the inputs, or is no regular file.
    """
    for each in inputs:
        if each and output.resolve() in {each.resolve(), (each / "results.json").resolve()}:
            raise click.UsageError(f"{output} is read from; name another file.")
    try:
        mode = output.lstat().st_mode
    except OSError:  # it is not there, or cannot be: then writing it will say why
        return
    if not replace:
        raise click.UsageError(f"{output} is there already; name another file, or add --replace.")
    if not stat.S_ISREG(mode):
        raise click.UsageError(f"{output} is no regular file; name another.")


def warn(text: str) -> None:
    """Print a line to standard error."""
    click.echo(text, err=True)


def tell_of_new_secret(path: Path, tell: Callable[[str], None] = warn) -> None:
    """Say once that a course has a secret now, because nothing brings it back."""
    tell(f"A new {path.name} was made in {path.parent}: keep it; with another one, hidden inputs differ.")
