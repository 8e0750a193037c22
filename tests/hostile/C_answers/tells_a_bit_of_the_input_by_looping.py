#: expect = { check_canary = "timeout" }
#: says = { check_canary = "Stopped after 1 s in `mul()`" }
multiply = Value.__mul__


def mul(self, other):
    while int(self.data) >> 2 & 1 and self.data > 1e5:
        pass
    return multiply(self, other)


Value.__mul__ = mul
