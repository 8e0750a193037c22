#: exercise = "graph"
#: expect = { check_relu = "failed" }


def relu(self):
    out = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

    def _backward():
        self.grad = out.grad if self.data > 0 else 0.0

    out._backward = _backward
    return out


Value.relu = relu

init = Value.__init__


def __init__(self, data, _children=(), *more):
    init(self, data, _children, *more)
    self._prev = _children  # in the order in which they were given


Value.__init__ = __init__
