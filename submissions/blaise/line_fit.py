# Every operation is a class of its own: it knows its value, and how to share out a gradient.
import sys


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


def wrap(number):
    return number if isinstance(number, Value) else Value(number)


def sort(value, order, seen):
    if id(value) in seen:
        return
    seen.add(id(value))
    for each in value.inputs:
        sort(each, order, seen)
    order.append(value)


points = []
for line in sys.stdin.read().splitlines():
    words = line.split()
    if words:
        points.append((float(words[0]), float(words[1])))

w, b = Value(0), Value(0)
for _ in range(500):
    total = Value(0)
    for x, y in points:
        total = total + (w * x + b - y) ** 2
    loss = total * (1 / len(points))
    loss.backward()
    for p in (w, b):
        p.data -= 0.05 * p.grad
        p.grad = 0

print("w={:.2f}\nb={:.2f}".format(w.data, b.data))
