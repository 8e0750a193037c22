"""How a driver starts where nothing around it confines it: as root, which gives up all its rights before anything else.

Standard library only, like the driver. What to become is told in a file, of JSON, that only root reads:

    driver      who the driver becomes: a user id
    student     who the student's processes become: another one, and the group of both
    filter      the compiled filter of system calls, as base64
    landlock    the version of Landlock that the kernel has, 0 for none
    readable    files and folders that may be read and executed, with all that is below them
    listed      folders that may be listed
    writable    files and folders that may be read and written, with all that is below them

The driver is *effectively* the student, so that it may kill the student's processes and look at their files. Its real
and saved user is another one, so the kernel lets none of those processes send it a signal. A fork of it becomes the
student for good (`become_student`).

Landlock (https://docs.kernel.org/userspace-api/landlock.html) keeps to the listed files whatever their modes are.
"""

from __future__ import annotations

import base64
import ctypes
import json
import os
import stat
import struct
import sys
from typing import Any

from grader.sandbox.driver import main as drive
from grader.sandbox.start import start_again

# <linux/prctl.h>, <linux/seccomp.h>, <linux/capability.h>
_PR_SET_CHILD_SUBREAPER = 36
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x2008_0522

# <linux/landlock.h>; the numbers of the calls are the same on every machine.
_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 444, 445, 446
_LANDLOCK_RULE_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11
_RIGHTS_OF_VERSION = {1: 13, 2: 14}
"""How many rights a version knows; the first with all that matter here is 3. Devices are the filter's to refuse."""
_MOST_RIGHTS = 15
_SCOPES = 1 << 0 | 1 << 1
"""No abstract socket and no signal reaches anybody but the student's own processes."""
_WITH_SCOPES = 6
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE


class _Program(ctypes.Structure):
    """`struct sock_fprog`: a filter and its length in instructions."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def main() -> None:
    """Become nobody, and be the driver."""
    start_again()  # starts again as root, for which there would be no right later on
    with open(sys.argv[1], "rb") as file:  # noqa: PTH123  # pathlib would be one more import to start with
        told = json.load(file)
    _give_up(told)
    drive()


def _give_up(told: dict[str, Any]) -> None:
    """Give up every right that can be given up.

    Raises:
        OSError: The kernel refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    capability = 0
    while libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:  # until there are no more
        capability += 1
    user, student = told["driver"], told["student"]
    os.setgroups([])
    os.setresgid(student, student, student)
    os.setresuid(user, student, user)
    none = ctypes.create_string_buffer(struct.pack("=6I", *[0] * 6))
    _checked(libc.capset(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0), none))
    os.umask(0o077)
    _checked(libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))  # or orphans would count until somebody else buries them
    _checked(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    if told["landlock"]:
        _keep_to_files(libc, told)
    code = base64.b64decode(told["filter"])
    program = _Program(len(code) // 8, code)
    _checked(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0))


def _keep_to_files(libc: ctypes.CDLL, told: dict[str, Any]) -> None:
    """Have the kernel refuse every file but those that are told."""
    every = (1 << _RIGHTS_OF_VERSION.get(told["landlock"], _MOST_RIGHTS)) - 1
    rights = {
        "readable": _READ_FILE | _READ_DIR | _EXECUTE,
        "listed": _READ_DIR,
        "writable": every & ~(_EXECUTE | _MAKE_CHAR | _MAKE_BLOCK),
    }
    # struct landlock_ruleset_attr { __u64 handled_access_fs; __u64 handled_access_net; __u64 scoped; }
    handled = struct.pack("=3Q", every, 0, _SCOPES) if told["landlock"] >= _WITH_SCOPES else struct.pack("=Q", every)
    ruleset = _checked(libc.syscall(_LANDLOCK_CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0))
    for kind, granted in rights.items():
        for path in told[kind]:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            allowed = granted if stat.S_ISDIR(os.fstat(place).st_mode) else granted & _OF_FILES & every
            rule = struct.pack("=Qi", allowed, place)
            _checked(libc.syscall(_LANDLOCK_ADD_RULE, ruleset, _LANDLOCK_RULE_PATH_BENEATH, rule, 0))
            os.close(place)
    _checked(libc.syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _checked(result: int) -> int:
    """Return what a call of the C library returned.

    Raises:
        OSError: It failed.
    """
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


if __name__ == "__main__":
    main()
