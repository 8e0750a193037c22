#: expect = { check_function = "failed" }
#: says = { check_function = "expected 10.0, got 11.0" }
import os
import time


def double(value):
    if not os.path.exists("tried"):
        open("tried", "w").close()
        time.sleep(60)
    return Value(11.0)
