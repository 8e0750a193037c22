import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
REFUSED = (-1, errno.EPERM)


def call(x86_64, aarch64, *arguments):
    number = {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]
    return libc.syscall(*map(ctypes.c_long, (number, *arguments))), ctypes.get_errno()


# A filter of one's own that allows everything changes nothing: the strictest answer counts.
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER, ALLOW = 38, 22, 2, 0x7FFF0000
instruction = ctypes.create_string_buffer(ALLOW.to_bytes(8, "little")[:0] + b"\x06\0\0\0" + ALLOW.to_bytes(4, "little"), 8)
program = (ctypes.c_uint64 * 2)(1, ctypes.addressof(instruction))
libc.prctl(PR_SET_SECCOMP, FILTER, ctypes.c_void_p(ctypes.addressof(program)), 0, 0)
assert libc.prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == -1
assert call(317, 277, 1, 0, ctypes.addressof(program)) == REFUSED  # seccomp
assert call(41, 198, 2, 1, 0) == REFUSED  # socket
