#: exercise = "graph"
#: expect = { check_power = "error" }
#: says = { check_power = "ZeroDivisionError" }


def __pow__(self, other):
    out = Value(self.data**other, (self,), f"**{other}")

    def _backward():
        self.grad += other * self.data ** (other - 1) * out.grad

    out._backward = _backward
    return out


Value.__pow__ = __pow__
