"""`grader export`: grades on their way back to the platform."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grader.cli.shared import FILE, refuse_to_overwrite, show

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from decimal import Decimal

    from grader.exports.form import Filled, Form
    from grader.exports.grades import Grades
    from grader.roster import Roster

_PRIVATE = 0o600
_MOST_POINTS = 1_000_000

_C = TypeVar("_C", bound="Callable[..., Any]")


@click.group()
def export() -> None:
    """Write the grades that `grader grade` left in the form that a platform takes."""


def _points(_: click.Context, __: click.Parameter, text: str | None) -> Decimal | None:
    from grader.exports.grades import read_number  # noqa: PLC0415  # see shared

    number = read_number(text) if text is not None else None
    if text is not None and (number is None or not 0 < number <= _MOST_POINTS):
        raise click.BadParameter(f"{text!r} is no number above 0 and up to {_MOST_POINTS:,}.")
    return number


def _all(*options: Callable[[_C], _C]) -> Callable[[_C], _C]:
    """Several options as one decorator, shown in this order."""

    def decorate(command: _C) -> _C:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_GRADES = _all(
    click.argument("results", type=click.Path(path_type=Path)),
    click.option("-o", "--output", type=FILE, required=True, help="The file to write, for you alone to read."),
    click.option("--replace", is_flag=True, help="Replace the output file if it is there, even that of --into."),
    click.option(
        "--points", callback=_points, metavar="NUMBER", help="What all XP are worth. [default: a point for each XP]"
    ),
    click.option("--roster", "roster_file", type=FILE, metavar="FILE", help="The class list, a CSV file."),
)
_FORM = _all(
    click.option("--into", type=FILE, required=True, metavar="FILE", help="The file that the platform exported."),
    click.option(
        "--column",
        "columns",
        multiple=True,
        metavar="NAME",
        help="The column that grades go into, all exercises added up. Or one for each: EXERCISE=NAME, repeated.",
    ),
    click.option(
        "--absent",
        type=click.Choice(["keep", "0"]),
        default="keep",
        show_default=True,
        help="Where nothing was handed in, keep the cell as it is, or fill in 0.",
    ),
    click.option("--strict", is_flag=True, help="Leave with status 1 if something is ungraded or a grade has no row."),
)


@export.command()
@_GRADES
@_FORM
def canvas(
    results: Path,
    output: Path,
    replace: bool,  # noqa: FBT001  # it is a flag
    points: Decimal | None,
    roster_file: Path | None,
    into: Path,
    columns: tuple[str, ...],
    absent: str,
    strict: bool,  # noqa: FBT001
) -> int:
    """Fill grades into a gradebook that Canvas exported; all the rest of it stays as it is, to the byte.

    RESULTS is a folder that `grader grade` wrote, or the results.json in it. Name a column: --column "Lab 1 (7001)".
    """
    from grader.exports.canvas import canvas_form  # noqa: PLC0415  # see shared

    refuse_to_overwrite(output, [results, roster_file], replace=replace)
    grades, roster = _read(results, points, roster_file)
    return _fill(canvas_form(into), columns, grades, roster, output, zero=absent == "0", strict=strict)


@export.command()
@_GRADES
@_FORM
@click.option("--feedback", is_flag=True, help="Also fill in comments: what students may read of each check.")
def moodle(
    results: Path,
    output: Path,
    replace: bool,  # noqa: FBT001  # it is a flag
    points: Decimal | None,
    roster_file: Path | None,
    into: Path,
    columns: tuple[str, ...],
    absent: str,
    strict: bool,  # noqa: FBT001
    feedback: bool,  # noqa: FBT001
) -> int:
    """Fill grades into the grading worksheet of a Moodle assignment; all the rest of it stays as it is, to the byte.

    RESULTS is a folder that `grader grade` wrote, or the results.json in it. The column is `Grade`, unless --column
    names another; for one exercise of several: --column EXERCISE=Grade.
    """
    from grader.exports.moodle import moodle_form  # noqa: PLC0415  # see shared

    refuse_to_overwrite(output, [results, roster_file], replace=replace)
    grades, roster = _read(results, points, roster_file)
    form = moodle_form(into, comments=feedback)
    return _fill(form, columns, grades, roster, output, zero=absent == "0", strict=strict)


@export.command("csv")
@_GRADES
def csv_(
    results: Path,
    output: Path,
    replace: bool,  # noqa: FBT001  # it is a flag
    points: Decimal | None,
    roster_file: Path | None,
) -> None:
    """Write a CSV table with a row for each student and exercise.

    RESULTS is a folder that `grader grade` wrote, or the results.json in it.
    """
    from grader.exports.plain import to_table  # noqa: PLC0415  # see shared

    refuse_to_overwrite(output, [results, roster_file], replace=replace)
    _write(output, to_table(*_read(results, points, roster_file)))


@export.command("json")
@_GRADES
def json_(
    results: Path,
    output: Path,
    replace: bool,  # noqa: FBT001  # it is a flag
    points: Decimal | None,
    roster_file: Path | None,
) -> None:
    """Write a JSON document with an object for each student and exercise.

    RESULTS is a folder that `grader grade` wrote, or the results.json in it.
    """
    from grader.exports.plain import to_document  # noqa: PLC0415  # see shared

    refuse_to_overwrite(output, [results, roster_file], replace=replace)
    _write(output, to_document(*_read(results, points, roster_file)))


def _read(results: Path, points: Decimal | None, roster_file: Path | None) -> tuple[Grades, Roster | None]:
    from grader.exports.grades import Grades  # noqa: PLC0415  # see shared
    from grader.record import read_outcomes  # noqa: PLC0415
    from grader.roster import read_roster  # noqa: PLC0415

    return Grades(read_outcomes(results), points), read_roster(roster_file) if roster_file else None


def _fill(
    form: Form,
    columns: Sequence[str],
    grades: Grades,
    roster: Roster | None,
    output: Path,
    *,
    zero: bool,
    strict: bool,
) -> int:
    """Fill in a form, write it unless it has nobody's row, say what has to be seen to, and return the exit status."""
    from grader.exports.form import describe_strangers, fill, targets  # noqa: PLC0415  # see shared
    from grader.reports.text import one_line  # noqa: PLC0415

    filled = fill(form, targets(form, columns, grades.exercises), grades, roster, absent_is_zero=zero)
    if not filled.rows:
        click.echo(one_line(describe_strangers(form, grades, roster)), err=True)
        return 1
    _tell(filled, has_roster=roster is not None)
    _write(output, filled.text)
    return 1 if strict and not filled.complete else 0


def _tell(filled: Filled, *, has_roster: bool) -> None:
    from grader.reports.text import one_line  # noqa: PLC0415  # see shared

    click.echo(f"Grades filled in: {filled.grades}. Students are known by the column {filled.column!r}.", err=True)
    if filled.absent:
        click.echo(f"Nothing was handed in for {filled.absent}, which stay as they were.", err=True)
    for heading, lines in (
        ("Full marks differ; --points scales them:", filled.full_points),
        ("Ungraded, so they stay as they were:", filled.ungraded),
        (
            f"No row for these students{'' if has_roster else '; --roster tells by what else they are known'}:",
            filled.no_row,
        ),
        ("No results for these rows:", filled.no_result),
        ("Kept as they were:", filled.kept),
        ("Other grades replaced:", filled.replaced),
    ):
        if lines:
            click.echo(f"{heading}\n" + "\n".join(f"  {one_line(line)}" for line in lines), err=True)


def _write(output: Path, text: str) -> None:
    from grader.results import write  # noqa: PLC0415  # see shared

    write(output, [text], _PRIVATE)
    show(f"Grades are in {output}.\n")
