"""Train a neuron: fit y = tanh(w * x + b) to examples.

Save this file as train_neuron.py, write the parts marked TODO, and run `python train_neuron.py < /dev/null`
for the four examples below, or `python train_neuron.py < examples.txt` for your own.
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


# What a neuron with w = 2 and b = -1 answers.
LESSON = [(x, math.tanh(2.0 * x - 1.0)) for x in (-1.0, 0.0, 0.5, 1.0)]


def read_examples():
    """Read pairs (x, y) from standard input; the four of the lesson where there are none."""
    examples = []
    # TODO: for every line of sys.stdin, put the pair (x, y) of floats into examples.
    return examples or LESSON


def loss_of(w, b, examples):
    """Add up the squared errors of the neuron: one Value, so that gradients can flow back to w and b."""
    loss = Value(0.0)
    # TODO: for every example, what does the neuron answer, and how far off is that?
    return loss


def main():
    examples = read_examples()
    w = Value(0.1)
    b = Value(0.0)
    # TODO: 301 steps down the slope, at a rate of 0.2. For now there is a single look at the loss.
    loss = loss_of(w, b, examples)
    print(f"step 0: loss {loss.data:.4f}")
    print(f"w = {w.data:.2f}, b = {b.data:.2f}")


if __name__ == "__main__":
    main()
