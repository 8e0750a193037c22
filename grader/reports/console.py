"""What the terminal shows, as text of a given width.

Every mark and colour has its word beside it. No text is read as rich's markup. The arguments alone decide
what is returned, not the terminal and not the environment.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from grader.reports import class_list
from grader.reports.feedback import SEEMS, asked, explain, word
from grader.reports.terminal import NARROWEST, folded, render, table_of
from grader.reports.text import one_line, visible
from grader.verdict import Report, Ungraded, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.console import RenderableType

    from grader.exercise import Exercise
    from grader.verdict import Outcome, Result

_NUMBER_WIDTH = 12

_MOST_ALIKE = 10
"""How many are named that are ungraded for the same reason."""
_ROWS_AT_ONCE = 100
"""How many rows of a table are set at a time: of a row that is being set there is a lot to hold."""

_MARKS = {
    Verdict.PASSED: ("✓", "green"),
    Verdict.FAILED: ("✗", "red"),
    Verdict.OUTPUT: ("✗", "red"),
    Verdict.ERROR: ("!", "magenta"),
    Verdict.TIMEOUT: ("!", "magenta"),
    Verdict.MEMORY: ("!", "magenta"),
    Verdict.NOT_RUN: ("-", "yellow"),
}
_LONGEST_WORD = max(len(word(verdict)) for verdict in Verdict)


class ReportScreen:
    """Shows a student one file while it is graded: its name, each result as it comes, then notes and XP.

    What kept several checks from being run is said once. Lasts as long as the grading.

    Args:
        exercise: What the file is for; its checks are those that are run.
        width: Of the terminal, in columns.
        colour: Whether to use any.
    """

    def __init__(self, exercise: Exercise, *, width: int = 80, colour: bool = False) -> None:
        self._exercise = exercise
        self._width = width
        self._colour = colour
        self._digits = max((len(str(check.xp)) for check in exercise.checks), default=1)
        self._told: set[str] = set()
        self._is_spaced = True

    def begin(self, file: str, given: str = "") -> str:
        """Shows what is graded.

        Args:
            file: The name under which it is graded.
            given: The file's own name, where it may be another.
        """
        named = one_line(given or file) + (f", as {one_line(file)}" if given not in {"", file} else "")
        title = f"{one_line(self._exercise.title)} ({one_line(self._exercise.id)}), {named}"
        return self._render(folded(title, "bold"), Text())

    def result(self, result: Result) -> str:
        """Shows how a check went: what was asked, what happened, what the check did, and a hint."""
        is_told = result.feedback in self._told and not (result.hidden or result.code)
        explanation = [] if is_told else explain(result)
        if explanation:
            self._told.add(result.feedback)
        self._is_spaced = bool(explanation)
        return self._render(*_check(result, self._digits, explanation))

    def end(self, report: Report) -> str:
        """Shows what else is to be said, and the XP."""
        lines: list[RenderableType] = [] if self._is_spaced else [Text()]
        lines += [folded(f"{visible(note)}\n") for note in report.notes if note not in self._told]
        if report.diagnosis:
            seems = folded(f"{visible(report.diagnosis)}\n")
            lines += [Text(f"{SEEMS}:", "bold"), Padding(seems, (0, 0, 0, 2))]
        shown = sum(result.worth for result in report.results)
        lines.append(Text(f"XP: {report.xp} of {shown}.", "bold"))
        if shown < report.total_xp:
            lines.append(Text(f"Hidden checks decide the other {report.total_xp - shown} of {report.total_xp}."))
        return self._render(*lines)

    def _render(self, *parts: RenderableType) -> str:
        return render(parts, self._width, colour=self._colour)


def class_table(
    outcomes: Sequence[Outcome],
    exercises: Sequence[Exercise],
    names: Mapping[str, str] = class_list.NO_NAMES,
    *,
    width: int = 80,
    colour: bool = False,
) -> Iterator[str]:
    """Shows the XP of a class, students by exercises, then what is ungraded and why, then the counts: piece by piece.

    Zero, `absent` and `ungraded` are told apart, and a total that lacks something ungraded says so. Exercises
    for which the width has no room follow in further tables. Students stand there by id, with their names.
    """
    called = {outcome.student: one_line(class_list.called(outcome.student, names)) for outcome in outcomes}
    parts = itertools.chain(
        _tables(outcomes, exercises, called, max(width, NARROWEST)),
        _ungraded(outcomes, called),
        [Text(class_list.counts(outcomes))],
    )
    return (render([part], width, colour=colour) for part in parts)


def exercise_list(
    exercises: Sequence[Exercise], passed_over: Sequence[str] = (), *, width: int = 80, colour: bool = False
) -> str:
    """Shows the exercises of a course: id, title, file to hand in, XP and number of checks.

    Args:
        exercises: The exercises.
        passed_over: Names of folders that are not listed, because they have no `exercise.toml`.
        width: Of the terminal, in columns.
        colour: Whether to use any.
    """
    others = [folded(f"exercises/{one_line(name)} has no exercise.toml, so it is not listed.") for name in passed_over]
    return render([_exercises(exercises), *others], width, colour=colour)


def _check(result: Result, digits: int, explanation: Sequence[tuple[str, str]]) -> Iterator[RenderableType]:
    mark, style = _MARKS[result.verdict]
    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_row(
        Text(f"{mark} {word(result.verdict):{_LONGEST_WORD}}", style, no_wrap=True),
        Text(f"{result.xp:{digits}} of {result.worth:{digits}} XP", no_wrap=True),
        folded(asked(result) + (" (hidden)" if result.hidden else "")),
    )
    yield row
    for label, text in explanation:
        yield Padding(Text(f"{label}:", "dim"), (0, 0, 0, 2))
        yield Padding(folded(text), (0, 0, 0, 4))
    if explanation:
        yield Text()


def _tables(
    outcomes: Iterable[Outcome], exercises: Sequence[Exercise], called: Mapping[str, str], width: int
) -> Iterator[RenderableType]:
    rows = class_list.rows(outcomes, exercises)
    students = list(rows)
    longest = max(map(cell_len, ("student", *called.values())))
    student_width = min(longest, width // 3)
    # A space comes before each column of numbers; one of them is the total.
    at_once = max(1, (width - student_width) // (1 + _NUMBER_WIDTH) - 1)
    for start in range(0, len(exercises), at_once):
        shown = slice(start, start + at_once)
        has_total = shown.stop >= len(exercises) > 1
        for first in range(0, len(students) or 1, _ROWS_AT_ONCE):
            columns = [_number_column(exercise.id, exercise.xp) for exercise in exercises[shown]]
            if has_total:
                columns.append(_number_column("total", sum(exercise.xp for exercise in exercises)))
            # Without padding, whose part in a fixed width differs between versions of rich.
            names = Column(Text("student"), width=student_width, overflow="fold")
            table = table_of(names, *columns, padding=0)
            table.show_header = not first
            for student in students[first : first + _ROWS_AT_ONCE]:
                sums = [Text(class_list.total(rows[student]), "bold")] if has_total else []
                table.add_row(folded(called[student]), *map(_xp, rows[student][shown]), *sums)
            yield table
        yield Text()


def _number_column(name: str, xp: int) -> Column:
    return Column(Text(f"{one_line(name)}\nof {xp}"), width=_NUMBER_WIDTH, justify="right", overflow="fold")


def _xp(outcome: Outcome | None) -> Text:
    match outcome:
        case Report():
            style = "green" if outcome.xp == outcome.total_xp else ""
        case Ungraded():
            style = "magenta"
        case _:
            style = "dim"
    return Text(class_list.cell(outcome), style)


def _ungraded(outcomes: Iterable[Outcome], called: Mapping[str, str]) -> Iterator[RenderableType]:
    ungraded = class_list.ungraded(outcomes)
    if not ungraded:
        return
    yield Text("Ungraded, which is neither a zero nor a pass:", "bold")
    reasons: dict[str, list[Ungraded]] = {}
    for outcome in ungraded:
        reasons.setdefault(outcome.reason, []).append(outcome)
    for reason, alike in reasons.items():
        whose = [f"{called[outcome.student]}, {one_line(outcome.exercise)}" for outcome in alike[:_MOST_ALIKE]]
        more = f"; and {len(alike) - _MOST_ALIKE} more" if len(alike) > _MOST_ALIKE else ""
        yield Padding(folded(f"{'; '.join(whose)}{more}:"), (0, 0, 0, 2))
        yield Padding(folded(visible(reason)), (0, 0, 0, 4))
    yield Text()


def _exercises(exercises: Iterable[Exercise]) -> Table:
    headings = ("exercise", "title", "hand in", "XP", "checks")
    table = table_of(*(Column(Text(heading), overflow="fold") for heading in headings), padding=1)
    for exercise in exercises:
        hidden = sum(check.hidden for check in exercise.checks)
        elsewhere = exercise.xp - sum(check.xp for check in exercise.checks)
        checks = f"{len(exercise.checks) - hidden} public, {f'{elsewhere} XP' if elsewhere else hidden} hidden"
        cells = (exercise.id, exercise.title, exercise.submit, str(exercise.xp), checks)
        table.add_row(*(folded(one_line(cell)) for cell in cells))
    return table
