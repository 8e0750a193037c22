import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
REFUSED = (-1, errno.EPERM)


def call(x86_64, aarch64, *arguments):
    number = {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]
    return libc.syscall(*map(ctypes.c_long, (number, *arguments))), ctypes.get_errno()


SOFTWARE, BYTES = 1, 112
event = (ctypes.c_uint32 * 32)(SOFTWARE, BYTES)
for pid in (0, 1, os.getppid(), -1):
    assert call(298, 241, ctypes.addressof(event), pid, 0 if pid == -1 else -1, -1, 0) == REFUSED
