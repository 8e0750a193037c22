import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
REFUSED = (-1, errno.EPERM)


def call(x86_64, aarch64, *arguments):
    number = {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]
    return libc.syscall(*map(ctypes.c_long, (number, *arguments))), ctypes.get_errno()


for place, who in ((os.PRIO_PROCESS, 0), (os.PRIO_PGRP, 0), (os.PRIO_USER, 0)):
    try:
        os.setpriority(place, who, -5)
    except OSError:
        continue
    raise SystemExit("raised the priority")
FIFO, RR, DEADLINE = 1, 2, 6
level = ctypes.c_int(50)
for policy in (FIFO, RR):
    assert call(144, 119, 0, policy, ctypes.addressof(level)) == REFUSED  # sched_setscheduler
assert call(142, 118, 0, ctypes.addressof(level)) == REFUSED  # sched_setparam
wanted = (ctypes.c_uint32 * 14)(56, DEADLINE)
assert call(314, 274, 0, ctypes.addressof(wanted), 0) == REFUSED  # sched_setattr
assert call(251, 30, 1, 0, 1 << 13) == REFUSED  # ioprio_set, real time
