#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got an object of type E" }
class E:
    """What every comparison, and every way of making a number of it, calls right."""

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __bool__ = lambda self: True
    __hash__ = lambda self: hash(14.0)
    __abs__ = __neg__ = __pos__ = lambda self: self
    __sub__ = __rsub__ = __add__ = __radd__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = lambda self, other: 0.0
    __float__ = lambda self: 14.0
    __int__ = __index__ = __round__ = __trunc__ = __floor__ = __ceil__ = lambda self, *digits: 14
    __repr__ = __str__ = lambda self: "14.0"
    __format__ = lambda self, form: "14.0"


Value.__add__ = lambda self, other: Value(E())
