#: expect = { check_function = "timeout" }
#: says = { check_function = "in `double()`, line 27" }
import time


def double(value):
    time.sleep(10**6)
