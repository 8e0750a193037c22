#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got an object of type Liar" }
class Meta(type):
    __name__ = property(lambda self: "float")
    __instancecheck__ = __subclasscheck__ = lambda self, other: True
    __eq__ = lambda self, other: True
    __hash__ = type.__hash__


class Liar(metaclass=Meta):
    __class__ = float
    hex = lambda self: "0x1.cp+3"
    is_integer = lambda self: True
    as_integer_ratio = lambda self: (14, 1)


assert isinstance(Liar(), float)

Value.__add__ = lambda self, other: Value(Liar())
