#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got an object of type Value" }
right = Value.__add__
Value.__add__ = lambda self, other: Value(right(self, other))
