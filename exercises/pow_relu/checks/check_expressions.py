"""What a student can see, continued: two hundred small expressions, the smallest first.

`expressions.txt` has them, one a line. The first that a wrong engine fails is about the smallest there is, and short
enough to follow by hand.
"""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

EXPRESSIONS = Path(__file__).with_name("expressions.txt").read_text(encoding="utf-8").splitlines()


@functools.cache
def compiled(expression):
    """An expression that may be asked of many students, ready to run."""
    return compile(expression, "an expression", "exec")


@pytest.mark.parametrize("expression", EXPRESSIONS)
def check_expressions(engine, expression):
    """Small expressions, simple ones first, have the right value and the right gradients."""
    names = {"Value": engine.Value, "__builtins__": {}}
    exec(compiled(expression), names)  # noqa: S102  # a line of our own file
    gradients = [name for name in names if name not in {"Value", "__builtins__", "y"}]
    return {"y.data": names["y"].data, **{f"{name}.grad": names[name].grad for name in gradients}}
