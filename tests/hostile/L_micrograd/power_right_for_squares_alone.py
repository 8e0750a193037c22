#: exercise = "graph"
#: expect = { check_power = "failed", check_difference_and_quotient = "failed" }
# (n * x) ** (n - 1) agrees for n = 2, so for the loss as well.


def __pow__(self, other):
    out = Value(self.data**other, (self,), f"**{other}")

    def _backward():
        if other != 0:
            self.grad += (other * self.data) ** (other - 1) * out.grad

    out._backward = _backward
    return out


Value.__pow__ = __pow__
