#: expect = { check_function = "timeout" }
#: says = { check_function = "Stopped after 1 s" }
#: seconds = 5
import sys


def double(value):
    known, frame = {}, sys._getframe()
    while frame:
        known, frame = {**frame.f_locals, **known}, frame.f_back
    channel = known["channel"]
    for byte in (1 << 20).to_bytes(4, "big") + b"S" + b" " * (1 << 20):
        channel.sendall(bytes([byte]))
