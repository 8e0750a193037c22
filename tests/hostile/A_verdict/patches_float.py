#: expect = "failed"
#: says = { check_value = "got an object of type float" }
import builtins


class Agreeable(float):
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __hash__ = float.__hash__


Agreeable.__name__ = "float"
builtins.float = Agreeable
