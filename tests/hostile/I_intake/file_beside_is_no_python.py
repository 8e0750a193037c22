#: expect = "not_run"
#: says = "SyntaxError: invalid syntax\n  loss.py, line 2: y = = 2"
#: siblings = { "loss.py" = "x = 1\ny = = 2", "unused.py" = "x = = 1" }
from loss import *
