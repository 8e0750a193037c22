"""Every outcome of a run as JSON: the instructor's record."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from grader.verdict import Absent, Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.verdict import Outcome, Provenance, Result

SCHEMA = 1
"""Version of the record's form, raised by every change that a reader has to know of."""


def to_json(outcomes: Iterable[Outcome]) -> str:
    r"""Writes the record `results.json`, sorted by student and exercise, its keys always in the same order.

    It is not for students: it holds what happened in hidden checks, and what they did.

    Texts are whole and as they were, but for surrogates, which UTF-8 cannot hold: they become their escape.
    Characters that do not show are written as JSON's own `\u` escapes, so the file may be printed.

    Raises:
        ValueError: A time is not finite.
    """
    ordered = sorted(outcomes, key=lambda outcome: (outcome.student, outcome.exercise))
    record = {"schema": SCHEMA, "outcomes": [_outcome(outcome) for outcome in ordered]}
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    # Whatever does not show is inside a string, but for the line feeds of the layout.
    return "".join(c if c.isprintable() or c == "\n" else _escape(c) for c in text)


def _escape(character: str) -> str:
    escape = json.dumps(character)[1:-1]
    # Strict readers refuse the whole file for one surrogate, so its escape becomes the text itself.
    return f"\\{escape}" if "\ud800" <= character <= "\udfff" else escape


def _outcome(outcome: Outcome) -> dict[str, object]:
    whose = {"student": outcome.student, "exercise": outcome.exercise}
    match outcome:
        case Report():
            return {
                **whose,
                "state": "graded",
                "title": outcome.title,
                "file": outcome.file,
                "xp": outcome.xp,
                "total_xp": outcome.total_xp,
                "seconds": outcome.seconds,
                "notes": list(outcome.notes),
                "checks": [_result(result) for result in outcome.results],
                "provenance": _provenance(outcome.provenance),
            }
        case Ungraded():
            return {**whose, "state": "ungraded", "reason": outcome.reason}
        case Absent():
            return {**whose, "state": "absent"}


def _result(result: Result) -> dict[str, object]:
    return {
        "check": result.check,
        "question": result.question,
        "hidden": result.hidden,
        "verdict": result.verdict,
        "xp": result.xp,
        "worth": result.worth,
        "hint": result.hint,
        "what": result.what,
        "code": result.code,
        "seconds": result.seconds,
    }


def _provenance(provenance: Provenance) -> dict[str, object]:
    return {
        "submission": provenance.submission,
        "exercise": provenance.exercise,
        "sandbox": provenance.sandbox,
        "image": provenance.image,
        "secret": provenance.secret,
        "versions": dict(provenance.versions),
    }
