"""What goes wrong in "Train a neuron"."""

from __future__ import annotations

import functools
import math
from typing import Any

from reference import neuron_fit
from reference.misconceptions import Misconception, Way
from reference.misconceptions.training import Recipe, usual
from reference.points import read_points

ASKED = Recipe(
    start=(0.1, 0.0),
    steps=neuron_fit.STEPS,
    rates=(neuron_fit.RATE, neuron_fit.RATE),
    share=lambda _: 1.0,
    squash=math.tanh,
    slope=lambda _, t: 1 - t * t,
    read=lambda lines: read_points(lines) or neuron_fit.LESSON,
)
"""What the exercise asks for."""


def program(
    recipe: Recipe, stdin: str, *, shown: range | None = None, late: bool = False, counted_from: int = 0
) -> str:
    """Print what training by a recipe comes to.

    Args:
        recipe: How it is trained.
        stdin: Standard input.
        shown: The steps whose losses are printed; otherwise every 100th that there is.
        late: Whether they are losses after the step.
        counted_from: The number of the first step.
    """
    losses, w, b = recipe.fit(recipe.read(stdin.splitlines()))
    lines = [
        f"step {step + counted_from}: loss {losses[step + late]:.4f}" for step in shown or range(0, recipe.steps, 100)
    ]
    return "\n".join([*lines, f"w = {w:.2f}, b = {b:.2f}", ""])


def _way(recipe: Recipe = ASKED, **printing: Any) -> Way:  # noqa: ANN401  # as `program` has them
    return Way(functools.partial(program, recipe, **printing))


MISCONCEPTIONS = (
    *usual(ASKED, program, "examples"),
    Misconception(
        "last-step-skipped",
        "The last step seems to be left out; look at where the loop ends, and whether `w` and `b` change before it"
        " does.",
        (_way(ASKED.but(steps=300), shown=range(0, 301, 100)),),
    ),
    Misconception(
        "mean",
        "The loss seems to be divided by the number of examples; look at what is done once it is added up.",
        (_way(ASKED.but(share=lambda count: 1 / count)),),
    ),
    Misconception(
        "loss-halved",
        "The loss seems to be half of what is asked; look at its factors.",
        (_way(ASKED.but(share=lambda _: 0.5)),),
    ),
    Misconception(
        "loss-after-step",
        "The losses that are printed seem to be those after the step; look at when they are computed.",
        (_way(late=True),),
    ),
    Misconception(
        "step-zero-missing",
        "The loss seems to be printed from step 100 on; look at the condition that decides whether to print.",
        (_way(shown=range(100, 301, 100)), _way(shown=range(99, 300, 100), counted_from=1)),
    ),
    Misconception(
        "without-tanh",
        "The neuron seems to answer without tanh; look at what is compared with `y`.",
        (_way(ASKED.but(squash=lambda x: x, slope=lambda *_: 1.0)),),
    ),
    Misconception(
        "tanh-slope",
        "The gradient of tanh seems to be wrong; look at its backward rule.",
        tuple(
            _way(ASKED.but(slope=slope))
            for slope in (
                lambda *_: 1.0,
                lambda _, t: 1 - t,
                lambda x, _: 1 - x * x,
                lambda _, t: t * (1 - t),
                lambda _, t: 1 + t * t,
                lambda _, t: 1 - math.tanh(t) ** 2,
            )
        ),
    ),
    Misconception(
        "lesson-always",
        "The lesson's examples seem to be used whatever there is to read; look at what becomes of the lines.",
        (_way(ASKED.but(read=lambda _: neuron_fit.LESSON)),),
    ),
)
