#: expect = {}
import os
import signal


def double(value):
    os.kill(os.getppid(), signal.SIGSTOP)
    return value + value
