import math


class Value:
    """Only data; what happens to it is decided by Backprop."""

    def __init__(self, data, kind="leaf", inputs=(), extra=None):
        self.data = data
        self.grad = 0.0
        self.kind = kind
        self.inputs = inputs
        self.extra = extra

    def __add__(self, other):
        other = wrap(other)
        return Value(self.data + other.data, "add", (self, other))

    def __mul__(self, other):
        other = wrap(other)
        return Value(self.data * other.data, "mul", (self, other))

    def __sub__(self, other):
        other = wrap(other)
        return Value(self.data - other.data, "sub", (self, other))

    def __neg__(self):
        return Value(-self.data, "neg", (self,))

    def __pow__(self, n):
        return Value(self.data**n, "pow", (self,), n)

    def relu(self):
        return Value(max(0.0, self.data), "relu", (self,))

    def tanh(self):
        return Value(math.tanh(self.data), "tanh", (self,))

    def backward(self):
        Backprop().run(self)


class Backprop:
    def run(self, root):
        root.grad = 1.0
        for node in self.order(root):
            getattr(self, "visit_" + node.kind)(node, node.grad, *node.inputs)

    def order(self, root):
        """Kahn: a node comes when all that use it have come."""
        uses = {}
        todo = [root]
        known = {root}
        while todo:
            for each in todo.pop().inputs:
                uses[each] = uses.get(each, 0) + 1
                if each not in known:
                    known.add(each)
                    todo.append(each)
        ready = [root]
        while ready:
            node = ready.pop(0)
            yield node
            for each in node.inputs:
                uses[each] -= 1
                if uses[each] == 0:
                    ready.append(each)

    def visit_leaf(self, node, g):
        pass

    def visit_add(self, node, g, a, b):
        a.grad += g
        b.grad += g

    def visit_sub(self, node, g, a, b):
        a.grad += g
        b.grad -= g

    def visit_mul(self, node, g, a, b):
        a.grad += g * b.data
        b.grad += g * a.data

    def visit_neg(self, node, g, a):
        a.grad -= g

    def visit_pow(self, node, g, a):
        n = node.extra
        a.grad += g * n * a.data ** (n - 1)

    def visit_relu(self, node, g, a):
        if a.data > 0:
            a.grad += g

    def visit_tanh(self, node, g, a):
        a.grad += g * (1 - node.data**2)


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
