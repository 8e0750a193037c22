"""What must not be reachable from inside a sandbox, looked for from inside. Standard library only.

`grader doctor` has this very file loaded in a sandbox, as a student's would be, and calls the function of each probe.
A function returns what it found that should not be there, in a few words each: nothing, where the boundary holds. None
of them does harm where there is no boundary at all: what it asks for is worthless, or no more than asked about.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import importlib.metadata
import importlib.util
import itertools
import os
import platform
import socket
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

_FILTER = (
    "the filter of system calls is not in force: `docker info` must list seccomp, the kernel must be built with it"
)
_ENGINE = "the engine or its runtime gives containers more than they ask for: see its daemon.json, or choose another"


class Probe(NamedTuple):
    """One probe; as constant as this file.

    Attributes:
        name: The function's name, and what is looked at.
        promise: What holds where it finds nothing.
        remedy: What to see to where it finds something.
    """

    name: str
    promise: str
    remedy: str


PROBES = (
    Probe("network", "no socket can be made, and no route leads anywhere", _FILTER),
    Probe("devices", "only devices that do nothing", _ENGINE),
    Probe("mounts", "only the temporary files can be written, and no setuid file is heeded", _ENGINE),
    Probe("capabilities", "no capability, no way to one, and not root", _ENGINE),
    Probe("system_calls", "what only attacks need is refused", _FILTER),
    Probe("processes", "nobody else is there, and the driver is closed", "process namespaces must be available"),
    Probe("imports", "the standard library, and nothing of the course", "use an image of `grader image build`"),
    Probe("files", "no file of this machine's users, settings or services", _ENGINE),
)

_HARMLESS_DEVICES = {(1, 3), (1, 5), (1, 7), (1, 8), (1, 9), (5, 0), (5, 2)}
"""null, zero, full, random, urandom, the terminal of who has one, and what makes new ones."""
_WRITABLE = (Path("/scratch"), Path("/dev/pts"))
"""Where a student may write; in the second there are only terminals that the student makes."""
_MADE_OF_NOTHING = ("proc", "sysfs")
"""File systems that hold no programs."""
_MOST_FILES = 30_000
_ABSENT_MODULES = ("grader", "reference", "micrograd", "numpy", "torch", "tensorflow", "jax", "autograd", "pytest")
_ABSENT_FILES = (
    "/etc/shadow",
    "/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/run/dbus/system_bus_socket",
    "/run/secrets",
)
_ABSENT_FOLDERS = ("/home", "/root", "/srv", "/var")
_DRIVER_FILES = ("mem", "environ", "fd", "root", "cwd")

_REFUSALS = (errno.EPERM, errno.ENOSYS)
"""What a call is answered with that the filter refuses, or that the kernel does not have."""

# Numbers on x86-64 and on AArch64, and arguments that could do nothing even where they were looked at.
_CALLS = {
    "add_key": (248, 217, (0, 0, 0, 0, 0)),
    "bpf": (321, 280, (-1, 0, 0)),
    "chroot": (161, 51, (0,)),
    "clone of a user namespace": (56, 220, (0x1000_0200,)),  # with CLONE_FS, which does not go together
    "finit_module": (313, 273, (-1, 0, 0)),
    "io_uring_setup": (425, 425, (0, 0)),
    "ioctl TIOCSTI": (16, 29, (-1, 0x5412, 0)),
    "keyctl": (250, 219, (-1, 0, 0, 0, 0)),
    "memfd_create": (319, 279, (0, -1)),
    "mknodat": (259, 33, (-1, 0, 0, 0)),
    "mount": (165, 40, (0, 0, 0, 0, 0)),
    "move_mount": (429, 429, (-1, 0, -1, 0, -1)),
    "mq_open": (240, 180, (0, 0, 0, 0)),
    "open_by_handle_at": (304, 265, (-1, 0, 0)),
    "perf_event_open": (298, 241, (0, 0, -1, -1, 0)),
    "pidfd_getfd": (438, 438, (-1, 0, 0)),
    "pivot_root": (155, 41, (0, 0)),
    "process_vm_readv": (310, 270, (-1, 0, 0, 0, 0, 0)),
    "ptrace": (101, 117, (-1, 0, 0, 0)),
    "reboot": (169, 142, (0, 0, 0, 0)),
    "sched_setscheduler": (144, 119, (-1, 0, 0)),
    "semget": (64, 190, (0, -1, 0)),
    "setns": (308, 268, (-1, 0)),
    "shmget": (29, 194, (0, 0, 0)),
    "syslog": (103, 116, (-1, 0, 0)),
    "unshare": (272, 97, (-1,)),
    "userfaultfd": (323, 282, (-1,)),
}


def network() -> list[str]:
    """Look for a way to talk to anybody."""
    found = []
    for family in ("AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET", "AF_VSOCK"):
        try:
            socket.socket(getattr(socket, family), socket.SOCK_DGRAM).close()
        except OSError as error:
            if error.errno in _REFUSALS:
                continue
        found.append(f"sockets of {family}")
    for table, column in (("route", 0), ("ipv6_route", -1)):
        path = Path("/proc/net", table)
        lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
        interfaces = {line.split()[column] for line in lines} - {"Iface", "lo"}
        found += [f"a route over {name}" for name in sorted(interfaces)]
    return found


def devices() -> list[str]:
    """Look for devices that lead somewhere."""
    found = []
    for path, status in _below(Path("/dev")):
        numbers = os.major(status.st_rdev), os.minor(status.st_rdev)
        is_character = stat.S_ISCHR(status.st_mode)
        if stat.S_ISBLK(status.st_mode) or (is_character and numbers not in _HARMLESS_DEVICES):
            found.append(str(path))
    return found


def mounts() -> list[str]:
    """Look for places to write to, and for setuid files that the kernel would heed."""
    found = []
    table = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
    kinds = {Path(line.split()[4]): line.partition(" - ")[2].split()[0] for line in table.splitlines()}
    for place, kind in kinds.items():
        if place.is_dir() and place not in _WRITABLE and os.access(place, os.W_OK):
            found.append(f"{place} can be written to")
        if kind not in _MADE_OF_NOTHING and place.exists() and not os.statvfs(place).f_flag & os.ST_NOSUID:
            setuid = (path for path, status in _below(place, kinds) if status.st_mode & (stat.S_ISUID | stat.S_ISGID))
            found += [f"{path} is setuid" for path in itertools.islice(setuid, 1)]
    return found


def capabilities() -> list[str]:
    """Look for privileges, and for a way to some."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    status = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
    found = [f"{name} {value}" for name, value in status.items() if name.startswith("Cap") and int(value, 16)]
    if status["NoNewPrivs"] != "1":
        found.append("programs that gain privileges")
    if "0" in status["Uid"].split():
        found.append("root")
    return found


