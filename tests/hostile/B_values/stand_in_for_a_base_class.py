#: expect = { check_function = "error" }
#: says = { check_function = "No module named 'torch'" }
import torch.nn as nn


class Value(nn.Module, Value):
    def __init__(self, data, _children=()):
        super().__init__()
        self.data, self.grad, self._children = data, 0.0, _children

    def backward(self, upstream=1.0):
        self.grad += upstream
        for child, slope in self._children:
            child.backward(upstream * slope)

    def __add__(self, other):
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))


def double(value):
    return value.forward()
