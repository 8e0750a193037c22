#: expect = "error"
#: says = "the answer cannot be read: a value nested more than 40 deep"
loop = []
loop.append(loop)

Value.__add__ = lambda self, other: Value(loop)
