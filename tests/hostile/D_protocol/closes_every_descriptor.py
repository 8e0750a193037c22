#: expect = { check_function = "error" }
#: says = { check_function = "The process ended before it had answered" }
import os


def double(value):
    os.closerange(0, 4096)
    return value + value
