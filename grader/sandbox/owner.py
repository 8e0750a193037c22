"""Which process something belongs to that may outlive it: a container, a folder of temporary files.

A grader that is killed tidies nothing up. What it leaves carries its owner, so that the next one can tell it from what
belongs to a grader that is at work.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shutil
import sys
import tempfile
from pathlib import Path

_PREFIX = "grader-"


def this_process() -> str:
    """Return this process's name among all others: machine, boot and process namespace, number and start time.

    It has no character that a file name or a label could not have.
    """
    return f"{_machine()}-{os.getpid()}-{_start_time(os.getpid())}"


def lives(owner: str) -> bool:
    """Whether an owner is at work still, or belongs to another machine, of whose processes nothing is known."""
    try:
        machine, pid, start = owner.rsplit("-", 2)
        return machine != _machine() or _start_time(int(pid)) == start
    except ValueError:
        return True


def make_folder(where: Path) -> Path:
    """Make a folder for temporary files that says whose it is, and remove those of owners that are no more."""
    sweep(where)
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{this_process()}-", dir=where))


def sweep(where: Path) -> None:
    """Remove the folders in a folder whose owners are no more."""
    for folder in where.glob(f"{_PREFIX}*"):
        if not lives(folder.name.removeprefix(_PREFIX).rpartition("-")[0]):
            shutil.rmtree(folder, ignore_errors=True)


def _machine() -> str:
    name = platform.node()
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        name = f"{boot}.{Path('/proc/self/ns/pid').stat().st_ino}"
    return re.sub(r"[^\w.-]", "_", name)


def _start_time(pid: int) -> str:
    """When a process started, in ticks since boot; where there is no /proc, whether it runs; empty if it does not."""
    if sys.platform == "win32":
        return "running"  # who may not be: the signal that asks elsewhere is Ctrl-C there
    if Path("/proc/self/stat").exists():
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            return "" if stat[0] in "ZX" else stat[19]  # who has ended and is not yet buried closes nothing any more
        except (OSError, IndexError):
            return ""
    try:
        os.kill(pid, 0)
    except OSError:
        return ""
    return "running"
