# The arguments would do no harm: that they are not even looked at is what is to be seen.
import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
NUMBERS = {
    "acct": (163, 89),
    "adjtimex": (159, 171),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "finit_module": (313, 273),
    "init_module": (175, 105),
    "kexec_load": (246, 104),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "settimeofday": (164, 170),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "vhangup": (153, 58),
}
if os.uname().machine == "x86_64":
    NUMBERS |= {"iopl": (172,), "ioperm": (173,), "modify_ldt": (154,)}
for name, numbers in NUMBERS.items():
    number = numbers[["x86_64", "aarch64"].index(os.uname().machine)]
    ctypes.set_errno(0)
    assert libc.syscall(*map(ctypes.c_long, (number, 0, 0, 0, 0, 0, 0))) == -1, name
    assert ctypes.get_errno() == errno.EPERM, name
