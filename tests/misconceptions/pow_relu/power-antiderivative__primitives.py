"""Functions on plain numbers, and next to each the functions that pull a gradient back through it."""
import math

VJPS = {}


def primitive(*vjps):
    def register(function):
        def call(*args):
            numbers = [a.data if isinstance(a, Value) else a for a in args]
            result = function(*numbers)
            parents = [(a, vjp, numbers, result) for a, vjp in zip(args, vjps) if isinstance(a, Value)]
            return Value(result, parents)

        VJPS[function.__name__] = vjps
        call.__name__ = function.__name__
        return call

    return register


class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.parents = parents
        self.grad = 0.0

    def backward(self):
        order, seen = [], set()

        def visit(value):
            if id(value) in seen:
                return
            seen.add(id(value))
            for parent, *_ in value.parents:
                visit(parent)
            order.append(value)

        visit(self)
        self.grad = 1.0
        for value in reversed(order):
            for parent, vjp, numbers, result in value.parents:
                parent.grad += vjp(value.grad, result, *numbers)


@primitive(lambda g, r, a, b: g, lambda g, r, a, b: g)
def add(a, b):
    return a + b


@primitive(lambda g, r, a, b: g, lambda g, r, a, b: -g)
def subtract(a, b):
    return a - b


@primitive(lambda g, r, a, b: g * b, lambda g, r, a, b: g * a)
def multiply(a, b):
    return a * b


@primitive(lambda g, r, a: -g)
def negative(a):
    return -a


@primitive(lambda g, r, a, n: g * a ** (n + 1) / (n + 1))
def power(a, n):
    return a**n


@primitive(lambda g, r, a: g * (1 - r * r))
def tanh(a):
    return math.tanh(a)


@primitive(lambda g, r, a: g * (a > 0))
def relu(a):
    return a * (a > 0)


Value.__add__ = lambda self, other: add(self, other)
Value.__sub__ = lambda self, other: subtract(self, other)
Value.__mul__ = lambda self, other: multiply(self, other)
Value.__neg__ = lambda self: negative(self)
Value.__pow__ = lambda self, n: power(self, n)
Value.tanh = lambda self: tanh(self)
Value.relu = lambda self: relu(self)


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
