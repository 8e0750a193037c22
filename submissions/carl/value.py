"""An engine with a tape: whatever is computed is written down, and read backwards afterwards."""

import math

tape = []


class Value:
    def __init__(self, data):
        self.data = float(data)
        self.grad = 0.0

    def __add__(self, other):
        return record(self.data + number(other), [(self, 1.0), (other, 1.0)])

    def __sub__(self, other):
        return record(self.data - number(other), [(self, 1.0), (other, -1.0)])

    def __mul__(self, other):
        return record(self.data * number(other), [(self, number(other)), (other, self.data)])

    def __neg__(self):
        return record(-self.data, [(self, -1.0)])

    def __pow__(self, n):
        slope = n * math.pow(self.data, n - 1) if n else 0.0
        return record(math.pow(self.data, n), [(self, slope)])

    def tanh(self):
        t = math.tanh(self.data)
        return record(t, [(self, 1.0 - t * t)])

    def relu(self):
        return record(max(0, self.data), [(self, 1.0 if self.data > 0 else 0.0)])

    def backward(self):
        for result, _ in tape:
            result.grad = 0.0
        self.grad = 1.0
        for result, sources in reversed(tape):
            for source, slope in sources:
                source.grad += slope * result.grad


def number(x):
    return x.data if isinstance(x, Value) else x


def record(data, sources):
    result = Value(data)
    tape.append((result, [(source, slope) for source, slope in sources if isinstance(source, Value)]))
    return result


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
