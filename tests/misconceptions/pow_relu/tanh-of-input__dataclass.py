from __future__ import annotations

import math
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
        return Value(t, [(self, 1 - self.data**2)])

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


def main():
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
