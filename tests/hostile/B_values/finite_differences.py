#: expect = { check_gradient = "failed", check_canary = "failed" }
#: says = { check_gradient = "x.grad: expected 7.0, got 7.0" }
H = 1e-6


class Value:
    """A number that knows how it was made, so that it can be made again of a slightly different one."""

    def __init__(self, data, made=None):
        self.start, self.made, self.grad = data, made, 0.0

    def given(self, changed, shift):
        if self.made is None:
            return self.start + (shift if self is changed else 0.0)
        operation, left, right = self.made
        return operation(left.given(changed, shift), right.given(changed, shift))

    data = property(lambda self: self.given(None, 0.0))

    def __add__(self, other):
        return Value(None, (lambda a, b: a + b, self, other))

    def __mul__(self, other):
        return Value(None, (lambda a, b: a * b, self, other))

    def leaves(self):
        return {self} if self.made is None else self.made[1].leaves() | self.made[2].leaves()

    def backward(self):
        for leaf in self.leaves():
            leaf.grad += (self.given(leaf, H) - self.given(leaf, -H)) / (2 * H)
