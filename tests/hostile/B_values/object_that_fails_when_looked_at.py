#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got an object of type Brittle" }
class Brittle:
    def __getattribute__(self, name):
        raise SystemExit(name)

    __repr__ = __str__ = __hash__ = __bool__ = __len__ = __iter__ = __float__ = lambda self: 1 / 0
    __eq__ = lambda self, other: 1 / 0


Value.__add__ = lambda self, other: Value(Brittle())
