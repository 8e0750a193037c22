#: expect = { check_value = "timeout", check_gradient = "timeout", check_function = "timeout", check_last = "timeout", check_canary = "timeout" }
# Who gambles on the clock has one more try in all, not one for each check.
import os
import time

add = Value.__add__


def gambles(self, other):
    tries = len(os.listdir())
    open(str(tries), "w").close()
    if tries < 9:
        time.sleep(60)
    return add(self, other)


Value.__add__ = gambles
