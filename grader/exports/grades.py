"""What each student earned: in one exercise or in several together, in XP and in a platform's points."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from grader.errors import SubmissionError
from grader.verdict import Absent, Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from grader.verdict import Outcome

_NUMBER = re.compile(r"-?[0-9]{1,12}(?:[.,][0-9]{1,12})?")
_HUNDREDTH = Decimal("0.01")
"""Canvas and Moodle show no more than two decimals."""


@dataclass(frozen=True, slots=True)
class Grade:
    """What one student earned in some exercises together.

    Attributes:
        outcomes: How it went in each of them.
        points: The points, in hundredths; None where nothing was handed in, or something could not be graded.
    """

    outcomes: tuple[Outcome, ...]
    points: Decimal | None

    @property
    def ungraded(self) -> tuple[Ungraded, ...]:
        """What could not be graded: while there is such, the points are not known."""
        return tuple(outcome for outcome in self.outcomes if isinstance(outcome, Ungraded))

    @property
    def reports(self) -> tuple[Report, ...]:
        """What was graded."""
        return tuple(outcome for outcome in self.outcomes if isinstance(outcome, Report))


class Grades:
    """The outcomes of a class, as grades; lasts as long as the export.

    Args:
        outcomes: At most one for each student and exercise; of what is missing, nothing was handed in.
        points: What all of the XP are worth, if that is not a point each.

    Raises:
        SubmissionError: Reports disagree about an exercise's XP.
    """

    def __init__(self, outcomes: Iterable[Outcome], points: Decimal | None = None) -> None:
        self._outcomes = {(outcome.student, outcome.exercise): outcome for outcome in outcomes}
        self._points = points
        self._totals: dict[str, int] = {}
        self.students = tuple(sorted({student for student, _ in self._outcomes}))
        self.exercises = tuple(sorted({exercise for _, exercise in self._outcomes}))
        for outcome in self._outcomes.values():
            if not isinstance(outcome, Report):
                continue
            if (total := self._totals.setdefault(outcome.exercise, outcome.total_xp)) != outcome.total_xp:
                raise SubmissionError(
                    f"{outcome.exercise} was graded with {total} XP in all and with {outcome.total_xp}; grade all of "
                    "it again."
                )

    def total_xp(self, exercises: Sequence[str]) -> int | None:
        """All XP of some exercises; None where nobody's work for one was graded, so that they are not known."""
        totals = [self._totals.get(exercise) for exercise in exercises]
        known = [total for total in totals if total is not None]
        return sum(known) if len(known) == len(totals) else None

    def full_points(self, exercises: Sequence[str]) -> Decimal | None:
        """What full marks in some exercises together are, in points; None where that is not known."""
        total = self.total_xp(exercises)
        return self._points if self._points is not None or total is None else Decimal(total)

    def grade(self, student: str, exercises: Sequence[str], *, absent_is_zero: bool = False) -> Grade:
        """What a student earned in some exercises together.

        What was not handed in adds nothing to the rest; where nothing at all was, there are no points, or none but 0.
        Points are rounded to hundredths, halves up.

        Raises:
            SubmissionError: XP cannot be made points, because those of an exercise are not known.
        """
        outcomes = tuple(self._outcomes.get((student, each), Absent(student, each)) for each in exercises)
        grade = Grade(outcomes, None)
        if grade.ungraded or not (grade.reports or absent_is_zero):
            return grade
        return Grade(outcomes, self._in_points(sum(report.xp for report in grade.reports), exercises))

    def _in_points(self, xp: int, exercises: Sequence[str]) -> Decimal:
        if self._points is None or not xp:
            return Decimal(xp)
        if not (total := self.total_xp(exercises)):
            unknown = ", ".join(each for each in exercises if not self._totals.get(each))
            raise SubmissionError(
                f"Nobody's work for {unknown} was graded, so it is not known how many XP there are to make points of; "
                "grade some, leave out --points, or name the exercises one by one."
            )
        return (Decimal(xp) * self._points / total).quantize(_HUNDREDTH, ROUND_HALF_UP)


def decimal_text(number: Decimal) -> str:
    """Writes a number as platforms read it: with a decimal point, and without zeros at its end."""
    return f"{number.normalize():f}"


def read_number(text: str) -> Decimal | None:
    """Reads a number as platforms write it, with a decimal point or comma; None where it is none."""
    return Decimal(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None
