#: exercise = "graph"
#: expect = { check_reused = "failed", check_order = "failed", check_relu = "failed", check_constants = "failed", check_chain = "failed", check_descend = "failed" }


def __add__(self, other):
    other = other if isinstance(other, Value) else Value(other)
    out = Value(self.data + other.data, (self, other), "+")

    def _backward():
        self.grad = out.grad
        other.grad = out.grad

    out._backward = _backward
    return out


Value.__add__ = __add__

init = Value.__init__


def __init__(self, data, _children=(), *more):
    init(self, data, _children, *more)
    self._prev = _children  # in the order in which they were given


Value.__init__ = __init__
