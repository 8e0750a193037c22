#: exercise = "graph"
#: expect = { check_power = "error" }
#: says = { check_power = "AssertionError: only ints" }


power = Value.__pow__


def __pow__(self, other):
    assert isinstance(other, int), "only ints"
    return power(self, other)


Value.__pow__ = __pow__
