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

    from grader.roster import Kind, Roster


@dataclass(frozen=True, slots=True)
class Matching:
    """What was found out.

    Attributes:
        column: The column by which students were known.
        rows: Each student's row, of those who have one.
    """

    column: str
    rows: Mapping[str, int]


def match(
    students: Sequence[str],
    columns: Mapping[str, Sequence[str]],
    kinds: Mapping[str, Sequence[Kind]],
    roster: Roster | None,
) -> Matching:
    """Finds each student's row.

    A student's own id comes first, then the other identifiers that the roster has of the student, then all of them
    without regard to capitals and Unicode form. What the roster has in a column of another kind does not count, nor,
    where there is a roster, the id of somebody who is not on it, unless ids are of this kind.

    Args:
        students: The students' ids.
        columns: For each column that identifies students, what it says in every row; the first of two that find as
            many students counts.
        kinds: What each of these columns holds, the first kind above all.
        roster: Further identifiers of the students.

    Raises:
        SubmissionError: A student may be several people of the roster.
    """
    found = []
    for column, keys in columns.items():
        aliases = {student: _identifiers(student, kinds[column], roster) for student in students}
        found.append(Matching(column, _rows(aliases, keys)))
    return max(found, key=lambda matching: len(matching.rows))


def _identifiers(student: str, kinds: Sequence[Kind], roster: Roster | None) -> frozenset[str]:
    if roster is None:
        return frozenset({student})
    if person := roster.find(student):
        return roster.called(person, kinds)
    ids = roster.columns[0][0] if roster.columns else kinds[0]
    return frozenset({student} if ids in kinds else ())


def _rows(aliases: Mapping[str, frozenset[str]], keys: Sequence[str]) -> dict[str, int]:
    """The rows by one column. Whom one way of looking finds, be it in vain, no later way looks for any more."""
    ways = (
        ({student: names & {student} for student, names in aliases.items()}, keys),
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
