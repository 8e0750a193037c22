#: exercise = "graph"
#: expect = { check_reused = "failed", check_order = "failed", check_relu = "failed", check_chain = "error" }


def backward(self, first=True):
    if first:
        self.grad = 1.0
    self._backward()
    for child in self._prev:
        child.backward(False)


Value.backward = backward

init = Value.__init__


def __init__(self, data, _children=(), *more):
    init(self, data, _children, *more)
    self._prev = _children  # in the order in which they were given


Value.__init__ = __init__
