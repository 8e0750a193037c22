"""What a student may read, as the comment beside a grade on a platform: a piece of HTML on one line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grader.reports.feedback import SEEMS, asked, explain, word
from grader.reports.text import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.verdict import Report, Result

MARK = "<div class='grader-feedback'>"
"""How each of these comments begins, so that it can be told from one that somebody wrote."""

_ACTIVE = re.compile("[&<>\"'=+@;\n\t\uff1d\uff0b\uff0d\uff20-]")
"""What HTML gives a meaning to, and what could begin a formula, or end a cell, where a semicolon or a tab does."""


def to_comment(reports: Iterable[Report]) -> str:
    """Writes the comment about some exercises of one student.

    It holds each check's question and verdict, what `feedback.explain` says, and what the code seems to do. Texts that
    are not ours are escaped, and are inert in a table too, whatever separates its cells.
    """
    return f"{MARK}{''.join(piece for report in reports for piece in _report(report))}</div>"


def _report(report: Report) -> Iterator[str]:
    yield f"<p><strong>{_text(one_line(report.title))}</strong> {report.xp} of {report.total_xp} XP</p>"
    for note in report.notes:
        yield f"<pre>{_text(visible(note))}</pre>"
    if report.diagnosis:
        yield f"<p><strong>{SEEMS}</strong><br>{_prose(one_line(report.diagnosis))}</p>"
    yield f"<ul>{''.join(_result(result, said=result.what in report.notes) for result in report.results)}</ul>"


def _result(result: Result, *, said: bool) -> str:
    verdict = f"<strong>{word(result.verdict)}</strong> {result.xp} of {result.worth} XP"
    explained = [] if said else [f"<br>{label}<pre>{_text(text)}</pre>" for label, text in explain(result)]
    return f"<li>{verdict}<br>{_text(asked(result))}{''.join(explained)}</li>"


def _prose(text: str) -> str:
    """Text of the course's author, with what stands in backticks as code."""
    pieces = map(_text, text.split("`"))
    return "".join(f"<code>{piece}</code>" if place % 2 else piece for place, piece in enumerate(pieces))


def _text(text: str) -> str:
    return _ACTIVE.sub(lambda sign: f"&#{ord(sign[0])};", text)
