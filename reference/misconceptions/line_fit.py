"""What goes wrong in "Fit a line"."""

from __future__ import annotations

import functools
from typing import Any

from reference import line_fit
from reference.misconceptions import Misconception, Way
from reference.misconceptions.training import Recipe, usual
from reference.points import read_points

ASKED = Recipe(
    start=(0.0, 0.0),
    steps=line_fit.STEPS,
    rates=(line_fit.RATE, line_fit.RATE),
    share=lambda count: 1 / count,
    squash=lambda x: x,
    slope=lambda *_: 1.0,
)
"""What the exercise asks for."""


def _mean(parts: list[float]) -> float:
    return sum(parts) / len(parts)


def _twice_the_mean(parts: list[float]) -> float:
    return 2 / len(parts) * sum(parts)


def _from_the_last(parts: list[float]) -> float:
    return sum(reversed(parts))


MANNERS: tuple[dict[str, Any], ...] = (
    {"square": lambda error: error**2},
    {"gather": (_from_the_last, _from_the_last)},
    {"share": lambda _: 1.0, "gather": (_mean, _mean)},
    {"share": lambda _: 0.5, "gather": (_twice_the_mean, _twice_the_mean)},
)
"""As right, and differently rounded. A power may also be too large, where a product is infinite."""


def program(recipe: Recipe, stdin: str) -> str:
    """Print what a fit by a recipe comes to."""
    _, w, b = recipe.fit(recipe.read(stdin.splitlines()))
    return _printed(w, b)


def _printed(w: float, b: float) -> str:
    return f"w={w:.2f}\nb={b:.2f}\n"


def _best_line(stdin: str) -> str:
    """Print the line that fits best; raise ZeroDivisionError where there is more than one."""
    xs, ys = zip(*read_points(stdin.splitlines()), strict=True)
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    w = sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True)) / sum((x - middle_x) ** 2 for x in xs)
    return _printed(w, middle_y - w * middle_x)


MISCONCEPTIONS = (
    *usual(ASKED, program, "points", *MANNERS),
    Misconception(
        "sum",
        "The loss seems to be the sum of the squared errors, or its gradient that of the sum; look at the division, and"
        " at whether a gradient goes through it.",
        (Way(functools.partial(program, ASKED.but(share=lambda _: 1.0))),),
    ),
    Misconception(
        "best-line",
        "The program seems to print the line that fits best, whether or not the steps lead there; look at where `w` and"
        " `b` come from.",
        (Way(_best_line),),
    ),
    Misconception(
        "points-ignored",
        "The program seems to print the line of the first example in the README, whatever there is to read; look at"
        " what becomes of the lines.",
        (Way(lambda _: _printed(3.0, 2.0)),),
    ),
)
