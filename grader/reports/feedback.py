"""What a student may read of a check: the one place from which the formats that students see take it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.reports.text import one_line, visible
from grader.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Collection

    from grader.verdict import Report, Result

SEEMS = "What your code seems to do"
"""What stands above a report's diagnosis."""


def word(verdict: Verdict) -> str:
    """Gives the verdict as people read it."""
    return verdict.replace("_", " ")


def asked(result: Result) -> str:
    """Gives a check's question on one line, however its author wrapped it."""
    return one_line(" ".join(result.question.split()))


def overall(report: Report) -> list[str]:
    """Gives what is said of a submission as a whole: the notes, then what its code seems to do, where that is known."""
    return [*report.notes, *([f"{SEEMS}: {report.diagnosis}"] if report.diagnosis else [])]


def explain(result: Result, notes: Collection[str] = ()) -> list[tuple[str, str]]:
    """Explains why a check did not pass, in paragraphs with a label each; there are none where it did.

    Of a hidden check they hold the verdict in general words and the hint: nothing of its inputs, and nothing
    that the student's code said.

    Args:
        result: The check's result.
        notes: The report's notes, which the student reads. Where one of them says what happened, as of a file that does
            not load, a check was never about its question: then the paragraph is the note, of a hidden check too.
    """
    if result.passed:
        return []
    if result.what in notes:
        return [("What happened", visible(result.what.strip("\n")))]
    paragraphs = [
        ("What happened", result.feedback),
        ("What the check did", "" if result.hidden else result.code),
        ("How the right answer comes about", "" if result.hidden else result.derivation),
        ("Hint", result.hint if result.verdict is not Verdict.NOT_RUN else ""),
    ]
    return [(label, visible(text.strip("\n"))) for label, text in paragraphs if text.strip()]
