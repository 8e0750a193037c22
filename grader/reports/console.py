"""What the terminal shows, as text of a given width.

Every mark and colour has its word beside it. No text is read as rich's markup. The arguments alone decide
what is returned, not the terminal and not the environment.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from grader.reports.feedback import asked, explain, word
from grader.reports.text import one_line, visible
from grader.verdict import Absent, Report, Ungraded, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import RenderableType

    from grader.exercise import Exercise
    from grader.verdict import Outcome, Result

NARROWEST = 40
"""The least width, in columns, that is kept to."""

_NUMBER_WIDTH = 12

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


def report_screen(report: Report, *, width: int = 80, colour: bool = False) -> str:
    """Shows a student one graded file: check by check what was asked and what happened, then XP and notes."""
    return _render(_report(report), width, colour=colour)


def class_table(
    outcomes: Sequence[Outcome], exercises: Sequence[Exercise], *, width: int = 80, colour: bool = False
) -> str:
    """Shows the XP of a class, students by exercises, then what is ungraded and why, then the counts.

    Zero, `absent` and `ungraded` are told apart, and a total that lacks something ungraded says so. Exercises
    for which the width has no room follow in further tables.
    """
    parts = [*_tables(outcomes, exercises, max(width, NARROWEST)), *_ungraded(outcomes), _counts(outcomes)]
    return _render(parts, width, colour=colour)


def exercise_list(exercises: Sequence[Exercise], *, width: int = 80, colour: bool = False) -> str:
    """Shows the exercises of a course: id, title, file to hand in, XP and number of checks."""
    return _render([_exercises(exercises)], width, colour=colour)


def _render(parts: Iterable[RenderableType], width: int, *, colour: bool) -> str:
    stream = io.StringIO()
    # All of these are given, the height too, since rich asks the environment for whatever is not.
    console = Console(
        file=stream,
        width=max(width, NARROWEST),
        height=25,
        color_system="standard" if colour else None,
        no_color=not colour,
        force_terminal=colour,
        force_interactive=False,
        force_jupyter=False,
        legacy_windows=False,
    )
    for part in parts:
        console.print(part)
    return "\n".join(line.rstrip() for line in stream.getvalue().split("\n"))


def _report(report: Report) -> Iterator[RenderableType]:
    yield _text(f"{one_line(report.title)} ({one_line(report.exercise)}), {one_line(report.file)}", "bold")
    yield Text()
    digits = max((len(str(result.worth)) for result in report.results), default=1)
    for note in report.notes:
        yield _text(f"{visible(note)}\n")
    for result in report.results:
        yield from _check(result, digits, is_explained=result.what in report.notes)
    shown = sum(result.worth for result in report.results)
    if not report.results or report.results[-1].passed or report.results[-1].what in report.notes:
        yield Text()  # any other check ends with one
    yield Text(f"XP: {report.xp} of {shown}.", "bold")
    if shown < report.total_xp:
        yield Text(f"Hidden checks decide the other {report.total_xp - shown} of {report.total_xp}.")


def _check(result: Result, digits: int, *, is_explained: bool) -> Iterator[RenderableType]:
    mark, style = _MARKS[result.verdict]
    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_row(
        Text(f"{mark} {word(result.verdict):{_LONGEST_WORD}}", style, no_wrap=True),
        Text(f"{result.xp:{digits}} of {result.worth:{digits}} XP", no_wrap=True),
        _text(asked(result) + (" (hidden)" if result.hidden else "")),
    )
    yield row
    for label, text in [] if is_explained else explain(result):
        yield Padding(Text(f"{label}:", "dim"), (0, 0, 0, 2))
        yield Padding(_text(text), (0, 0, 0, 4))
    if not (result.passed or is_explained):
        yield Text()


def _tables(outcomes: Iterable[Outcome], exercises: Sequence[Exercise], width: int) -> Iterator[RenderableType]:
    known = {(outcome.student, outcome.exercise): outcome for outcome in outcomes}
    rows = {
        student: [known.get((student, exercise.id)) for exercise in exercises]
        for student in sorted({student for student, _ in known})
    }
    longest = max(cell_len(one_line(student)) for student in ("student", *rows))
    student_width = min(longest, width // 3)
    # A space comes before each column of numbers; one of them is the total.
    at_once = max(1, (width - student_width) // (1 + _NUMBER_WIDTH) - 1)
    total = _number_column("total", sum(exercise.xp for exercise in exercises))
    for start in range(0, len(exercises), at_once):
        part = slice(start, start + at_once)
        ends = [total] if part.stop >= len(exercises) else []
        columns = [_number_column(exercise.id, exercise.xp) for exercise in exercises[part]]
        # Without padding, whose part in a fixed width differs between versions of rich.
        names = Column(Text("student"), width=student_width, overflow="fold")
        table = _table(names, *columns, *ends, padding=0)
        for student, row in rows.items():
            table.add_row(_text(one_line(student)), *map(_xp, row[part]), *[_total(row) for _ in ends])
        yield table
        yield Text()


def _number_column(name: str, xp: int) -> Column:
    return Column(Text(f"{one_line(name)}\nof {xp}"), width=_NUMBER_WIDTH, justify="right", overflow="fold")


def _xp(outcome: Outcome | None) -> Text:
    match outcome:
        case Report():
            return Text(str(outcome.xp), "green" if outcome.xp == outcome.total_xp else "")
        case Ungraded():
            return Text("ungraded", "magenta")
        case Absent():
            return Text("absent", "dim")
        case None:
            return Text()


def _total(row: Sequence[Outcome | None]) -> Text:
    graded = [outcome.xp for outcome in row if isinstance(outcome, Report)]
    terms = [str(sum(graded))] if graded else []
    if any(isinstance(outcome, Ungraded) for outcome in row):
        terms.append("?")
    return Text(" + ".join(terms), "bold")


def _ungraded(outcomes: Iterable[Outcome]) -> Iterator[RenderableType]:
    ungraded = [outcome for outcome in outcomes if isinstance(outcome, Ungraded)]
    if not ungraded:
        return
    yield Text("Ungraded, which is neither a zero nor a pass:", "bold")
    for outcome in sorted(ungraded, key=lambda outcome: (outcome.student, outcome.exercise)):
        yield Padding(_text(f"{one_line(outcome.student)}, {one_line(outcome.exercise)}:"), (0, 0, 0, 2))
        yield Padding(_text(visible(outcome.reason)), (0, 0, 0, 4))
    yield Text()


def _counts(outcomes: Sequence[Outcome]) -> Text:
    students = len({outcome.student for outcome in outcomes})
    ungraded = sum(isinstance(outcome, Ungraded) for outcome in outcomes)
    absent = sum(isinstance(outcome, Absent) for outcome in outcomes)
    graded = len(outcomes) - ungraded - absent
    return Text(f"Students: {students}. Submissions: {graded} graded, {ungraded} ungraded, {absent} absent.")


def _exercises(exercises: Iterable[Exercise]) -> Table:
    headings = ("exercise", "title", "hand in", "XP", "checks")
    table = _table(*(Column(Text(heading), overflow="fold") for heading in headings), padding=1)
    for exercise in exercises:
        hidden = sum(check.hidden for check in exercise.checks)
        checks = f"{len(exercise.checks) - hidden} public, {hidden} hidden"
        cells = (exercise.id, exercise.title, exercise.submit, str(exercise.xp), checks)
        table.add_row(*(_text(one_line(cell)) for cell in cells))
    return table


def _table(*columns: Column, padding: int) -> Table:
    # The padding of outer columns with a fixed width differs between versions of rich.
    return Table(*columns, box=box.SIMPLE_HEAD, padding=(0, padding), show_edge=False, pad_edge=False, header_style="")


def _text(text: str, style: str = "") -> Text:
    """Builds text that is folded, not cut, where a word is too long for its line."""
    return Text(text, style, overflow="fold")
