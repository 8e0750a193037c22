# A lock ends with the sandbox of who holds it, even if both run the same interpreter.
import fcntl
import os
import sys
import time

deadline = time.monotonic() + 1.5
interpreter = os.open(os.path.realpath(sys.executable), os.O_RDONLY)
while True:
    try:
        fcntl.flock(interpreter, fcntl.LOCK_EX | fcntl.LOCK_NB)
        break
    except BlockingIOError:
        assert time.monotonic() < deadline, "somebody holds a lock"
        time.sleep(0.02)
