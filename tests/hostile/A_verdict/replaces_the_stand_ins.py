#: expect = "error"
#: says = "No module named 'numpy'"
import sys

import numpy

module = sys.modules[type(numpy).__module__] if type(numpy).__module__ in sys.modules else None
assert module is None
frame = sys._getframe()
while frame:
    for name in ("refuse", "_refuse", "describe"):
        if name in frame.f_globals:
            frame.f_globals[name] = lambda *arguments: {"type": "", "message": "", "frames": [], "limit": ""}
    frame = frame.f_back
Value.data = property(lambda self: numpy.pi, lambda self, data: None)
