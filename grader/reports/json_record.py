"""Every outcome of a run as JSON: the instructor's record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.record import SCHEMA, to_record, write_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.verdict import Outcome


def to_json(outcomes: Iterable[Outcome]) -> Iterator[str]:
    r"""Writes the record `results.json` piece by piece, its keys always in the same order.

    It is not for students: it holds what happened in hidden checks, and what they did.

    Texts are whole and as they were, but for surrogates, which UTF-8 cannot hold: they become their escape.
    Characters that do not show are written as JSON's own `\u` escapes, so the file may be printed.

    Args:
        outcomes: By student, then exercise.

    Raises:
        ValueError: A time is not finite.
    """
    between = ""
    yield f'{{\n  "schema": {SCHEMA},\n  "outcomes": ['
    for outcome in outcomes:
        # All line feeds are those of the layout, since the ones of texts are escaped.
        yield f"{between}\n{write_json(to_record(outcome), indent=2)}".replace("\n", "\n    ")
        between = ","
    yield "\n  ]\n}\n" if between else "]\n}\n"
