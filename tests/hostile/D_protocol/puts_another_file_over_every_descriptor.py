#: expect = { check_function = "error" }
#: says = { check_function = "The process ended before it had answered" }
import os


def double(value):
    null = os.open("/dev/null", os.O_RDWR)
    for descriptor in range(64):
        if descriptor != null:
            os.dup2(null, descriptor)
    return value + value
