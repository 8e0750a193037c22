import math
import sys

# Every operation leaves a function here that undoes it, the last one on top.
TAPE = []


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0

    def __add__(self, other):
        other = lift(other)
        out = Value(self.data + other.data)

        def undo():
            self.grad += out.grad
            other.grad += out.grad

        TAPE.append(undo)
        return out

    def __mul__(self, other):
        other = lift(other)
        out = Value(self.data * other.data)

        def undo():
            self.grad += out.grad * other.data
            other.grad += out.grad * self.data

        TAPE.append(undo)
        return out

    def __pow__(self, p):
        out = Value(self.data**p)

        def undo():
            self.grad += out.grad * p * self.data ** (p - 1)

        TAPE.append(undo)
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + lift(other) * -1

    def tanh(self):
        out = Value(math.tanh(self.data))

        def undo():
            self.grad += out.grad * (1 - out.data * out.data)

        TAPE.append(undo)
        return out

    def relu(self):
        out = Value(self.data if self.data > 0 else 0)

        def undo():
            self.grad += out.grad if self.data > 0 else 0

        TAPE.append(undo)
        return out

    def backward(self):
        self.grad = 1.0
        while TAPE:
            TAPE.pop()()


def lift(x):
    return x if isinstance(x, Value) else Value(x)


def main():
    points = []
    for line in sys.stdin.read().split("\n"):
        if line.strip() == "":
            continue
        x, y = line.split()
        points.append((float(x), float(y)))

    w, b = Value(0.0), Value(0.0)
    for i in range(500):
        losses = [(w * x + b - y) ** 2 for x, y in points]
        total = losses[0]
        for each in losses[1:]:
            total = total + each
        mean = total * (1.0 / len(points))
        for p in (w, b):
            p.grad = 0.0
        mean.backward()
        for p in (w, b):
            p.data = p.data - 0.1 * p.grad
    print("w=" + format(w.data, ".2f"))
    print("b=" + format(b.data, ".2f"))


main()
