# I am used to PyTorch, so it is called Tensor here; Value at the bottom is the same thing.
import math


class Tensor:
    def __init__(self, data, requires_grad=True, _ctx=None):
        self.data = data
        self.requires_grad = requires_grad
        self.grad = 0.0
        self._ctx = _ctx  # (inputs, function from my gradient to theirs)

    def item(self):
        return self.data

    def zero_grad(self):
        self.grad = 0.0

    @staticmethod
    def ensure(x):
        return x if isinstance(x, Tensor) else Tensor(x, requires_grad=False)

    def __add__(self, other):
        other = Tensor.ensure(other)
        return Tensor(self.data + other.data, _ctx=([self, other], lambda g: [g, g]))

    def __mul__(self, other):
        other = Tensor.ensure(other)
        return Tensor(self.data * other.data, _ctx=([self, other], lambda g: [g * other.data, g * self.data]))

    def __neg__(self):
        return Tensor(-self.data, _ctx=([self], lambda g: [-g]))

    def __sub__(self, other):
        return self + (-Tensor.ensure(other))

    def pow(self, n):
        return Tensor(self.data**n, _ctx=([self], lambda g: [self.grad * n * self.data ** (n - 1)]))

    __pow__ = pow

    def relu(self):
        mask = 1.0 if self.data > 0 else 0.0
        return Tensor(self.data * mask, _ctx=([self], lambda g: [g * mask]))

    def tanh(self):
        t = math.tanh(self.data)
        return Tensor(t, _ctx=([self], lambda g: [g * (1 - t * t)]))

    def backward(self):
        nodes = []

        def deepwalk(node, visited):
            if node._ctx is not None and node not in visited:
                visited.add(node)
                for each in node._ctx[0]:
                    deepwalk(each, visited)
                nodes.append(node)

        deepwalk(self, set())
        self.grad = 1.0
        for node in reversed(nodes):
            inputs, function = node._ctx
            for each, g in zip(inputs, function(node.grad)):
                if each.requires_grad:
                    each.grad += g


Value = Tensor


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
