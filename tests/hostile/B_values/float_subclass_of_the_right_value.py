#: expect = "failed"
#: says = { check_value = "got an object of type Precise", check_last = "got an object of type Precise" }
class Precise(float):
    pass


right = Value.__add__


def add(self, other):
    total = right(self, other)
    total.data = Precise(total.data)
    return total


Value.__add__ = add
