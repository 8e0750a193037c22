#: exercise = "graph"
#: expect = { check_order = "failed", check_relu = "failed" }


def backward(self):
    order, seen = [self], {self}
    for node in order:
        for child in node._prev:
            if child not in seen:
                seen.add(child)
                order.append(child)
    self.grad = 1.0
    for node in order:
        node._backward()


Value.backward = backward

init = Value.__init__


def __init__(self, data, _children=(), *more):
    init(self, data, _children, *more)
    self._prev = _children  # in the order in which they were given


Value.__init__ = __init__
