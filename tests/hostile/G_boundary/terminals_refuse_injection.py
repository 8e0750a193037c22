import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
REFUSED = (-1, errno.EPERM)


def call(x86_64, aarch64, *arguments):
    number = {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]
    return libc.syscall(*map(ctypes.c_long, (number, *arguments))), ctypes.get_errno()


TIOCSTI, TIOCLINUX, TIOCCONS, TIOCSETD, TIOCSCTTY, TIOCSPTLCK = 0x5412, 0x541C, 0x541D, 0x5423, 0x540E, 0x40045431
character = ctypes.create_string_buffer(b"x")
descriptors = [0, 1, 2]
try:
    descriptors.append(os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY))
except PermissionError:
    pass
for descriptor in descriptors:
    for request in (TIOCSTI, TIOCLINUX, TIOCCONS, TIOCSETD, TIOCSCTTY, TIOCSPTLCK):
        for dropped in (0, 1 << 32):  # the kernel looks at the lower half alone, and so must the filter
            assert call(16, 29, descriptor, request | dropped, ctypes.addressof(character)) == REFUSED
