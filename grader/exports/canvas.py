"""The gradebook that Canvas exports as CSV, as a form.

Its shape is that of Canvas' own code (https://github.com/instructure/canvas-lms, lib/gradebook_exporter.rb and
lib/gradebook_importer.rb): columns about the student, the last of them `Section`; then one for each assignment, `Name
(id)`; then totals, of which the row `Points Possible` says that they are read only, in the user's language. Another row
may say which assignments are posted by hand. A cell says `EX` where the student is excused, and `N/A` where the
assignment is not for the student. There are semicolons and a byte order mark if the user's settings ask for them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grader.errors import SubmissionError
from grader.exports.form import Form
from grader.exports.grades import read_number
from grader.roster import Kind
from grader.sheet import read_sheet

if TYPE_CHECKING:
    from pathlib import Path

_MOST_MIB = 64
_IDENTIFIERS = {"ID": (Kind.CANVAS,), "SIS User ID": (Kind.NUMBER,), "SIS Login ID": (Kind.LOGIN, Kind.EMAIL)}
_LAST_OF_STUDENT = "Section"
_POINTS = "Points Possible"
_ASSIGNMENT = re.compile(r"\([0-9]+(~[0-9]+)?\)$")
"""How the names of assignments' columns end; the second number is there in a course from another server."""

_POSTING = re.compile(r"(?:Muted|Manual Posting.*)?", re.IGNORECASE)
"""What each cell says of the row that is about how grades are posted."""


def canvas_form(path: Path) -> Form:
    """Reads a gradebook of at most 64 MiB.

    Raises:
        SubmissionError: It cannot be read, is no gradebook of Canvas, or has a row that cannot be told apart.
    """
    sheet = read_sheet(path, _MOST_MIB, {name.casefold() for name in (*_IDENTIFIERS, _LAST_OF_STUDENT)})
    columns = sheet.columns
    if not {"ID", _LAST_OF_STUDENT} <= set(columns):
        advice = "export it anew with Export > Export Entire Gradebook"
        raise SubmissionError(f"{path} is no gradebook of Canvas: it lacks a column ID or Section; {advice}.")
    identity = columns.index("ID")
    rows, points = [], [""] * len(columns)
    for row in sheet.body:
        cells = [value.strip() for value in row.values]
        nobody = not any(cells[identity : identity + 1])
        if nobody and _POINTS in cells[0]:
            points = cells + points[len(cells) :]
        elif not nobody or not all(map(_POSTING.fullmatch, cells)):
            rows.append(row)
    values = [sheet.values(row) for row in rows]
    assignments = [place for place, name in enumerate(columns) if _ASSIGNMENT.search(name)]
    full_points = {place: read_number(points[place]) for place in assignments}
    return Form(
        sheet=sheet,
        rows=tuple(rows),
        called=tuple(f"line {row.line}: {' '.join(each[:identity])}" for row, each in zip(rows, values, strict=True)),
        identifiers={
            name: tuple(each[columns.index(name)] for each in values) for name in _IDENTIFIERS if name in columns
        },
        kinds=_IDENTIFIERS,
        gradable=tuple(place for place, number in full_points.items() if number is not None or not points[place]),
        full_points={place: number for place, number in full_points.items() if number is not None},
        kept=frozenset({"EX", "N/A"}),
    )
