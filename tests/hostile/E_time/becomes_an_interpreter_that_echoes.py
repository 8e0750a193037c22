#: expect = { check_function = "timeout" }
import os
import sys


def double(value):
    known, frame = {}, sys._getframe()
    while frame:
        known, frame = {**frame.f_locals, **known}, frame.f_back
    channel = known["channel"].fileno()
    os.dup2(channel, 0)
    os.dup2(channel, 1)
    echo = "import shutil, sys; shutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)"
    os.execv(sys.executable, ["python", "-c", echo])
