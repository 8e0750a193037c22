#: expect = { check_function = "memory" }
import os


def double(value):
    if os.path.exists("/scratch/tried"):
        return value + value
    open("/scratch/tried", "w").close()
    return bytearray(1 << 30)
