#: expect = { check_function = "error" }
#: says = { check_function = "interfered with the grader's own messages" }
import sys


def double(value):
    known, frame = {}, sys._getframe()
    while frame:
        known, frame = {**frame.f_locals, **known}, frame.f_back
    channel = known["channel"]
    channel.sendall((2**31 - 1).to_bytes(4, "big") + b"S{")
    while True:
        pass
