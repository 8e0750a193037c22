#: expect = "failed"
#: says = { check_value = "expected 14.0, got nan", check_gradient = "x.grad: expected 7.0, got nan" }
import math

right = Value.__init__


def initialise(self, data, _children=()):
    right(self, math.nan, _children)
    self.grad = -math.nan


Value.__init__ = initialise
