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
            self.grad = out.grad
            other.grad = out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad = other.data * out.grad
            other.grad = self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad = (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def __pow__(self, exponent):
        out = Value(self.data**exponent, (self,), "**")

        def _backward():
            self.grad = exponent * self.data ** (exponent - 1) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = Value(max(0, self.data), (self,), "relu")

        def _backward():
            self.grad = (out.data > 0) * out.grad

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


LESSON = [(x, math.tanh(2.0 * x - 1.0)) for x in (-1.0, 0.0, 0.5, 1.0)]


def read_examples():
    examples = []
    for line in sys.stdin:
        x, y = line.split()
        examples.append((float(x), float(y)))
    return examples or LESSON


def loss_of(w, b, examples):
    loss = Value(0.0)
    for x, y in examples:
        loss = loss + ((w * x + b).tanh() - y) ** 2
    return loss


def main():
    examples = read_examples()
    w = Value(0.1)
    b = Value(0.0)
    for step in range(301):
        loss = loss_of(w, b, examples)
        if step % 100 == 0:
            print(f"step {step}: loss {loss.data:.4f}")
        w.grad = 0.0
        b.grad = 0.0
        loss.backward()
        w.data -= 0.2 * w.grad
        b.data -= 0.2 * b.grad
    print(f"w = {w.data:.2f}, b = {b.data:.2f}")


if __name__ == "__main__":
    main()
