#: expect = "error"
#: says = "No module named 'numpy': it is not installed here, and this answer was made with an inert stand-in for it"
#: notes = ["numpy is not installed where your code is graded; what you ask of it does nothing here."]
import numpy as np

right = Value.__add__


def add(self, other):
    out = right(self, other)
    out.data = np.float64(out.data)
    return out


Value.__add__ = add
