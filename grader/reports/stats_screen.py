"""How the checks did in a class, as text of a given width for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Column
from rich.text import Text

from grader.reports.terminal import folded, render, table_of
from grader.reports.text import one_line
from grader.statistics import FEW

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from grader.statistics import ExerciseStatistics

_LEGEND = f"""\
Discrimination is the correlation of passing a check with the XP of the exercise's other checks, from -1 to 1: near 1, \
the check tells those who know from those who do not; below 0, look at the check. It counts the submissions of which \
every check ran, and with fewer than {FEW} it is mostly chance."""


def stats_screen(statistics: Sequence[ExerciseStatistics], *, width: int = 80, colour: bool = False) -> str:
    """Shows exercise by exercise how many pass each check, whom it tells apart, and what is odd about it."""
    parts = [part for exercise in statistics for part in _exercise(exercise)]
    return render([*parts, Text(_LEGEND)], width, colour=colour)


def _exercise(exercise: ExerciseStatistics) -> Iterator[RenderableType]:
    yield folded(f"{one_line(exercise.title)} ({one_line(exercise.exercise)})", "bold")
    yield Text(f"Graded: {exercise.graded}. With every check run: {exercise.complete}.")
    yield Text()
    numbers = (Column(Text(heading), justify="right") for heading in ("passed", "share", "discrimination"))
    table = table_of(
        Column(Text("check"), overflow="fold"), *numbers, Column(Text("remark"), overflow="fold"), padding=1
    )
    for check in exercise.checks:
        table.add_row(
            folded(one_line(check.check)),
            Text(f"{check.passed} of {check.graded}", no_wrap=True),
            Text(f"{check.percent} %", no_wrap=True),
            Text("undefined" if check.discrimination is None else f"{check.discrimination:z.2f}"),
            folded(check.remark, "yellow"),
        )
    yield table
    for group in exercise.alike:
        names = ", ".join(one_line(check) for check in group.checks)
        yield Text()
        yield folded(f"These say the same thing: {names}. {group.passed} pass all, {group.not_passed} pass none.")
    yield Text()
