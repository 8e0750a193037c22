import math


class Value:
    """Carries its derivatives with respect to everything it depends on; backward() only hands them out."""

    def __init__(self, data, partials=None):
        self.data = data
        self.grad = 0.0
        self.partials = partials or {}
        self.partials[self] = 1.0

    def backward(self):
        for value, derivative in self.partials.items():
            value.grad += derivative

    def __add__(self, other):
        other = number(other)
        return Value(self.data + other.data, mix((1, self), (1, other)))

    def __sub__(self, other):
        other = number(other)
        return Value(self.data - other.data, mix((1, self), (-1, other)))

    def __mul__(self, other):
        other = number(other)
        return Value(self.data * other.data, mix((other.data, self), (self.data, other)))

    def __neg__(self):
        return Value(-self.data, mix((-1, self)))

    def __pow__(self, n):
        return Value(self.data**n, mix((n * self.data ** (n - 1), self)))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, mix((1 - t**2, self)))

    def relu(self):
        return Value(max(self.data, 0), mix((int(self.data > 0), self)))


def mix(*terms):
    total = {}
    for factor, value in terms:
        for leaf, derivative in value.partials.items():
            total[leaf] = total.get(leaf, 0.0) + factor * derivative
    return total


def number(x):
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
