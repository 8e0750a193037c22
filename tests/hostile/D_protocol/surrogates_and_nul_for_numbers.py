#: expect = { check_value = "failed", check_gradient = "failed", check_function = "failed", check_last = "failed", check_canary = "failed" }
#: says = "expected a number"


def init(self, data, _children=()):
    self.data = "\ud800\0\x1b]0;\udfff"
    self.grad = 0.0
    self._children = ()


Value.__init__ = init
Value.__mul__ = Value.__add__ = lambda self, other: self
