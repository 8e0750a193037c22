#: expect = { check_function = "timeout" }
import os
import signal


def double(value):
    os.kill(os.getpid(), signal.SIGSTOP)
    return value + value
