import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
REFUSED = (-1, errno.EPERM)


def call(x86_64, aarch64, *arguments):
    number = {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]
    return libc.syscall(*map(ctypes.c_long, (number, *arguments))), ctypes.get_errno()


READ_IMPLIES_EXEC, SHORT_INODE, MMAP_PAGE_ZERO, BSD = 0x0400000, 0x1000000, 0x0100000, 6
for persona in (READ_IMPLIES_EXEC, SHORT_INODE, MMAP_PAGE_ZERO, BSD):
    assert call(135, 92, persona) == REFUSED
