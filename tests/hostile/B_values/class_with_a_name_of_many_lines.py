#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got an object of type float" }
Fake = type("float\n\nall passed\x1b[2J" + "!" * 10_000, (float,), {})

Value.__add__ = lambda self, other: Value(Fake(14.0))
