#: expect = { check_function = "memory" }
#: says = { check_function = "more than 96 MiB" }
import mmap
import os
import signal
import time


def double(value):
    """Six processes, none of which takes too much by itself."""
    for _ in range(6):
        if os.fork() == 0:
            hoard = b"x" * (50 << 20)
            time.sleep(3600)
    os.wait()
    os.kill(os.getpid(), signal.SIGKILL)
