# Every operation is a class of its own: it knows its value, and how to share out a gradient.
from math import tanh


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0
        self.inputs = ()

    def share(self):
        pass

    def __add__(self, other):
        return Add(self, wrap(other))

    def __mul__(self, other):
        return Mul(self, wrap(other))

    def __pow__(self, n):
        return Pow(self, n)

    def __neg__(self):
        return Mul(self, Value(-1))

    def __sub__(self, other):
        return Add(self, -wrap(other))

    def tanh(self):
        return Tanh(self)

    def relu(self):
        return Relu(self)

    def backward(self):
        order = []
        sort(self, order, set())
        self.grad = 1
        while order:
            order.pop().share()


class Add(Value):
    def __init__(self, a, b):
        super().__init__(a.data + b.data)
        self.inputs = (a, b)

    def share(self):
        for value in self.inputs:
            value.grad += self.grad


class Mul(Value):
    def __init__(self, a, b):
        super().__init__(a.data * b.data)
        self.inputs = (a, b)

    def share(self):
        a, b = self.inputs
        a.grad += b.data * self.grad
        b.grad += a.data * self.grad


class Pow(Value):
    def __init__(self, base, n):
        super().__init__(base.data**n)
        self.inputs = (base,)
        self.n = n

    def share(self):
        (base,) = self.inputs
        if self.n != 0:
            base.grad += self.n * base.data ** (self.n - 1) * self.grad


class Tanh(Value):
    def __init__(self, x):
        super().__init__(tanh(x.data))
        self.inputs = (x,)

    def share(self):
        self.inputs[0].grad += (1 - self.data * self.data) * self.grad


class Relu(Value):
    def __init__(self, x):
        super().__init__(x.data if x.data > 0 else 0)
        self.inputs = (x,)

    def share(self):
        if self.data > 0:
            self.inputs[0].grad += self.grad


def wrap(number):
    return number if isinstance(number, Value) else Value(number)


def sort(value, order, seen):
    if id(value) in seen:
        return
    seen.add(id(value))
    for each in value.inputs:
        sort(each, order, seen)
    order.append(value)


if __name__ == "__main__":
    x = Value(2.0)
    y = x**3 + x
    y.backward()
    print(f"y = {y.data:.4f}, dy/dx = {x.grad:.4f}")

    a = Value(-3.0)
    b = Value(-0.5)
    z = (a * b).relu() + a.relu() + b**2
    z.backward()
    print(f"z = {z.data:.4f}, dz/da = {a.grad:.4f}, dz/db = {b.grad:.4f}")
