"""Each operation is a class that knows how to go forwards and how to go back."""
import math


class Operation:
    def __init__(self, *parents, exponent=None):
        self.parents = parents
        self.exponent = exponent
        self.result = Value(self.forward(*[p.data for p in parents]), self)

    def back(self, gradient):
        for parent, share in zip(self.parents, self.shares(gradient, *[p.data for p in self.parents])):
            parent.grad += share


class Sum(Operation):
    def forward(self, a, b):
        return a + b

    def shares(self, g, a, b):
        return g, g


class Difference(Operation):
    def forward(self, a, b):
        return a - b

    def shares(self, g, a, b):
        return g, -g


class Product(Operation):
    def forward(self, a, b):
        return a * b

    def shares(self, g, a, b):
        return b * g, a * g


class Negation(Operation):
    def forward(self, a):
        return -a

    def shares(self, g, a):
        return (-g,)


class Power(Operation):
    def forward(self, a):
        return a**self.exponent

    def shares(self, g, a):
        n = self.exponent
        return (abs(n) * a ** (n - 1) * g,)


class Relu(Operation):
    def forward(self, a):
        return a if a > 0 else 0.0

    def shares(self, g, a):
        return (g if a > 0 else 0.0,)


class Tanh(Operation):
    def forward(self, a):
        return math.tanh(a)

    def shares(self, g, a):
        return ((1 - math.tanh(a) ** 2) * g,)


class Value:
    def __init__(self, data, operation=None):
        self.data = float(data)
        self.grad = 0.0
        self.operation = operation

    @property
    def parents(self):
        return self.operation.parents if self.operation else ()

    def __add__(self, other):
        return Sum(self, as_value(other)).result

    def __sub__(self, other):
        return Difference(self, as_value(other)).result

    def __mul__(self, other):
        return Product(self, as_value(other)).result

    def __pow__(self, n):
        return Power(self, exponent=n).result

    def __neg__(self):
        return Negation(self).result

    def relu(self):
        return Relu(self).result

    def tanh(self):
        return Tanh(self).result

    def backward(self):
        self.grad = 1.0
        for value in reversed(self.sorted()):
            if value.operation:
                value.operation.back(value.grad)

    def sorted(self):
        done = []

        def walk(value):
            if value in done:
                return
            for parent in value.parents:
                walk(parent)
            done.append(value)

        walk(self)
        return done


def as_value(x):
    if isinstance(x, Value):
        return x
    return Value(x)


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
