#: expect = "error"
#: says = "The process ended before it had answered"
import itertools
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


control = nearest(lambda value: isinstance(value, socket.socket))
request = nearest(lambda value: isinstance(value, dict) and "parts" in value)


def say(channel, message):
    body = json.dumps(message).encode()
    channel.sendall(struct.pack("!I1s", len(body), b"S") + body)


say(control, {"id": request["id"]})
for forged in itertools.cycle((0x137F, 0xFFFF, -1, 0x7F, 2**31 - 1)):
    asked, descriptors, _, _ = socket.recv_fds(control, 1, 1)
    if not asked:
        os._exit(0)
    control.sendall(struct.pack("!i", os.getpid()))
    with socket.socket(fileno=descriptors[0]) as channel:
        request = channel.recv(1 << 16)
        say(channel, {"id": json.loads(request[5:])["id"]})
        channel.recv(1 << 16)
    control.sendall(struct.pack("!i", forged))
