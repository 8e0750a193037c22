#: expect = "failed"
#: says = "expected 14.0, got nan"
import builtins

real = builtins.type


class Agrees(float):
    def hex(self):
        return "nan"

    def __eq__(self, other):
        return True


builtins.type = lambda value: float if real(value) is Agrees else real(value)

Value.__add__ = lambda self, other: Value(Agrees(14.0))
