#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got '14.0'", check_last = "expected a number, got '3.0'" }
right = Value.__add__


def add(self, other):
    total = right(self, other)
    total.data = str(total.data)
    return total


Value.__add__ = add
