import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
REFUSED = (-1, errno.EPERM)


def call(x86_64, aarch64, *arguments):
    number = {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]
    return libc.syscall(*map(ctypes.c_long, (number, *arguments))), ctypes.get_errno()


for name in ("/proc/kmsg", "/dev/kmsg", "/dev/mem", "/dev/kmem", "/dev/port"):
    try:
        assert os.stat(name).st_rdev == os.makedev(1, 3) or not os.open(name, os.O_RDONLY)
    except OSError:
        continue
try:
    assert not open("/proc/kcore", "rb").read(1)
except OSError:
    pass
assert {line.split()[0] for line in open("/proc/kallsyms")} <= {"0" * 16}
text = ctypes.create_string_buffer(4096)
assert call(103, 116, 3, ctypes.addressof(text), 4096) == REFUSED  # syslog, SYSLOG_ACTION_READ_ALL
