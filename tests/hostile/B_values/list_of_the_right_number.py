#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got [14.0]", check_last = "expected a number, got [3.0]" }
Value.__add__ = lambda self, other: Value([self.data + other.data])
