#: expect = { check_function = "error" }
#: says = { check_function = "RuntimeError: not yet" }
import os


def double(value):
    if os.path.exists("tried"):
        return value + value
    open("tried", "w").close()
    raise RuntimeError("not yet")
