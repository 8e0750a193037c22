#: expect = { check_function = "error" }
#: says = { check_function = "interfered with the grader's own messages" }
import os


def double(value):
    for name in os.listdir("/proc/self/fd"):
        try:
            os.write(int(name), b"garbage\n" * 10)
        except OSError:
            pass
    return value + value
