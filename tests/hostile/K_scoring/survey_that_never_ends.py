#: exercise = "named"
#: expect = { check_last = "timeout" }
init = Value.__init__


def __init__(self, data, _children=()):
    while data == 1.0:
        pass
    init(self, data, _children)


Value.__init__ = __init__
