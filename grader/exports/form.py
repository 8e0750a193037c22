"""A platform's file as a form: a row for each student, in some of whose cells grades are filled in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from grader.errors import SubmissionError
from grader.exercise import did_you_mean
from grader.exports.grades import decimal_text, read_number
from grader.exports.matching import match
from grader.reports.comment import MARK, to_comment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from decimal import Decimal

    from grader.exports.grades import Grades
    from grader.roster import Kind, Roster
    from grader.sheet import Row, Sheet
    from grader.verdict import Report

_MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Form:
    """A file that a platform exported, and what is where in it.

    Attributes:
        sheet: The file.
        rows: Its rows that are students', each with a cell for every column.
        called: What each of them is called in messages.
        identifiers: For each column that identifies students, what each row says there, the best column first.
        kinds: What each of these columns holds, the first kind above all.
        gradable: The places of the columns that grades may go into.
        full_points: What the platform takes for full marks in such a column, as far as it says so.
        kept: What a cell may say that is not to be replaced by a grade.
        column: Name of the column that grades go into unless another is named; empty where one has to be.
        comments: Place of the column for comments, if those are asked for.
    """

    sheet: Sheet
    rows: tuple[Row, ...]
    called: tuple[str, ...]
    identifiers: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, tuple[Kind, ...]]
    gradable: tuple[int, ...]
    full_points: Mapping[int, Decimal]
    kept: frozenset[str] = frozenset()
    column: str = ""
    comments: int | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """A column, and the exercises whose points go into it, added up."""

    place: int
    exercises: tuple[str, ...]


@dataclass(slots=True)
class Filled:
    """A form that was filled in, and what is to be said about it: everything that somebody may have to see to.

    Attributes:
        text: The file.
        column: The column by which students were known.
        rows: How many students have a row.
        grades: How many grades are in it.
        absent: How many cells stayed as they were because nothing was handed in.
        ungraded: What could not be graded, and why; its cells stayed as they were.
        no_row: Students of whom there is a grade, but no row.
        no_result: Rows of which there is no result.
        kept: Cells that stayed as they were because of what they say.
        replaced: Grades that took the place of another.
        full_points: Columns whose full marks are others than ours.
    """

    text: str = ""
    column: str = ""
    rows: int = 0
    grades: int = 0
    absent: int = 0
    ungraded: list[str] = field(default_factory=list)
    no_row: list[str] = field(default_factory=list)
    no_result: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    full_points: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether everybody's work was graded, and every grade found its row."""
        return not (self.ungraded or self.no_row)


def targets(form: Form, asked: Sequence[str], exercises: Sequence[str]) -> tuple[Target, ...]:
    """Finds the columns that were asked for.

    Args:
        form: The form.
        asked: A column's name, for all exercises together; or for one each, `EXERCISE=COLUMN`.
        exercises: All exercises that there are grades of.

    Raises:
        SubmissionError: There is no such column or exercise, none was asked for, or one twice.
    """
    names = asked or ([form.column] if form.column else [])
    if not names:
        raise SubmissionError(f"Say with --column which column of {form.sheet.source} is meant{_listed(form)}")
    found = [_target(form, name, exercises) for name in names]
    taken = [exercise for target in found for exercise in target.exercises]
    if len({target.place for target in found}) < len(found) or len(set(taken)) < len(taken):
        raise SubmissionError("A column or an exercise is asked for twice; name each once, as EXERCISE=COLUMN.")
    return tuple(found)


