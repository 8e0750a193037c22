"""The test program of "Teach the engine new tricks": two expressions, their values and their gradients.

The first is y = x ** 3 + x at x = 2, where x is used twice. The second is
z = (a * b).relu() + a.relu() + b ** 2 at a = -3 and b = -0.5: one relu is open, the other closed, and both a
and b are used twice. Every number is printed with 4 decimals:

    y = 10.0000, dy/dx = 13.0000
    z = 1.7500, dz/da = -0.5000, dz/db = -4.0000
"""

from __future__ import annotations

from reference.engine import Value


def main() -> None:
    """Print the two lines."""
    x = Value(2.0)
    y = x**3 + x
    y.backward()
    print(f"y = {y.data:.4f}, dy/dx = {x.grad:.4f}")

    a = Value(-3.0)
    b = Value(-0.5)
    z = (a * b).relu() + a.relu() + b**2
    z.backward()
    print(f"z = {z.data:.4f}, dz/da = {a.grad:.4f}, dz/db = {b.grad:.4f}")


if __name__ == "__main__":
    main()
