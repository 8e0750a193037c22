#: exercise = "graph"
#: expect = { check_reused = "failed", check_order = "failed", check_relu = "failed" }


def backward(self):
    order, waiting = [], [(self, False)]
    while waiting and len(order) < 20_000:
        node, done = waiting.pop()
        if done:
            order.append(node)
        else:
            waiting.append((node, True))
            waiting += [(child, False) for child in node._prev]
    self.grad = 1.0
    for node in reversed(order):
        node._backward()


Value.backward = backward

init = Value.__init__


def __init__(self, data, _children=(), *more):
    init(self, data, _children, *more)
    self._prev = _children  # in the order in which they were given


Value.__init__ = __init__
