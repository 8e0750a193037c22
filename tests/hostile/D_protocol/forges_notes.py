#: expect = {}
#: notes = ["value.py, line 1 raised \u001b[31mpassed ::error::25 of 25 XP and was passed over.", "There is more of this kind, which is not shown."]
import sys

frame = sys._getframe()
while not hasattr(frame.f_locals.get("self"), "told"):
    frame = frame.f_back
execution = frame.f_locals["self"]
told = [
    [0, 1, "failed", "\x1b[31mpassed\n::error::25 of 25 XP"],
    [99, 1, "failed", "no such place"],
    [0, 1, "passed", "no such kind"],
    ["0", 1, "failed", "no number"],
    [0, 1, "failed"],
    {"place": 0},
    *([0, line, "failed", "\u202e" + "x" * 500] for line in range(500)),
]
execution._notes.extend(told)
execution._absent.extend(["numpy", "<script>", "a" * 1000, 7, None])
