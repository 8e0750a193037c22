#: exercise = "graph"
#: expect = { check_constants = "error", check_descend = "error" }
#: says = { check_constants = "AttributeError: 'int' object has no attribute 'data'" }


def __add__(self, other):
    out = Value(self.data + other.data, (self, other), "+")

    def _backward():
        self.grad += out.grad
        other.grad += out.grad

    out._backward = _backward
    return out


Value.__add__ = __add__
