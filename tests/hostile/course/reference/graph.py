"""A small micrograd: numbers that remember their slopes, and pass gradients back in an order that is counted out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class Value:
    """A number, its gradient, and the slopes towards what it was made of."""

    def __init__(self, data: float, slopes: tuple[tuple[Value, float], ...] = ()) -> None:
        self.data = data
        self.grad = 0.0
        self.slopes = slopes

    def __add__(self, other: Value | float) -> Value:
        """The sum."""
        other = _value(other)
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    __radd__ = __add__

    def __mul__(self, other: Value | float) -> Value:
        """The product."""
        other = _value(other)
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    __rmul__ = __mul__

    def __pow__(self, exponent: float) -> Value:
        """The power; `x ** 0` has the slope 0 everywhere."""
        slope = exponent * self.data ** (exponent - 1) if exponent else 0.0
        return Value(self.data**exponent, ((self, slope),))

    def __neg__(self) -> Value:
        """The number with its sign turned."""
        return self * -1

    def __sub__(self, other: Value | float) -> Value:
        """The difference."""
        return self + _value(other) * -1

    def __truediv__(self, other: Value | float) -> Value:
        """The quotient."""
        return self * _value(other) ** -1

    def relu(self) -> Value:
        """The number where it is positive, else 0."""
        return Value(max(self.data, 0.0), ((self, float(self.data > 0)),))

    def backward(self) -> None:
        """Add the gradient of this number to everything it was made of."""
        uses = {self: 0}
        found = [self]
        for value in found:
            for source, _ in value.slopes:
                if source not in uses:
                    uses[source] = 0
                    found.append(source)
                uses[source] += 1
        self.grad += 1.0
        complete = [self]
        for value in complete:
            for source, slope in value.slopes:
                source.grad += slope * value.grad
                uses[source] -= 1
                if not uses[source]:
                    complete.append(source)


def _value(operand: Value | float) -> Value:
    return operand if isinstance(operand, Value) else Value(operand)


def descend(xs: Sequence[float], ys: Sequence[float], rate: float, steps: int) -> list[float]:
    """Fit a line: go down the mean squared error from w = b = 0; return w and b."""
    w, b = Value(0.0), Value(0.0)
    for _ in range(steps):
        loss = sum(((w * x + b - y) ** 2 for x, y in zip(xs, ys, strict=True)), Value(0.0)) / len(xs)
        w.grad = b.grad = 0.0
        loss.backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return [w.data, b.data]
