# No sorting: every value counts how often it is used, and waits until it has heard from all of them.
# Whatever happens is written to stderr. EMIL
import math
import sys


def log(*words):
    print(*words, file=sys.stderr)


class Value:
    def __init__(self, data, _prev=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = _prev
        self._op = _op
        self._slopes = ()
        self._waiting = 0
        log("made", data, "by", _op or "hand")

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")
        out._slopes = (1.0, 1.0)
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")
        out._slopes = (other.data, self.data)
        return out

    def __pow__(self, k):
        out = Value(self.data**k, (self,), f"**{k}")
        out._slopes = (k * self.data ** (k - 1),)
        return out

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + (-other)

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")
        out._slopes = (1 - out.data**2,)
        return out

    def relu(self):
        if self.data > 0:
            out = Value(self.data, (self,), "relu")
            out._slopes = (1.0,)
        else:
            out = Value(0, (self,), "relu")
            out._slopes = (0.0,)
        return out

    def backward(self):
        self._count(set())
        self.grad = 1.0
        self._pass_on()

    def _count(self, seen):
        if self in seen:
            return
        seen.add(self)
        for child in self._prev:
            child._waiting += 1
            child._count(seen)

    def _pass_on(self):
        log("passing on", self.grad, "through", self._op)
        for child, slope in zip(self._prev, self._slopes):
            child.grad += slope * self.grad
            child._waiting -= 1
            if child._waiting == 0:
                child._pass_on()


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
