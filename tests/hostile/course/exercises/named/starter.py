class Value:
    def __init__(self, data, _children=()):
        self.data = data
        self.grad = 0.0
        self._children = _children

    def __add__(self, other):
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def backward(self, upstream=1.0):
        self.grad += upstream
        for child, slope in self._children:
            child.backward(upstream * slope)


def double(value):
    return value + value
