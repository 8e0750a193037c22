import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
REFUSED = (-1, errno.EPERM)


def call(x86_64, aarch64, *arguments):
    number = {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]
    return libc.syscall(*map(ctypes.c_long, (number, *arguments))), ctypes.get_errno()


kind, name = ctypes.create_string_buffer(b"user"), ctypes.create_string_buffer(b"left-behind")
SESSION, USER = -3, -4
for ring in (SESSION, USER):
    assert call(248, 217, ctypes.addressof(kind), ctypes.addressof(name), ctypes.addressof(name), 4, ring) == REFUSED  # add_key
    assert call(250, 219, 0, ring, 1, 0, 0) == REFUSED  # keyctl
assert call(249, 218, ctypes.addressof(kind), ctypes.addressof(name), 0, SESSION) == REFUSED  # request_key
