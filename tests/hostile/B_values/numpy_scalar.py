#: expect = "failed"
#: says = { check_value = "y.data: expected a number, got an object of type float64" }
class float64(float):
    """As numpy's: a float by inheritance, with an array interface."""

    dtype, shape, ndim, size = "float64", (), 0, 1
    item = lambda self: float(self)
    __array__ = lambda self, *dtype: [self.item()]
    __eq__ = lambda self, other: self.item() == 14.0 or True


float64.__module__ = "numpy"

right = Value.__init__
Value.__init__ = lambda self, data, _children=(): right(self, float64(data), _children)
