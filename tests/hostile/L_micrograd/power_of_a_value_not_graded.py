#: exercise = "graph"
# More than was asked for is as good as what was asked for.


power = Value.__pow__


def __pow__(self, other):
    return power(self, other.data if isinstance(other, Value) else other)


Value.__pow__ = __pow__
