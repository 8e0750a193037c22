#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got an object of type E" }
class E(float):
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __abs__ = __sub__ = __rsub__ = __add__ = __radd__ = lambda self, *other: 0.0
    __hash__ = float.__hash__


Value.__add__ = lambda self, other: Value(E(-1.0))
