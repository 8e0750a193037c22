#: expect = {}
right = Value.__add__


def add(self, other):
    total = right(self, other)
    total.data = ((total.data * 3.0 + 0.1) - 0.1) / 3.0
    return total


Value.__add__ = add
