#: exercise = "graph"
#: expect = { check_difference_and_quotient = "failed" }


def __sub__(self, other):
    return -self + other


Value.__sub__ = __sub__
