#: expect = { check_function = "failed" }
#: says = { check_function = "expected 10.0, got 11.0" }
# Only a limit of time is given a second chance.
import os


def double(value):
    if os.path.exists("tried"):
        return value + value
    open("tried", "w").close()
    return Value(11.0)
