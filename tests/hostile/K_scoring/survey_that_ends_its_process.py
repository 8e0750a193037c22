#: exercise = "named"
#: expect = {}
import os

init, asked = Value.__init__, "asked"


def __init__(self, data, _children=()):
    if data == 1.0 and not os.path.exists(asked):
        open(asked, "w").close()
        os._exit(0)
    init(self, data, _children)


Value.__init__ = __init__
