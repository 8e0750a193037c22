#: expect = { check_function = "memory" }
#: says = { check_function = "more than 96 MiB" }
import os
import signal
import sys
import time


def double(value):
    """Six processes take memory while this one keeps the driver busy with the bytes of a message."""
    known, frame = {}, sys._getframe()
    while frame:
        known, frame = {**frame.f_locals, **known}, frame.f_back
    channel = known["channel"]
    channel.sendall((1 << 20).to_bytes(4, "big") + b"S")
    for _ in range(6):
        if os.fork() == 0:
            hoard = b"x" * (50 << 20)
            time.sleep(3600)
    while os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG) is None:
        channel.sendall(b" ")
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGKILL)
