from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field


@dataclass(eq=False)
class Value:
    """Knows its parents, each with the local derivative."""

    data: float
    parents: list[tuple[Value, float]] = field(default_factory=list, repr=False)
    grad: float = 0.0

    def __add__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, [(self, 1.0), (other, 1.0)])

    def __sub__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data - other.data, [(self, 1.0), (other, -1.0)])

    def __mul__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, [(self, other.data), (other, self.data)])

    def __neg__(self) -> Value:
        return Value(-self.data, [(self, -1.0)])

    def __pow__(self, exponent: float) -> Value:
        local = exponent * self.data ** (exponent - 1)
        return Value(self.data**exponent, [(self, local)])

    def tanh(self) -> Value:
        t = math.tanh(self.data)
        return Value(t, [(self, 1 - t**2)])

    def relu(self) -> Value:
        local = 1.0 if self.data > 0 else 0.0
        return Value(max(self.data, 0.0), [(self, local)])

    def backward(self) -> None:
        topo: list[Value] = []
        visited: set[int] = set()

        def dfs(node: Value) -> None:
            visited.add(id(node))
            for parent, _ in node.parents:
                if id(parent) not in visited:
                    dfs(parent)
            topo.append(node)

        dfs(self)
        self.grad = 1.0
        for node in topo[::-1]:
            for parent, local in node.parents:
                parent.grad += local * node.grad


class Neuron:
    def __init__(self) -> None:
        self.w = Value(0.1)
        self.b = Value(0.0)

    def __call__(self, x: float) -> Value:
        return (self.w * x + self.b).tanh()

    def parameters(self) -> list[Value]:
        return [self.w, self.b]


class SGD:
    def __init__(self, parameters: list[Value], lr: float) -> None:
        self.parameters = parameters
        self.lr = lr

    def zero_grad(self) -> None:
        for p in self.parameters:
            p.grad = 0.0

    def step(self) -> None:
        for p in self.parameters:
            p.data -= self.lr * p.grad


def load(stream) -> list[tuple[float, float]]:
    rows = []
    for line in stream:
        x, y = line.split()
        rows.append((float(x), float(y)))
    if not rows:
        rows = [(x, math.tanh(2 * x - 1)) for x in [-1.0, 0.0, 0.5, 1.0]]
    return rows


if __name__ == "__main__":
    rows = load(sys.stdin)
    model = Neuron()
    optimizer = SGD(model.parameters(), lr=0.05)
    for epoch in range(301):
        total = Value(0.0)
        for x, y in rows:
            diff = model(x) - y
            total = total + diff * diff
        if epoch in (0, 100, 200, 300):
            print(f"step {epoch}: loss {total.data:.4f}")
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
    print(f"w = {model.w.data:.2f}, b = {model.b.data:.2f}")
