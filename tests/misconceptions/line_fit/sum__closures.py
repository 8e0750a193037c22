import math
import sys


class Value:
    """A number that remembers what it was made of, so that gradients can find their way back."""

    def __init__(self, data, _children=(), _op="", label=""):
        self.data = data
        self.grad = 0.0
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

    def __pow__(self, exponent):
        out = Value(self.data**exponent, (self,), "**")

        def _backward():
            self.grad += exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = Value(max(0, self.data), (self,), "relu")

        def _backward():
            self.grad += (out.data > 0) * out.grad

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
    points = []
    for line in sys.stdin:
        if line.strip():
            x, y = line.split()
            points.append((float(x), float(y)))
    return points


def loss_of(w, b, points):
    loss = Value(0.0)
    for x, y in points:
        loss = loss + (w * x + b - y) ** 2
    return loss


def main():
    points = read_points()
    w = Value(0.0)
    b = Value(0.0)
    for step in range(500):
        loss = loss_of(w, b, points)
        w.grad = 0.0
        b.grad = 0.0
        loss.backward()
        w.data -= 0.05 * w.grad
        b.data -= 0.05 * b.grad
    print(f"w={w.data:.2f}")
    print(f"b={b.data:.2f}")


if __name__ == "__main__":
    main()
