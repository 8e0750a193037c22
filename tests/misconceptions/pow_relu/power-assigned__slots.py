from math import tanh


class Value:
    __slots__ = ("data", "grad", "_from", "_back")

    def __init__(self, data, _from=(), _back=None):
        self.data = data
        self.grad = 0.0
        self._from = _from
        self._back = _back

    def __add__(self, other):
        other = Value.wrap(other)

        def back(g):
            self.grad += g
            other.grad += g

        return Value(self.data + other.data, (self, other), back)

    def __mul__(self, other):
        other = Value.wrap(other)

        def back(g):
            self.grad += g * other.data
            other.grad += g * self.data

        return Value(self.data * other.data, (self, other), back)

    def __pow__(self, k):
        def back(g):
            self.grad = g * k * self.data ** (k - 1)

        return Value(self.data**k, (self,), back)

    def relu(self):
        def back(g):
            if self.data > 0:
                self.grad += g

        return Value(self.data if self.data > 0 else 0.0, (self,), back)

    def tanh(self):
        t = tanh(self.data)

        def back(g):
            self.grad += g * (1.0 - t * t)

        return Value(t, (self,), back)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + Value.wrap(other) * -1

    def backward(self):
        # no recursion: Python has a limit
        order, seen, stack = [], set(), [(self, 0)]
        while stack:
            node, step = stack.pop()
            if step == 0:
                if id(node) in seen:
                    continue
                seen.add(id(node))
                stack.append((node, 1))
                for each in node._from:
                    stack.append((each, 0))
            else:
                order.append(node)
        self.grad = 1.0
        for node in reversed(order):
            if node._back is not None:
                node._back(node.grad)

    @staticmethod
    def wrap(x):
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
