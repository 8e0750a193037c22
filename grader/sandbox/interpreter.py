"""A Python of this machine that somebody who owns nothing can run, for sandboxes that have no image to bring one."""

from __future__ import annotations

import functools
import json
import os
import re
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import SandboxError

if TYPE_CHECKING:
    from collections.abc import Sequence

LOCALE = Path("/usr/lib/locale/C.utf8")
"""What `LANG` in a driver's environment names; a C library may have it built in."""

OF_OTHERS = ("site-packages", "dist-packages")
"""Folders in a standard library that hold what was installed into it."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter, and all that it needs of the system; lasts as long as the sandbox that runs it.

    Attributes:
        executable: The interpreter itself, no link to it.
        library: The folders of its standard library.
        shared: The shared libraries that it and its standard library load.
        version: Its version.
    """

    executable: Path
    library: tuple[Path, ...]
    shared: tuple[Path, ...]
    version: str


@functools.cache  # it takes a fifth of a second to ask for the libraries
def find_python() -> Interpreter:
    """Return an interpreter: the grader's own, or the system's where somebody who owns nothing cannot read ours.

    Raises:
        SandboxError: There is none of a version that the driver runs on.
    """
    for candidate in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        executable = Path(candidate).resolve()
        if not executable.exists() or (os.geteuid() == 0 and not everybody_runs(executable)):
            continue
        ask = (
            "import json, sys, sysconfig; paths = map(sysconfig.get_path, ('stdlib', 'platstdlib')); "
            "print(json.dumps([sorted(set(paths)), sys.version_info[:3]]))"
        )
        done = subprocess.run(  # noqa: S603  # an interpreter of this machine
            [str(executable), "-I", "-S", "-c", ask], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            paths, version = json.loads(done.stdout)
            library = tuple(map(Path, paths))
            if version >= [3, 11]:
                shared = _shared_libraries(executable, library)
                return Interpreter(executable, library, shared, ".".join(map(str, version)))
    raise SandboxError("there is no Python 3.11 or later that every user may read: install the system's python3")


def everybody_runs(path: Path) -> bool:
    """Whether a user who owns nothing can read and run a file, or list a folder and reach what is in it."""
    to_run = stat.S_IROTH | stat.S_IXOTH
    reachable = all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)
    return reachable and path.stat().st_mode & to_run == to_run


def _shared_libraries(executable: Path, library: Sequence[Path]) -> tuple[Path, ...]:
    """Return what an interpreter and the modules of its standard library load.

    Raises:
        SandboxError: There is no `ldd` to tell.
    """
    modules = [module for place in library for module in sorted(place.glob("lib-dynload/*.so"))]
    try:
        told = subprocess.run(["ldd", executable, *modules], capture_output=True, text=True, check=False)  # noqa: S603, S607  # the system's
    except OSError as error:
        raise SandboxError(f"cannot tell which libraries {executable} needs: ldd: {error.strerror}") from error
    found = {Path(path) for path in re.findall(r"^\s(?:.* => )?(/\S+)", told.stdout, re.MULTILINE)}
    # The C library asks for this one when it first ends a thread.
    return tuple(sorted(found | {path for path in (one.with_name("libgcc_s.so.1") for one in found) if path.exists()}))
