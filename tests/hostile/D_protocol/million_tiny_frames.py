#: expect = { check_function = "error" }
#: says = { check_function = "interfered with the grader's own messages" }
import sys


def double(value):
    known, frame = {}, sys._getframe()
    while frame:
        known, frame = {**frame.f_locals, **known}, frame.f_back
    channel = known["channel"]
    for _ in range(1_000):
        channel.sendall(b"\0\0\0\2S{}" * 1_000)
    return value + value
