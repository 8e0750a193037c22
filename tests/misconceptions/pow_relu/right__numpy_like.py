import math


class np:
    """The few functions I would otherwise take from numpy, which is not installed here."""

    float64 = float
    tanh = math.tanh
    maximum = max

    @staticmethod
    def power(x, p):
        return x**p

    @staticmethod
    def where(condition, a, b):
        return a if condition else b


class Value:
    __array_priority__ = 1000

    def __init__(self, data, _parents=(), _vjp=None, dtype=np.float64):
        self.data = dtype(data)
        self.grad = np.float64(0)
        self._parents = _parents
        self._vjp = _vjp

    @property
    def shape(self):
        return ()

    def __add__(self, other):
        other = asvalue(other)
        return Value(self.data + other.data, (self, other), lambda g: (g, g))

    def __sub__(self, other):
        other = asvalue(other)
        return Value(self.data - other.data, (self, other), lambda g: (g, -g))

    def __mul__(self, other):
        other = asvalue(other)
        return Value(self.data * other.data, (self, other), lambda g: (g * other.data, g * self.data))

    def __neg__(self):
        return Value(-self.data, (self,), lambda g: (-g,))

    def __pow__(self, p):
        return Value(np.power(self.data, p), (self,), lambda g: (g * p * np.power(self.data, p - 1),))

    def tanh(self):
        y = np.tanh(self.data)
        return Value(y, (self,), lambda g: (g * (1.0 - y * y),))

    def relu(self):
        return Value(np.maximum(self.data, 0.0), (self,), lambda g: (np.where(self.data > 0, g, 0.0),))

    def backward(self):
        topo = []

        def build(v, seen):
            if v in seen:
                return
            seen.add(v)
            for p in v._parents:
                build(p, seen)
            topo.append(v)

        build(self, set())
        self.grad = np.float64(1)
        for v in topo[::-1]:
            if v._vjp:
                for p, g in zip(v._parents, v._vjp(v.grad)):
                    p.grad = p.grad + g


def asvalue(x):
    return x if isinstance(x, Value) else Value(x)


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
