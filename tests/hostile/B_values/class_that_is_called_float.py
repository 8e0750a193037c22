#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got an object of type float" }
Fake = type("float", (float,), {"__module__": "builtins", "__qualname__": "float", "__eq__": lambda self, other: True})

Value.__add__ = lambda self, other: Value(Fake(-1.0))
