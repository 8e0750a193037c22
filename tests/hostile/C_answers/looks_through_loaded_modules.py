#: expect = {}
import re
import sys

SOUGHT = re.compile(
    r"(grade[r]|referenc[e]|checks|hidden|_?pytest|hypothesis|torch|numpy|micrograd|docker|pebble)(\.|$)"
)
frame = sys._getframe()
spaces = [vars(module) for module in list(sys.modules.values()) if hasattr(module, "__dict__")]
while frame is not None:
    spaces.append(frame.f_globals)
    frame = frame.f_back
modules = {value.__name__ for space in spaces for value in space.values() if isinstance(value, type(sys))}
assert "json" in modules and "sys" in sys.modules
found = [name for name in [*sys.modules, *modules] if SOUGHT.match(name) and name != "grader.sandbox.wire"]
assert not found, found
