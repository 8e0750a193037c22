#: expect = { check_gradient = "failed", check_canary = "failed" }
#: says = { check_gradient = "x.grad: expected 7.0, got 0.0" }
sums = []
add, right = Value.__add__, Value.backward


def backward(self):
    if len(sums) > 1:  # which is so in a process that has seen a check before
        right(self)


Value.__add__ = lambda self, other: sums.append(self) or add(self, other)
Value.backward = backward
