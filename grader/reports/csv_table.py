"""The XP of a class as CSV: one row for each student and exercise."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from grader.reports.class_list import NO_NAMES
from grader.reports.text import visible
from grader.verdict import Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from grader.exercise import Exercise
    from grader.verdict import Outcome

COLUMNS = ("student", "exercise", "state", "xp", "total_xp", "reason", "name")

_FORMULA = re.compile('^(?=[-=+@\t\r\n\uff1d\uff0b\uff0d\uff20])|(?<=[;\t\r\n])(?="*[-=+@\uff1d\uff0b\uff0d\uff20])')
"""Where a spreadsheet would begin a formula (OWASP, "CSV Injection"), full-width forms among them.

That is at the beginning of a cell. Where the spreadsheet takes semicolons or tabs to separate cells, as it does in much
of Europe, it is also after each of those and after each line end, and quotation marks that follow are none of the text.
"""


def to_csv(
    outcomes: Iterable[Outcome], exercises: Sequence[Exercise], names: Mapping[str, str] = NO_NAMES
) -> Iterator[str]:
    """Writes the table `xp.csv` row by row.

    The state is `graded`, `ungraded` or `absent`; `xp` is empty unless it is `graded`, so only a zero is 0.
    The reason says why something is ungraded, and why nothing ran of a file that is graded.

    Args:
        outcomes: At most one for each student and exercise, by student, then exercise.
        exercises: All exercises that occur in the outcomes.
        names: What people call the students, by id.
    """
    worth = {exercise.id: str(exercise.xp) for exercise in exercises}

    def rows() -> Iterator[tuple[str, ...]]:
        yield COLUMNS
        for outcome in outcomes:
            student, exercise = outcome.student, outcome.exercise
            state, xp, reason = conclusion(outcome)
            yield student, exercise, state, xp, worth[exercise], reason, names.get(student, "")

    return table(rows())


def conclusion(outcome: Outcome) -> tuple[str, str, str]:
    """Gives an outcome's state, its XP if it is graded, and the reason for what is not as usual."""
    if isinstance(outcome, Report):
        return "graded", str(outcome.xp), outcome.problem
    return ("ungraded", "", outcome.reason) if isinstance(outcome, Ungraded) else ("absent", "", "")


def table(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Writes a table as CSV (RFC 4180) that is inert in a spreadsheet, row by row, every cell in quotation marks.

    What a spreadsheet would run as a formula gets an apostrophe in front, which makes it text there; other
    readers have to take it off. What does not show is written out as `text.visible` does.
    """
    for row in rows:
        line = io.StringIO()
        csv.writer(line, quoting=csv.QUOTE_ALL).writerow([_inert(text) for text in row])
        yield line.getvalue()


def _inert(text: str) -> str:
    return _FORMULA.sub("'", visible(text, keep="\n\r\t"))