def fill(
    form: Form, targets: Sequence[Target], grades: Grades, roster: Roster | None, *, absent_is_zero: bool
) -> Filled:
    """Fills in grades, and comments if the form has a place for them; all else stays as it was, to the byte.

    Where nothing was handed in or something could not be graded, the cell stays as it was, and so does a comment that
    somebody else wrote.

    Args:
        form: The form.
        targets: Where the grades go.
        grades: The grades.
        roster: Further identifiers of the students, if need be.
        absent_is_zero: Whether a grade of 0 is filled in where nothing was handed in.

    Raises:
        SubmissionError: A student may be several people of the roster, or XP cannot be made points.
    """
    matching = match(grades.students, form.identifiers, form.kinds, roster)
    filled = Filled(column=matching.column, rows=len(matching.rows))
    texts: dict[tuple[int, int], str] = {}
    for target in targets:
        filled.full_points += _other_full_points(form, target, grades)
        for student in grades.students:
            grade = grades.grade(student, target.exercises, absent_is_zero=absent_is_zero)
            if grade.points is None:
                filled.absent += not grade.ungraded
                filled.ungraded += [f"{student}: {each.exercise}: {each.reason}" for each in grade.ungraded]
            elif student not in matching.rows:
                filled.no_row += [student] if student not in filled.no_row else []
            else:
                place = matching.rows[student]
                texts |= _fill_row(form, place, target, student, grade.points, grade.reports, filled)
    without = set(range(len(form.rows))) - set(matching.rows.values())
    filled.no_result = [form.called[place] for place in sorted(without)]
    filled.text = form.sheet.filled(texts)
    return filled


def describe_strangers(form: Form, grades: Grades, roster: Roster | None) -> str:
    """Says, where no student has a row, by what the results and a form know people, and what to do about it."""
    columns = {column: [name for name in names if name] for column, names in form.identifiers.items()}
    theirs = ", and by ".join(f"{column} ({_some(names)})" for column, names in columns.items() if names)
    known = f"The file knows people by {theirs}" if theirs else "The file names nobody"
    wanted = " or ".join(repr(column) for column in columns)
    if roster:
        advice = f"add to {roster.source}, which says of none of them what the file does, a column with its {wanted}"
    else:
        advice = f"name a class list that has both with --roster, or another file; what counts in it is {wanted}"
    return (
        f"None of the students has a row in {form.sheet.source}, so nothing was written. The results know them as "
        f"{_some(grades.students)}. {known}. Next, {advice}."
    )


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_SHOWN
    return ", ".join(map(repr, names[:_MOST_SHOWN])) + (f" and {more} more" if more > 0 else "")


def _target(form: Form, asked: str, exercises: Sequence[str]) -> Target:
    columns = {form.sheet.columns[place]: place for place in form.gradable}
    if asked in columns:
        return Target(_only(form, asked), tuple(exercises))
    exercise, equals, column = asked.partition("=")
    if equals and exercise in exercises:
        if column in columns:
            return Target(_only(form, column), (exercise,))
        asked = column
    elif equals and column in columns:
        raise SubmissionError(f"There are no results of {exercise!r}{did_you_mean(exercise, exercises) or '.'}")
    advice = did_you_mean(asked, columns) or _listed(form)
    raise SubmissionError(f"{form.sheet.source} has no column {asked!r} for grades{advice}")


def _only(form: Form, name: str) -> int:
    places = [place for place in form.gradable if form.sheet.columns[place] == name]
    if len(places) > 1:
        raise SubmissionError(f"{form.sheet.source} has {len(places)} columns {name!r}; rename one on the platform.")
    return places[0]


def _listed(form: Form) -> str:
    names = ", ".join(repr(form.sheet.columns[place]) for place in form.gradable)
    return f"; those for grades are {names}." if names else "; it has none for grades."


def _other_full_points(form: Form, target: Target, grades: Grades) -> Iterator[str]:
    theirs, ours = form.full_points.get(target.place), grades.full_points(target.exercises)
    if theirs is not None and ours is not None and theirs != ours:
        name = form.sheet.columns[target.place]
        yield f"{name!r} has {decimal_text(theirs)} points, and full marks here are {decimal_text(ours)}"


def _fill_row(
    form: Form, place: int, target: Target, student: str, points: Decimal, reports: Sequence[Report], filled: Filled
) -> Iterator[tuple[tuple[int, int], str]]:
    """Gives what goes into a student's row."""
    row = form.rows[place]
    values = form.sheet.values(row)
    before = values[target.place]
    if before.upper() in form.kept:
        filled.kept.append(f"{student}: {before}")
        return
    filled.grades += 1
    if read_number(before) != points:
        filled.replaced += (
            [f"{form.called[place]}: {decimal_text(points)}, of {student}, for {before}"] if before else []
        )
        yield (row.line, target.place), decimal_text(points)
    if form.comments is not None and reports:
        if values[form.comments] and not values[form.comments].startswith(MARK):
            filled.kept.append(f"{student}: a comment")
        else:
            yield (row.line, form.comments), to_comment(reports)
