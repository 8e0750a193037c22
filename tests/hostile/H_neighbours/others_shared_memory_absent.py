import ctypes
import os
from multiprocessing import shared_memory

for create in (False, True):
    try:
        shared_memory.SharedMemory("left-behind", create=create, size=4096)
    except OSError:
        continue
    raise SystemExit("there is shared memory")
number = {"x86_64": 29, "aarch64": 194}[os.uname().machine]
assert ctypes.CDLL(None).syscall(number, 27182, 4096, 0o1666) == -1  # shmget
assert len(open("/proc/sysvipc/shm").readlines()) == 1  # its headings
