import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
name = ctypes.create_string_buffer(b"left-behind")
machine = ["x86_64", "aarch64"].index(os.uname().machine)
for number, *arguments in (
    ((68, 186)[machine], 27182, 0o1666),  # msgget
    ((64, 190)[machine], 27182, 1, 0o1666),  # semget
    ((240, 180)[machine], ctypes.addressof(name), os.O_CREAT | os.O_RDWR, 0o666, 0),  # mq_open
):
    assert libc.syscall(*map(ctypes.c_long, (number, *arguments))) == -1 and ctypes.get_errno() == errno.EPERM
for kind in ("msg", "sem"):
    assert len(open(f"/proc/sysvipc/{kind}").readlines()) == 1  # its headings
try:
    os.open("/dev/mqueue/left-behind", os.O_CREAT | os.O_RDWR)
except OSError:
    pass
else:
    raise SystemExit("made a message queue")
