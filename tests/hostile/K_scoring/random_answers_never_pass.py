#: expect = { check_function = "failed" }
# A wrong answer gets no second try, however it came about.
import os


def double(value):
    return Value(value.data * (2 + int.from_bytes(os.urandom(6), "big") / 2**48 + 1e-9))
