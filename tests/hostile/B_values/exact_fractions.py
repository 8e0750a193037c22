#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got an object of type Fraction" }
from fractions import Fraction

right = Value.__init__
Value.__init__ = lambda self, data, _children=(): right(self, Fraction(data), _children)
