#: expect = { check_function = "memory" }
#: says = { check_function = "more than 96 MiB of memory in `double()`" }
import sys

sys.setrecursionlimit(10**9)


def double(value):
    kept = bytearray(1 << 18)
    return double(value)
