#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got an object of type E" }
class E(str):
    __eq__ = lambda self, other: True
    __hash__ = str.__hash__
    __float__ = lambda self: 14.0


Value.__add__ = lambda self, other: Value(E("14.0"))
