import math

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
            self.grad += out.grad * (p * self.data) ** (p - 1)

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
