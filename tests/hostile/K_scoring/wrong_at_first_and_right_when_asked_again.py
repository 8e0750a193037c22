#: expect = { check_function = "failed" }
#: says = { check_function = "expected 10.0, got 11.0" }
# Only a limit of time is given a second chance.
import os


def double(value):
    if os.path.exists("/scratch/tried"):
        return value + value
    open("/scratch/tried", "w").close()
    return Value(11.0)
