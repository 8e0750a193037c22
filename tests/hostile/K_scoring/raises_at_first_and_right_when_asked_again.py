#: expect = { check_function = "error" }
#: says = { check_function = "RuntimeError: not yet" }
import os


def double(value):
    if os.path.exists("/scratch/tried"):
        return value + value
    open("/scratch/tried", "w").close()
    raise RuntimeError("not yet")
