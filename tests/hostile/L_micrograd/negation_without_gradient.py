#: exercise = "graph"
#: expect = { check_difference_and_quotient = "failed" }


def __neg__(self):
    return Value(-self.data)


Value.__neg__ = __neg__
