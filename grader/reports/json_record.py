"""Every outcome of a run as JSON: the instructor's record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.record import SCHEMA, to_record, write_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.verdict import Outcome


def to_json(outcomes: Iterable[Outcome]) -> str:
    r"""Writes the record `results.json`, sorted by student and exercise, its keys always in the same order.

    It is not for students: it holds what happened in hidden checks, and what they did.

    Texts are whole and as they were, but for surrogates, which UTF-8 cannot hold: they become their escape.
    Characters that do not show are written as JSON's own `\u` escapes, so the file may be printed.

    Raises:
        ValueError: A time is not finite.
    """
    ordered = sorted(outcomes, key=lambda outcome: (outcome.student, outcome.exercise))
    return write_json({"schema": SCHEMA, "outcomes": [to_record(outcome) for outcome in ordered]}, indent=2) + "\n"
