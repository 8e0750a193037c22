#: expect = {}
class Value:
    """A number with its derivative with respect to every number it was made of, carried forward."""

    def __init__(self, data, slopes=None):
        self.data, self.grad = data, 0.0
        self.slopes = slopes if slopes is not None else {self: 1.0}

    def __add__(self, other):
        return Value(self.data + other.data, self.mixed(1.0, other, 1.0))

    def __mul__(self, other):
        return Value(self.data * other.data, self.mixed(other.data, other, self.data))

    def mixed(self, mine, other, theirs):
        both = self.slopes.keys() | other.slopes.keys()
        return {leaf: mine * self.slopes.get(leaf, 0.0) + theirs * other.slopes.get(leaf, 0.0) for leaf in both}

    def backward(self):
        for leaf, slope in self.slopes.items():
            leaf.grad += slope
