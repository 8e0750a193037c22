#: expect = "error"
#: says = "ValueError: not shown"
import sys
import types

shell = types.ModuleType("IPython")
shell.InteractiveShell = type("InteractiveShell", (), {"showtraceback": None, "_showtraceback": None})
shell.get_ipython = lambda: shell.InteractiveShell()
sys.modules["IPython"] = shell
sys.excepthook = lambda *raised: None
sys.tracebacklimit = 0


def add(self, other):
    raise ValueError("not shown")


Value.__add__ = add
