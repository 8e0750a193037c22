"""Teach the engine new tricks. Quinn: no chain rule, just try what happens when a number changes a little."""

import math

NUDGE = 1e-6


class Value:
    def __init__(self, data, recipe=None, parts=()):
        self.data = data
        self.grad = 0.0
        self.recipe = recipe
        self.parts = parts

    def __add__(self, other):
        return make(lambda a, b: a + b, self, other)

    def __sub__(self, other):
        return make(lambda a, b: a - b, self, other)

    def __mul__(self, other):
        return make(lambda a, b: a * b, self, other)

    def __neg__(self):
        return make(lambda a: -a, self)

    def __pow__(self, n):
        return make(lambda a: a**n, self)

    def tanh(self):
        return make(math.tanh, self)

    def relu(self):
        return make(lambda a: max(0.0, a), self)

    def everything(self):
        """Everything this value depends on, first things first."""
        found = []

        def visit(value):
            if value not in found:
                for part in value.parts:
                    visit(part)
                found.append(value)

        visit(self)
        return found

    def again(self, changed, amount):
        """This value, if `changed` were more by the amount."""
        results = {}
        for value in self.everything():
            if value is changed:
                results[value] = value.data + amount
            elif value.recipe is None:
                results[value] = value.data
            else:
                results[value] = value.recipe(*(results[part] for part in value.parts))
        return results[self]

    def backward(self):
        for value in self.everything():
            value.grad += (self.again(value, NUDGE) - self.again(value, -NUDGE)) / (2 * NUDGE)


def make(recipe, *parts):
    parts = tuple(part if isinstance(part, Value) else Value(part) for part in parts)
    return Value(recipe(*(part.data for part in parts)), recipe, parts)


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
