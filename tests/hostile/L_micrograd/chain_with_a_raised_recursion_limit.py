#: exercise = "graph"


import sys

sys.setrecursionlimit(100_000)


def backward(self):
    order, seen = [], set()

    def visit(node):
        if node not in seen:
            seen.add(node)
            for child in node._prev:
                visit(child)
            order.append(node)

    visit(self)
    self.grad = 1.0
    for node in reversed(order):
        node._backward()


Value.backward = backward
