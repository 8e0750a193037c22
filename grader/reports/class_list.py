"""What a list of a class says, whatever format shows it: a row for each student, a cell for each exercise."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from grader.verdict import Absent, Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from grader.exercise import Exercise
    from grader.verdict import Outcome


NO_NAMES: Mapping[str, str] = MappingProxyType({})
"""What people call students, by id, where that is not known of anybody."""


def called(student: str, names: Mapping[str, str]) -> str:
    """Gives a student's id, and behind it the name where that says more."""
    name = names.get(student, "")
    return student if name in {"", student} else f"{student} ({name})"


def rows(outcomes: Iterable[Outcome], exercises: Sequence[Exercise]) -> dict[str, list[Outcome | None]]:
    """Sorts outcomes into a row for each student, by id, with a place for each exercise, in their order."""
    places = {exercise.id: place for place, exercise in enumerate(exercises)}
    found: dict[str, list[Outcome | None]] = {}
    for outcome in outcomes:
        row = found.setdefault(outcome.student, [None] * len(exercises))
        if outcome.exercise in places:
            row[places[outcome.exercise]] = outcome
    return dict(sorted(found.items()))


def cell(outcome: Outcome | None) -> str:
    """Gives the XP of what was graded; of all else the word that tells it from a zero, or nothing."""
    match outcome:
        case Report():
            return str(outcome.xp)
        case Ungraded():
            return "ungraded"
        case Absent():
            return "absent"
        case _:
            return ""


def total(row: Sequence[Outcome | None]) -> str:
    """Adds up a student's XP; a question mark stands for what is ungraded."""
    graded = [outcome.xp for outcome in row if isinstance(outcome, Report)]
    terms = [str(sum(graded))] if graded else []
    if any(isinstance(outcome, Ungraded) for outcome in row):
        terms.append("?")
    return " + ".join(terms)


def ungraded(outcomes: Iterable[Outcome]) -> list[Ungraded]:
    """Picks out what is ungraded, by student, then exercise."""
    found = [outcome for outcome in outcomes if isinstance(outcome, Ungraded)]
    return sorted(found, key=lambda outcome: (outcome.student, outcome.exercise))


def counts(outcomes: Sequence[Outcome]) -> str:
    """Says in a line how many students there are, and what became of their submissions."""
    students = len({outcome.student for outcome in outcomes})
    kinds = [type(outcome) for outcome in outcomes]
    graded, absent = kinds.count(Report), kinds.count(Absent)
    return f"Students: {students}. Submissions: {graded} graded, {kinds.count(Ungraded)} ungraded, {absent} absent."
