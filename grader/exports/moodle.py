"""The grading worksheet of a Moodle assignment, as a form.

Its shape is that of Moodle's own code (https://github.com/moodle/moodle, mod/assign/gradingtable.php and
mod/assign/feedback/offline): the first column says `Participant` and a number, which is also in the names of downloaded
submissions; then come the name, perhaps other identifiers, status, grade and maximum grade, dates, and the comment,
which is HTML. Moodle passes over grades above the maximum, and over rows that it changed in the meantime.
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
_GRADE, _SCALE, _COMMENTS = "Grade", "Scale", "Feedback comments"
_MAXIMUM = "maximum grade"
"""Its second word has a capital in some versions."""

_IDENTIFIERS = {
    "Email address": (Kind.EMAIL,),
    "ID number": (Kind.NUMBER,),
    "Username": (Kind.LOGIN, Kind.EMAIL),
}
_PARTICIPANT = re.compile(r"\D+([0-9]+)")
"""What the first column says, in whatever language."""


def moodle_form(path: Path, *, comments: bool) -> Form:
    """Reads a grading worksheet of at most 64 MiB.

    Args:
        path: The file.
        comments: Whether comments are to be filled in, too.

    Raises:
        SubmissionError: It cannot be read, is no such worksheet, or has no place for what is to be filled in.
    """
    known = {name.casefold() for name in ("Identifier", "Full name", _GRADE, _MAXIMUM, *_IDENTIFIERS)}
    sheet = read_sheet(path, _MOST_MIB, known)
    columns = sheet.columns
    if _SCALE in columns:
        raise SubmissionError(f"{path} has a scale for grades; let the assignment's grade be points, and export anew.")
    values = [sheet.values(row) for row in sheet.body]
    participants = [_PARTICIPANT.fullmatch(each[0]) for each in values]
    for row, participant in zip(sheet.body, participants, strict=True):
        if not participant:
            raise sheet.wrong(row, "does not begin with a participant's number; export the grading worksheet anew")
    advice = "; export the worksheet in English, with feedback comments turned on in the assignment's settings"
    maximum = next((place for place, name in enumerate(columns) if name.casefold() == _MAXIMUM), None)
    full_points = read_number(values[0][maximum]) if maximum is not None and values else None
    grade = columns.index(_GRADE) if _GRADE in columns else None
    return Form(
        sheet=sheet,
        rows=sheet.body,
        called=tuple(f"line {row.line}: {', '.join(each[:2])}" for row, each in zip(sheet.body, values, strict=True)),
        identifiers={
            columns[0]: tuple(participant[1] for participant in participants if participant),
            **{name: tuple(each[columns.index(name)] for each in values) for name in _IDENTIFIERS if name in columns},
        },
        kinds={columns[0]: (Kind.MOODLE,), **_IDENTIFIERS},
        gradable=tuple(range(2, len(columns))) if grade is None else (grade,),
        full_points={grade: full_points} if grade is not None and full_points is not None else {},
        column=_GRADE,
        comments=sheet.column(_COMMENTS, advice) if comments else None,
    )
