#: expect = { check_value = "error", check_gradient = "error", check_function = "error", check_last = "error", check_canary = "not_run" }
#: says = "interfered"
import os
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
    request = nearest(lambda value: isinstance(value, dict) and "cases" in value)
    body = b'{"id":"%s","status":"ok","ready":3,"stdout":"","exit":0}' % request["id"].encode()
    channel.sendall(struct.pack("!I1s", len(body), b"D") + body)
    os._exit(0)


Value.__add__ = add
