#: exercise = "graph"
#: expect = { check_power = "failed", check_difference_and_quotient = "failed" }


def __pow__(self, other):
    out = Value(self.data**other, (self,), f"**{other}")

    def _backward():
        self.grad = other * self.data ** (other - 1) * out.grad if other else 0.0

    out._backward = _backward
    return out


Value.__pow__ = __pow__

init = Value.__init__


def __init__(self, data, _children=(), *more):
    init(self, data, _children, *more)
    self._prev = _children  # in the order in which they were given


Value.__init__ = __init__
