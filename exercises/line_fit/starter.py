"""Fit a line: find w and b so that y = w * x + b lies close to the points.

Save this file as line_fit.py, write the parts marked TODO, put some points into a file, one `x y` a line,
and run `python line_fit.py < points.txt`.
"""

import math
import sys


class Value:
    """A number that remembers what it was made of, so that gradients can find their way back."""

    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0  # how much the result changes when this number does; backward() fills it in
        self.label = label
        self._prev = _children
        self._op = _op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        """Fill in the gradient of everything this value was made of."""
        ordered = []
        seen = set()

        def visit(value):
            if value not in seen:
                seen.add(value)
                for child in value._prev:
                    visit(child)
                ordered.append(value)

        visit(self)
        self.grad = 1.0
        for value in reversed(ordered):
            value._backward()

    # The other operations are made of the ones above, so their gradients come for free.

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + (-other)

    def __radd__(self, other):  # 2 + value
        return self + other

    def __rmul__(self, other):  # 2 * value
        return self * other

    def __rsub__(self, other):  # 2 - value
        return -self + other


def read_points():
    """Read pairs (x, y) from standard input."""
    points = []
    # TODO: for every line of sys.stdin that is not blank, put the pair (x, y) of floats into points.
    return points


def loss_of(w, b, points):
    """Return the mean of the squared errors: one Value, so that gradients can flow back to w and b."""
    loss = Value(0.0)
    # TODO: how far is the line from each point?
    return loss


def main():
    points = read_points()
    w = Value(0.0)
    b = Value(0.0)
    # TODO: 500 steps down the slope of the loss, at a rate of 0.05.
    print(f"w={w.data:.2f}")
    print(f"b={b.data:.2f}")


if __name__ == "__main__":
    main()
