#: expect = "failed"
#: says = { check_value = "expected 14.0, got 1.7976931348623157e+308", check_gradient = "x.grad: expected 7.0, got 5e-324" }
def add(self, other):
    other.grad = 5e-324
    return Value(1.7976931348623157e308)


Value.__add__ = add
Value.backward = lambda self: None
