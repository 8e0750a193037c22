#: expect = "not_run"
#: says = "value.py does not load."
import sys

frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "told"):
    frame = frame.f_back
frame.f_locals["self"]._notes.extend([0, 1, "failed", "E"] for _ in range(1_000_000))
