#: expect = {}
right = Value.__init__


def initialise(self, data, _children=()):
    right(self, int(data) if data == int(data) else data, _children)
    self.grad = 0


Value.__init__ = initialise
