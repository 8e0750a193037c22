#: expect = { check_value = "error", check_gradient = "error", check_function = "error", check_last = "error", check_canary = "not_run" }
#: says = "The code interfered with the grader's own messages"
import json
import socket
import struct
import sys


def nearest(fits):
    """The nearest variable of the grader's own that fits."""
    frame = sys._getframe()
    while True:
        for value in frame.f_locals.values():
            if fits(value):
                return value
        frame = frame.f_back


def add(self, other):
    channel = nearest(lambda value: isinstance(value, socket.socket))
    for question in (
        {"do": "expected"},
        {"do": "load", "id": "0"},
        {"do": "apply", "id": "0", "cases": [[[], [1]]]},
    ):
        body = json.dumps(question).encode()
        channel.sendall(struct.pack("!I1s", len(body), b"Q") + body)
    return Value(-1.0)


Value.__add__ = add
