"""The engine with types, and with a loop where the lesson calls itself."""

from __future__ import annotations

import math
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


def main() -> None:
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