def system_calls() -> list[str]:
    """Look for system calls that get past the filter."""
    machine = ("x86_64", "aarch64").index(platform.machine())
    call = ctypes.CDLL(None, use_errno=True).syscall
    found = []
    for name, (*numbers, arguments) in _CALLS.items():
        ctypes.set_errno(0)
        if call(*map(ctypes.c_long, (numbers[machine], *arguments))) >= 0 or ctypes.get_errno() not in _REFUSALS:
            found.append(name)
    return found


def processes() -> list[str]:
    """Look for processes of others, and into the driver."""
    here = {int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()}
    others = here - {1, os.getpid(), os.getppid()}
    found = [f"{len(others)} other processes"] if others else []
    return found + [f"the driver's {name}" for name in _DRIVER_FILES if os.access(f"/proc/1/{name}", os.R_OK)]


def imports() -> list[str]:
    """Look for modules that hold answers."""
    found = [f"the module {name}" for name in _ABSENT_MODULES if importlib.util.find_spec(name)]
    return found + [f"the package {each.metadata['Name']}" for each in importlib.metadata.distributions()]


def files() -> list[str]:
    """Look for files of the machine, and for settings of its kernel."""
    found = [path for path in _ABSENT_FILES if Path(path).exists()]
    for folder in _ABSENT_FOLDERS:
        others = _below(Path(folder), {Path(sys.base_prefix)})  # the interpreter itself may be somebody's own
        found += [str(path) for path, _ in itertools.islice(others, 1)]
    settings = itertools.chain(_below(Path("/proc/sys")), _below(Path("/sys")))
    return found + [f"{path} can be written to" for path, _ in settings if os.access(path, os.W_OK)]


def _below(top: Path, except_for: Container[Path] = ()) -> Iterator[tuple[Path, os.stat_result]]:
    """Files below a folder that are not below certain others: all, or as many as a sandbox ever holds."""

    def found() -> Iterator[tuple[Path, os.stat_result]]:
        for folder, folders, names in os.walk(top):
            folders[:] = [name for name in folders if Path(folder, name) not in except_for]
            for path in (Path(folder, name) for name in names):
                with contextlib.suppress(OSError):  # it may have gone meanwhile
                    yield path, path.lstat()

    return itertools.islice(found(), _MOST_FILES)
