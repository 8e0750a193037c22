#: expect = "failed"
#: says = "expected 14.0, got -1.0"
import json
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
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            body = json.dumps({"id": request["id"], "values": [[{"f": (14.0).hex()}]]}).encode()
            try:
                while True:
                    if channel.recv(1 << 16):  # whatever is asked after this check's own question
                        channel.sendall(struct.pack("!I1s", len(body), b"S") + body)
            finally:
                os._exit(0)
        os._exit(0)
    os.wait()
    return Value(-1.0)


Value.__add__ = add
