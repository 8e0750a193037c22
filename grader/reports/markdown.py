"""A class and a student's report as GitHub-flavoured Markdown, such as the summary of a step of GitHub Actions.

What others wrote stands in code, where nothing is markup and GitHub looks for no mention, issue, emoji or link. Escapes
alone would not keep it from that, since it looks when they are resolved. What the course's author wrote is shown as
text, with all that could be markup escaped. There is no HTML. The grammar is https://github.github.com/gfm/.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grader.reports import class_list
from grader.reports.feedback import SEEMS, asked, explain, word
from grader.reports.text import visible
from grader.verdict import Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from grader.exercise import Exercise
    from grader.verdict import Outcome, Result, Ungraded

LIMIT = 1024 * 1024
"""The most bytes of a summary that GitHub takes from one step."""

_CUT = "\n**There is more than fits here.**\n"
_LONGEST_CELL = 200
_LONGEST_RUN = 60
"""How many backticks may stand in a row: cmark-gfm tells fences of more than 255 no longer apart."""

_ACTIVE = re.compile(
    r"(?P<late>(?:[@#$]|//|:(?=\S)|(?<=www)\.|\bgh-(?=\d)|\b[0-9a-f]{7,40}\b)+)|[\\`*_\[\]<>&~|]", re.IGNORECASE
)
"""What may mean more than itself in a paragraph or a table; the first part is what GitHub looks for in the end:
mentions, issues, commits, emoji, links and mathematics.
"""


def report_markdown(outcome: Report | Ungraded, *, limit: int = LIMIT) -> str:
    """Shows a student one submission: a table of the checks, then what happened where one did not pass.

    Args:
        outcome: What became of it.
        limit: The most bytes to return, as UTF-8; what is over it is left out, and that is said.
    """
    return _within(limit, _report(outcome) if isinstance(outcome, Report) else _ungraded_report(outcome))


def class_markdown(
    outcomes: Sequence[Outcome],
    exercises: Sequence[Exercise],
    names: Mapping[str, str] = class_list.NO_NAMES,
    *,
    limit: int = LIMIT,
) -> str:
    """Shows the instructor the XP of a class, students by exercises, then what is ungraded and why, then the counts.

    Args:
        outcomes: At most one for each student and exercise.
        exercises: The columns, in order.
        names: What people call the students, by id.
        limit: As for `report_markdown`.
    """
    return _within(limit, _class(outcomes, exercises, names))


def _class(outcomes: Sequence[Outcome], exercises: Sequence[Exercise], names: Mapping[str, str]) -> Iterator[str]:
    yield "# XP\n\n"
    headings = [f"{_code(exercise.id)} of {exercise.xp}" for exercise in exercises]
    has_total = len(exercises) > 1
    if has_total:
        headings.append(f"total of {sum(exercise.xp for exercise in exercises)}")
    yield _row(["student", *headings])
    yield _row(["---", *["---:" for _ in headings]])
    for student, row in class_list.rows(outcomes, exercises).items():
        totals = [class_list.total(row)] if has_total else []
        yield _row([_code(class_list.called(student, names)), *map(class_list.cell, row), *totals])
    yield f"\n{class_list.counts(outcomes)}\n"
    ungraded = class_list.ungraded(outcomes)
    if ungraded:
        yield "\n## Ungraded, which is neither a zero nor a pass\n"
    for outcome in ungraded:
        whose = f"{_code(class_list.called(outcome.student, names))}, {_code(outcome.exercise)}"
        yield f"\n{whose}:\n\n{_block(outcome.reason)}"


def _report(report: Report) -> Iterator[str]:
    yield f"# {_prose(report.title)}\n\n"
    worth = sum(result.worth for result in report.results)
    yield f"{_code(report.exercise)}, {_code(report.file)}: **{report.xp} of {worth} XP**\n"
    if worth < report.total_xp:
        yield f"\nHidden checks decide the other {report.total_xp - worth} of {report.total_xp}.\n"
    for note in report.notes:
        yield f"\n{_block(note)}"
    if report.diagnosis:
        yield f"\n{SEEMS}: {_prose(report.diagnosis)}\n"
    yield "\n"
    yield _row(["verdict", "XP", "check"])
    yield _row(["---", "---:", "---"])
    for result in report.results:
        question = _prose(asked(result)) + (" (hidden)" if result.hidden else "")
        yield _row([word(result.verdict), f"{result.xp} of {result.worth}", question])
    for result in report.results:
        if not (result.passed or result.what in report.notes):
            yield from _explanation(result)


def _explanation(result: Result) -> Iterator[str]:
    yield f"\n## {word(result.verdict)}: {_prose(asked(result))}\n"
    for label, text in explain(result):
        ours = result.hidden or label == "Hint"
        yield f"\n{label}: {_prose(text)}\n" if ours else f"\n{label}:\n\n{_block(text)}"


def _ungraded_report(outcome: Ungraded) -> Iterator[str]:
    yield f"# {_code(outcome.exercise)}\n\n"
    yield "This submission could not be graded, through no fault of its student: it is neither a zero nor a pass.\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _code(text: str) -> str:
    """One line as a code span, also in a table: readers do not agree on whether a bar after a backslash ends a cell."""
    shown = visible(text, limit=_LONGEST_CELL, keep="").replace("|", r"\x7c").replace("`", r"\x60")
    return f"`{shown}`" if shown else ""


def _block(text: str) -> str:
    """Lines as a block of code, in fences that are longer than any run of backticks in it."""
    shown = visible(text.strip("\n"))
    shown = re.sub(f"`{{{_LONGEST_RUN + 1},}}", lambda run: r"\x60" * len(run[0]), shown)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", shown)), default=0))
    return f"{fence}\n{shown}\n{fence}\n"


def _prose(text: str) -> str:
    """Text of the course's author on one line, to stand after something else on it."""
    return _ACTIVE.sub(_escape, visible(" ".join(text.split()), keep=""))


def _escape(active: re.Match[str]) -> str:
    if active["late"]:
        return f"`{active[0]}`"
    return "&#124;" if active[0] == "|" else f"\\{active[0]}"


def _within(limit: int, pieces: Iterable[str]) -> str:
    """Joins as many pieces as there is room for; a document may end after each."""
    room = limit - len(_CUT)
    kept: list[str] = []
    for piece in pieces:
        room -= len(piece.encode())
        if room < 0:
            kept.append(_CUT)
            break
        kept.append(piece)
    return "".join(kept) if limit >= len(_CUT) else ""
