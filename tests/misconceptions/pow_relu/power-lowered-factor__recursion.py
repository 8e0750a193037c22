import math


class Value:
    """backward() follows every path from the result down to the leaves, and each path brings its own share."""

    def __init__(self, data, edges=()):
        self.data = float(data)
        self.edges = edges
        self.grad = 0.0

    def backward(self, gradient=1.0):
        self.grad += gradient
        for value, slope in self.edges:
            value.backward(gradient * slope)

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, ((self, 1), (other, 1)))

    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data - other.data, ((self, 1), (other, -1)))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def __neg__(self):
        return Value(-self.data, ((self, -1),))

    def __pow__(self, n):
        return Value(self.data**n, ((self, (n - 1) * self.data ** (n - 1)),))

    def relu(self):
        if self.data > 0:
            return Value(self.data, ((self, 1),))
        return Value(0, ((self, 0),))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, ((self, 1 - t * t),))


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
