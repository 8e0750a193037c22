#: exercise = "graph"
#: expect = { check_power = "failed", check_difference_and_quotient = "failed", check_descend = "failed" }


def __pow__(self, other):
    out = Value(self.data**other, (self,), f"**{other}")

    def _backward():
        if other != 0:
            self.grad += self.data ** (other - 1) * out.grad

    out._backward = _backward
    return out


Value.__pow__ = __pow__
