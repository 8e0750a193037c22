#: not_promised_by = ["user"]
import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
REFUSED = (-1, errno.EPERM)


def call(x86_64, aarch64, *arguments):
    number = {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]
    return libc.syscall(*map(ctypes.c_long, (number, *arguments))), ctypes.get_errno()


USER_MODE_ONLY = 1
for flags in (0, os.O_CLOEXEC, USER_MODE_ONLY):
    assert call(323, 282, flags) == REFUSED
assert not os.path.exists("/dev/userfaultfd")
