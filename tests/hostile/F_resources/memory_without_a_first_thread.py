#: expect = { check_function = "memory" }
#: says = { check_function = "more than 96 MiB" }
import ctypes
import os
import signal
import threading
import time


def hoard():
    held = b"x" * (50 << 20)
    time.sleep(3600)


def double(value):
    """Six processes that look as if they had ended, because their first thread has."""
    for _ in range(6):
        if os.fork() == 0:
            threading.Thread(target=hoard).start()
            ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)
    os.wait()
    os.kill(os.getpid(), signal.SIGKILL)
