"""Fits a line, with types."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field


def _nothing() -> None:
    pass


@dataclass(eq=False)
class Value:
    data: float
    requires_grad: bool = True
    grad: float = field(default=0.0, init=False)
    parents: list[Value] = field(default_factory=list, repr=False)
    step_back: Callable[[], None] = field(default=_nothing, repr=False)

    def __add__(self, other: Value | float) -> Value:
        other = Value.of(other)
        out = Value(self.data + other.data, parents=[self, other])

        def step_back() -> None:
            self.grad += out.grad
            other.grad += out.grad

        out.step_back = step_back
        return out

    def __mul__(self, other: Value | float) -> Value:
        other = Value.of(other)
        out = Value(self.data * other.data, parents=[self, other])

        def step_back() -> None:
            self.grad += out.grad * other.data
            other.grad += out.grad * self.data

        out.step_back = step_back
        return out

    def __pow__(self, exponent: int | float) -> Value:
        assert isinstance(exponent, (int, float)), "only constant exponents"
        out = Value(self.data**exponent, parents=[self])

        def step_back() -> None:
            self.grad += out.grad * (exponent * self.data ** (exponent - 1))

        out.step_back = step_back
        return out

    def relu(self) -> Value:
        out = Value(0.0 if self.data <= 0 else self.data, parents=[self])

        def step_back() -> None:
            self.grad += out.grad * float(self.data > 0)

        out.step_back = step_back
        return out

    def tanh(self) -> Value:
        e = math.exp(2 * self.data)
        t = (e - 1) / (e + 1)
        out = Value(t, parents=[self])

        def step_back() -> None:
            self.grad += out.grad * (1 - t**2)

        out.step_back = step_back
        return out

    def zero_grad(self) -> None:
        self.grad = 0.0

    def backward(self) -> None:
        order: list[Value] = []
        seen: set[int] = set()
        stack: list[tuple[Value, bool]] = [(self, False)]
        while stack:
            value, finished = stack.pop()
            if finished:
                order.append(value)
            elif id(value) not in seen:
                seen.add(id(value))
                stack.append((value, True))
                stack.extend((parent, False) for parent in value.parents)

        self.grad = 1.0
        for value in reversed(order):
            value.step_back()

    def __neg__(self) -> Value:
        return self * -1

    def __sub__(self, other: Value | float) -> Value:
        return self + Value.of(other) * -1

    def __truediv__(self, other: Value | float) -> Value:
        return self * Value.of(other) ** -1

    def __radd__(self, other: float) -> Value:
        return self + other

    def __rmul__(self, other: float) -> Value:
        return self * other

    @staticmethod
    def of(number: Value | float) -> Value:
        return number if isinstance(number, Value) else Value(number, requires_grad=False)


def read(text: str) -> list[tuple[float, float]]:
    rows = [line.split() for line in text.splitlines()]
    return [(float(row[0]), float(row[1])) for row in rows if row]


def mean_squared_error(w: Value, b: Value, points: list[tuple[float, float]]) -> Value:
    return sum(((w * x + b - y) ** 2 for x, y in points), Value(0.0)) / len(points)


def main() -> None:
    points = read(sys.stdin.read())
    w = Value(0.0)
    b = Value(0.0)
    for _ in range(500):
        loss = mean_squared_error(w, b, points)
        for parameter in (w, b):
            parameter.zero_grad()
        loss.backward()
        for parameter in (w, b):
            parameter.data -= 0.05 * parameter.grad
    print(f"w={w.data:.2f}", f"b={b.data:.2f}", sep="\n")


if __name__ == "__main__":
    main()
