"""A table and a JSON document of our own: one row a student and exercise, for whatever takes such."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from grader.reports.csv_table import conclusion, table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from grader.exports.grades import Grades
    from grader.roster import Roster

SCHEMA = 1
"""Version of the document's form, raised by every change that a reader has to know of."""

COLUMNS = ("student", "name", "exercise", "state", "xp", "total_xp", "points", "total_points", "reason")


def to_table(grades: Grades, roster: Roster | None) -> str:
    """Writes a CSV table, sorted by student and exercise, inert in spreadsheets as `csv_table.table` says.

    The state is `graded`, `ungraded` or `absent`. XP and points are empty unless it is `graded`; totals are empty
    for an exercise of which nobody's work was graded.
    """
    rows = (["" if each is None else str(each) for each in row] for row in _rows(grades, roster))
    return "".join(table([COLUMNS, *rows]))


def to_document(grades: Grades, roster: Roster | None) -> str:
    """Writes the same rows as a JSON object in ASCII, its numbers as numbers; what a table leaves empty is null."""
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in _rows(grades, roster)]
    return json.dumps({"schema": SCHEMA, "grades": rows}, indent=2) + "\n"


def _rows(grades: Grades, roster: Roster | None) -> Iterator[tuple[str | int | float | None, ...]]:
    for student in grades.students:
        person = roster.find(student) if roster else None
        for exercise in grades.exercises:
            grade = grades.grade(student, [exercise])
            state, xp, reason = conclusion(grade.outcomes[0])
            yield (
                student,
                person.name if person else "",
                exercise,
                state,
                int(xp) if xp else None,
                grades.total_xp([exercise]),
                _number(grade.points),
                _number(grades.full_points([exercise])),
                reason,
            )


def _number(number: Decimal | None) -> int | float | None:
    return number if number is None else int(number) if number == int(number) else float(number)
