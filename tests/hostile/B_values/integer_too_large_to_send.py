#: expect = "error"
#: says = "the answer cannot be read: an integer of"
Value.__add__ = lambda self, other: Value(1 << 100_000)
