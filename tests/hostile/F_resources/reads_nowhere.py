#: expect = { check_function = "error" }
#: says = { check_function = "crashed (signal 11)" }
import ctypes


def double(value):
    return Value(ctypes.string_at(0))
