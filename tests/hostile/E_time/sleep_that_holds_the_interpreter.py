#: expect = { check_function = "timeout" }
import ctypes


def double(value):
    ctypes.PyDLL(None).sleep(3600)
