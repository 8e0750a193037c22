#: expect = { check_function = "memory" }
import os


def double(value):
    if os.path.exists("tried"):
        return value + value
    open("tried", "w").close()
    return bytearray(1 << 30)
