"""Which row of a platform's file is whose.

All students are known by one and the same column, whichever finds most of them: a number that is one student's user id
may be another's in the university's system. Nobody is guessed at: a row that could be two students', or a student who
could be on two rows, is nobody's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.roster import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from grader.roster import Roster


@dataclass(frozen=True, slots=True)
class Matching:
    """What was found out.

    Attributes:
        column: The column by which students were known.
        rows: Each student's row, of those who have one.
    """

    column: str
    rows: Mapping[str, int]


def match(students: Sequence[str], columns: Mapping[str, Sequence[str]], roster: Roster | None) -> Matching:
    """Finds each student's row.

    A student's own id comes first, then the other identifiers that the roster has of the student, then all of them
    without regard to capitals and Unicode form.

    Args:
        students: The students' ids.
        columns: For each column that identifies students, what it says in every row; the first of two that find as
            many students counts.
        roster: Further identifiers of the students.

    Raises:
        SubmissionError: A student may be several people of the roster.
    """
    aliases = {student: _identifiers(student, roster) for student in students}
    found = [Matching(column, _rows(aliases, keys)) for column, keys in columns.items()]
    return max(found, key=lambda matching: len(matching.rows))


def _identifiers(student: str, roster: Roster | None) -> set[str]:
    person = roster.find(student) if roster else None
    return {student, person.id, *person.aliases} if person else {student}


def _rows(aliases: Mapping[str, set[str]], keys: Sequence[str]) -> dict[str, int]:
    """The rows by one column. Whom one way of looking finds, be it in vain, no later way looks for any more."""
    ways = (
        ({student: {student} for student in aliases}, keys),
        (aliases, keys),
        ({student: {fold(name) for name in names} for student, names in aliases.items()}, [fold(key) for key in keys]),
    )
    rows: dict[str, int] = {}
    students, places = set(aliases), {place for place, key in enumerate(keys) if key}
    for names, these in ways:
        known: dict[str, set[int]] = {}
        for place in places:
            known.setdefault(these[place], set()).add(place)
        claims = {student: {place for name in names[student] for place in known.get(name, ())} for student in students}
        claimed = Counter(place for each in claims.values() for place in each)
        for student, each in claims.items():
            if len(each) == 1 and claimed[place := min(each)] == 1:
                rows[student] = place
        students -= {student for student, each in claims.items() if each}
        places -= set(claimed)
    return rows
