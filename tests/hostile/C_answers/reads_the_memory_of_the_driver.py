#: expect = {}
import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
numbers = {"x86_64": (101, 310, 311, 438, 312), "aarch64": (117, 270, 271, 438, 272)}[os.uname().machine]
buffer = ctypes.create_string_buffer(16)
ours = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 16)
theirs = (ctypes.c_void_p * 2)(id(Value), 16)  # same addresses: it is where this process was forked from
ptrace, readv, writev, getfd, kcmp = numbers
pidfd = os.pidfd_open(1)
found = []
for call in (
    (ptrace, 16, 1, 0, 0),  # PTRACE_ATTACH
    (ptrace, 0x4206, 1, 0, 0),  # PTRACE_SEIZE
    (readv, 1, ours, 1, theirs, 1, 0),
    (writev, 1, ours, 1, theirs, 1, 0),
    *((getfd, pidfd, descriptor, 0) for descriptor in range(8)),
    (kcmp, os.getpid(), 1, 0, 0, 0),
):
    ctypes.set_errno(0)
    if libc.syscall(*call) != -1:
        found.append(call)
    assert ctypes.get_errno() in (errno.EPERM, errno.EACCES, errno.ENOSYS), (call, errno.errorcode[ctypes.get_errno()])
for name in ("mem", "maps", "environ", "auxv", "stack", "syscall", "pagemap"):
    try:
        with open(f"/proc/1/{name}", "rb") as file:
            found.append((name, file.read(16)))
    except OSError:
        pass
assert not found, found
