"""The program of "Fit a line": fits y = w * x + b to points.

It reads one point from each line of standard input, x and y; without any it takes `EXAMPLE`. It prints w and
b with 2 decimals. Of the example:

    w=3.00
    b=2.00
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from reference.engine import Value
from reference.points import read_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.points import Point

EXAMPLE = tuple((x, 3 * x + 2) for x in (-2.0, -1.0, 0.0, 1.0, 2.0))
"""Five points of the line with w = 3 and b = 2."""
RATE = 0.05
STEPS = 500


def fit(points: Sequence[Point]) -> tuple[float, float]:
    """Find w and b, from 0 both, by `STEPS` steps down the mean squared error.

    They lead away from the answer where the points lie far from x = 0: where the larger eigenvalue of
    [[mean(x * x), mean(x)], [mean(x), 1]] is more than 1 / RATE.
    """
    w, b = Value(0.0), Value(0.0)
    for _ in range(STEPS):
        loss = sum(((w * x + b - y) ** 2 for x, y in points), start=Value(0.0)) / len(points)
        w.grad = b.grad = 0.0
        loss.backward()
        w.data -= RATE * w.grad
        b.data -= RATE * b.grad
    return w.data, b.data


def main() -> None:
    """Read the points, fit, print."""
    w, b = fit(read_points(sys.stdin) or EXAMPLE)
    print(f"w={w:.2f}")
    print(f"b={b:.2f}")


if __name__ == "__main__":
    main()
