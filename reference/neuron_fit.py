"""The program of "Train a neuron": fits y = tanh(w * x + b) to examples.

It reads one example from each line of standard input, x and y; without any it takes `LESSON`. It prints the
loss of every 100th step with 4 decimals, and at last w and b with 2. Of the lesson's examples:

    step 0: loss 1.8224
    step 100: loss 0.0001
    step 200: loss 0.0000
    step 300: loss 0.0000
    w = 2.00, b = -1.00
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, NamedTuple

from reference.engine import Value
from reference.points import read_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.points import Point

LESSON = tuple((x, math.tanh(2 * x - 1)) for x in (-1.0, 0.0, 0.5, 1.0))
"""Four examples of a neuron with w = 2 and b = -1."""
RATE = 0.2
STEPS = 301


class Fit(NamedTuple):
    """What training came to.

    Attributes:
        losses: The loss of each step, before that step changed the neuron.
        w: The weight after the last step.
        b: The bias after the last step.
    """

    losses: list[float]
    w: float
    b: float


def fit(points: Sequence[Point]) -> Fit:
    """Train a neuron from w = 0.1 and b = 0 by `STEPS` steps down the sum of squared errors."""
    w, b = Value(0.1), Value(0.0)
    losses = []
    for _ in range(STEPS):
        loss = sum((((w * x + b).tanh() - y) ** 2 for x, y in points), start=Value(0.0))
        losses.append(loss.data)
        w.grad = b.grad = 0.0
        loss.backward()
        w.data -= RATE * w.grad
        b.data -= RATE * b.grad
    return Fit(losses, w.data, b.data)


def main() -> None:
    """Read the examples, train, print."""
    losses, w, b = fit(read_points(sys.stdin) or LESSON)
    for step in range(0, STEPS, 100):
        print(f"step {step}: loss {losses[step]:.4f}")
    print(f"w = {w:.2f}, b = {b:.2f}")


if __name__ == "__main__":
    main()
