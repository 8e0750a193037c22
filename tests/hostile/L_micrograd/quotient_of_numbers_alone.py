#: exercise = "graph"
#: expect = { check_difference_and_quotient = "failed" }


def __truediv__(self, other):
    out = Value(self.data / getattr(other, "data", other), (self,), "/")

    def _backward():
        self.grad += out.grad / getattr(other, "data", other)

    out._backward = _backward
    return out


Value.__truediv__ = __truediv__
