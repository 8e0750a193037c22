# Whatever can be left for the next student is left; the other programs of this family look for it.
import contextlib
import fcntl
import os
import signal
import socket
import sys
from multiprocessing import shared_memory

for folder in ("/scratch", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/opt/grader", os.path.dirname(os.__file__)):
    for name in ("left-behind", "left_behind.py", "json.py", "sitecustomize.py", "left-behind.lock"):
        with contextlib.suppress(OSError), open(f"{folder}/{name}", "w") as file:
            file.write("raise SystemExit('left behind')")
    with contextlib.suppress(OSError):
        os.makedirs(f"{folder}/__pycache__/left-behind")
with contextlib.suppress(OSError):
    shared_memory.SharedMemory("left-behind", create=True, size=4096)
with contextlib.suppress(OSError):
    socket.socket(socket.AF_UNIX).bind("\0left-behind")
with contextlib.suppress(OSError):
    socket.socket().bind(("127.0.0.1", 27182))
locked = os.open(os.path.realpath(sys.executable), os.O_RDONLY)
fcntl.flock(locked, fcntl.LOCK_EX)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.pause()
    os._exit(0)
