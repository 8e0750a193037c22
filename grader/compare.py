"""The only place where numbers are compared."""

from __future__ import annotations

import math
from typing import Any

from grader.errors import ExerciseError
from grader.stand_in import Opaque

RELATIVE = 1e-11
"""Relative tolerance: some thousand times what honest rounding costs, and too tight for finite differences."""
ABSOLUTE = 1e-12
"""Absolute tolerance, for what is zero but for rounding."""

_MAX_SHOWN = 3


def agree(expected: object, observed: object) -> str:
    """Compare what the reference answered with what the student's code answered.

    An int and a float agree by value; a bool agrees with a bool and text with the same text. NaN and the infinities
    agree only with themselves: a NaN that the student computed is right only where the reference computed one. Lists
    and tuples agree if their lengths and all their items do, dictionaries if their keys and all their values do.

    Returns:
        What is wrong, one line for each of the first few values that disagree; empty if they agree.

    Raises:
        ExerciseError: The reference answered with something that is no plain value, so the check is at fault.
    """
    wrong: list[str] = []
    _compare("", expected, observed, wrong)
    if len(wrong) > _MAX_SHOWN:
        wrong[_MAX_SHOWN:] = [f"... and {len(wrong) - _MAX_SHOWN} more"]
    return "\n".join(wrong)


def _compare(path: str, expected: Any, observed: Any, wrong: list[str]) -> None:  # noqa: ANN401  # any plain value
    at = f"{path}: " if path else ""
    kind = _kind(expected)
    for value in [expected, *expected] if kind == "dictionary" else [expected]:
        if not _kind(value):
            raise ExerciseError("a check", [f"{at}it returns an object of type {type(value).__name__}; return numbers"])
    if _kind(observed) != kind:
        wrong.append(f"{at}expected {_ARTICLE[kind]}, got {_shown(observed)}")
    elif kind == "list" and len(expected) == len(observed):
        for index in range(len(expected)):
            _compare(f"{path}[{index}]", expected[index], observed[index], wrong)
    elif kind == "list":
        wrong.append(f"{at}expected {len(expected)} values, got {len(observed)}")
    elif kind == "dictionary" and expected.keys() == observed.keys():
        for key in expected:
            _compare(f"{path}, {key}" if path else str(key), expected[key], observed[key], wrong)
    elif kind == "dictionary":
        wrong.append(f"{at}expected {_shown(list(expected))}, got {_shown(list(observed))}")
    elif not (_close(expected, observed) if kind == "number" else expected == observed):
        wrong.append(f"{at}expected {_shown(expected)}, got {_shown(observed)}")


def _close(expected: float, observed: float) -> bool:
    """Whether two numbers agree; written so that a NaN on one side alone never does: a test must hold to accept."""
    if expected != expected:  # noqa: PLR0124  # the one value that differs from itself
        return observed != observed  # noqa: PLR0124  # the same
    if expected == observed:
        return True
    try:
        gap, size = abs(expected - observed), abs(expected)
        return math.isfinite(gap) and gap <= ABSOLUTE + RELATIVE * size
    except OverflowError:  # an integer too large for a float
        return False


_ARTICLE = {
    "number": "a number",
    "bool": "True or False",
    "text": "text",
    "nothing": "None",
    "list": "a list",
    "dictionary": "a dictionary",
}


def _kind(value: object) -> str:
    """What a value can be compared as; empty if it is none of it. Types are exact: no subclass passes for a number."""
    kinds = {int: "number", float: "number", bool: "bool", str: "text", list: "list", tuple: "list", dict: "dictionary"}
    return "nothing" if value is None else kinds.get(type(value), "")


def _shown(value: object) -> str:
    if isinstance(value, Opaque):
        return f"an object of type {value.type_name}"
    if isinstance(value, int) and value.bit_length() > 200:  # noqa: PLR2004  # about sixty digits
        return f"an integer of {value.bit_length()} bits"
    try:
        text = repr(value)
    except ValueError:  # a large integer somewhere inside
        return "a collection with an integer of thousands of digits"
    return text if len(text) <= 200 else f"{text[:200]}..."  # noqa: PLR2004  # about two lines
