#: expect = "failed"
#: says = { check_last = "y.data: expected 3.0, got 3.0000000001" }
right = Value.__add__


def add(self, other):
    total = right(self, other)
    total.data *= 1 + 1e-10 / 3
    return total


Value.__add__ = add
