import ctypes
import errno
import os
import signal

libc = ctypes.CDLL(None, use_errno=True)
REFUSED = (-1, errno.EPERM)


def call(x86_64, aarch64, *arguments):
    number = {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]
    return libc.syscall(*map(ctypes.c_long, (number, *arguments))), ctypes.get_errno()


TRACEME, ATTACH, SEIZE = 0, 16, 0x4206
sibling = os.fork()
if sibling == 0:
    signal.pause()
for pid in (1, os.getppid(), sibling):
    assert call(101, 117, ATTACH, pid, 0, 0) == REFUSED
    assert call(101, 117, SEIZE, pid, 0, 0) == REFUSED
assert call(101, 117, TRACEME, 0, 0, 0) == REFUSED
os.kill(sibling, 9)
os.waitpid(sibling, 0)
