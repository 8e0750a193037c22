"""The test program of "Teach the engine new tricks": two expressions, their values and their gradients.

The first is y = x ** 3 + x at x = 2, where x is used twice. The second is
z = (a * b).relu() + a.relu() + b ** 2 at a = -3 and b = -0.5: one relu is open, the other closed, and both a
and b are used twice. Every number is printed with 4 decimals:

    y = 10.0000, dy/dx = 13.0000
    z = 1.7500, dz/da = -0.5000, dz/db = -4.0000
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.engine import Value

if TYPE_CHECKING:
    from collections.abc import Iterator


def lines(value: type[Value]) -> Iterator[str]:
    """Work both expressions out with an engine's `Value`, and tell of each in a line."""
    x = value(2.0)
    y = x**3 + x
    y.backward()
    yield f"y = {y.data:.4f}, dy/dx = {x.grad:.4f}"

    a = value(-3.0)
    b = value(-0.5)
    z = (a * b).relu() + a.relu() + b**2
    z.backward()
    yield f"z = {z.data:.4f}, dz/da = {a.grad:.4f}, dz/db = {b.grad:.4f}"


def main() -> None:
    """Print the two lines."""
    print(*lines(Value), sep="\n")


if __name__ == "__main__":
    main()
