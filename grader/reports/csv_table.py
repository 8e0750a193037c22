"""The XP of a class as CSV: one row for each student and exercise."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from grader.reports.text import visible
from grader.verdict import Absent, Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from grader.exercise import Exercise
    from grader.verdict import Outcome

COLUMNS = ("student", "exercise", "state", "xp", "total_xp", "reason")

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What makes a spreadsheet run a cell as a formula, full-width forms among them (OWASP, "CSV Injection")."""


def to_csv(outcomes: Iterable[Outcome], exercises: Sequence[Exercise]) -> str:
    """Writes the table `xp.csv` (RFC 4180), sorted by student, then in the order of the exercises.

    The state is `graded`, `ungraded` or `absent`; `xp` is empty unless it is `graded`, so only a zero is 0.
    A cell that a spreadsheet would run as a formula gets an apostrophe in front, which makes it text there;
    other readers have to take it off. What does not show is written out as `text.visible` does.

    Args:
        outcomes: At most one for each student and exercise.
        exercises: All exercises that occur in the outcomes.
    """
    place = {exercise.id: number for number, exercise in enumerate(exercises)}
    rows = [
        (outcome.student, outcome.exercise, state, xp, str(exercises[place[outcome.exercise]].xp), reason)
        for outcome in sorted(outcomes, key=lambda outcome: (outcome.student, place[outcome.exercise]))
        for state, xp, reason in [_conclusion(outcome)]
    ]
    stream = io.StringIO()
    csv.writer(stream).writerows([COLUMNS, *([_cell(text) for text in row] for row in rows)])
    return stream.getvalue()


def _conclusion(outcome: Outcome) -> tuple[str, str, str]:
    match outcome:
        case Report():
            return "graded", str(outcome.xp), ""
        case Ungraded():
            return "ungraded", "", outcome.reason
        case Absent():
            return "absent", "", ""


def _cell(text: str) -> str:
    shown = visible(text, keep="\n\r\t")
    return f"'{shown}" if shown.startswith(_FORMULA_STARTS) else shown
