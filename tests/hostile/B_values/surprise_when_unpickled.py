#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got an object of type Surprise" }
import copyreg
import os


class Surprise:
    __reduce__ = __reduce_ex__ = lambda self, *protocol: (os.system, ("touch everywhere",))
    __getstate__ = __getnewargs__ = lambda self: os._exit(0)
    __deepcopy__ = __copy__ = lambda self, *memo: os._exit(0)
    __del__ = lambda self: None


copyreg.pickle(Surprise, lambda self: (os._exit, (0,)))

Value.__add__ = lambda self, other: Value(Surprise())
