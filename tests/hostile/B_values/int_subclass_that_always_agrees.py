#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got an object of type E" }
class E(int):
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __index__ = __int__ = __float__ = lambda self: 14
    __hash__ = int.__hash__


Value.__add__ = lambda self, other: Value(E(-1))
