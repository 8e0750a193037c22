"""A Python of this machine that somebody who owns nothing can run, for sandboxes that have no image to bring one."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import py_compile
import stat
import subprocess
import sys
import tempfile
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
        magic: What its bytecode begins with, in hexadecimal.
    """

    executable: Path
    library: tuple[Path, ...]
    shared: tuple[Path, ...]
    version: str
    magic: str

    def compiled(self, source: bytes, path: str) -> tuple[str, bytes]:
        """Return a module as this interpreter loads it fastest, and the suffix of a file that holds that.

        It is bytecode without its source (https://peps.python.org/pep-0552/), where ours is the same; else the source.

        Args:
            source: The module's source.
            path: What its code is to say of where it is.
        """
        if self.magic != importlib.util.MAGIC_NUMBER.hex():
            return ".py", source
        with tempfile.TemporaryDirectory() as name:
            module, bytecode = Path(name, "module.py"), Path(name, "module.pyc")
            module.write_bytes(source)
            unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH  # its source is not there to be compared
            py_compile.compile(str(module), str(bytecode), path, doraise=True, invalidation_mode=unchecked)
            return ".pyc", bytecode.read_bytes()


_ASK = """
import ctypes, glob, importlib.util, json, sys, sysconfig

library = sorted({sysconfig.get_path(name) for name in ("stdlib", "platstdlib")})
for module in (path for folder in library for path in sorted(glob.glob(f"{folder}/lib-dynload/*.so"))):
    try:
        ctypes.CDLL(module)
    except OSError:
        pass  # it lacks a library, and cannot be imported either

class Loaded(ctypes.Structure):
    _fields_ = [("address", ctypes.c_size_t), ("name", ctypes.c_char_p)]

shared = set()

@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Loaded), ctypes.c_size_t, ctypes.c_void_p)
def note(loaded, size, data):
    shared.add((loaded.contents.name or b"").decode())
    return 0

ctypes.CDLL(None).dl_iterate_phdr(note, None)
print(json.dumps([library, sorted(shared), sys.version_info[:3], importlib.util.MAGIC_NUMBER.hex()]))
"""
"""What an interpreter is asked: where its standard library is, what is loaded once all modules in C are, its version.

The loader's own names are what counts, because it will look for these again (see dl_iterate_phdr(3)). `ldd` knows them,
too, but starts a process for each module, which takes ten times as long.
"""


@functools.cache
def find_python() -> Interpreter:
    """Return an interpreter: the grader's own, or the system's where somebody who owns nothing cannot read ours.

    Raises:
        SandboxError: There is none of a version that the driver runs on.
    """
    for candidate in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        executable = Path(candidate).resolve()
        if not executable.exists() or (os.geteuid() == 0 and not everybody_runs(executable)):
            continue
        done = subprocess.run(  # noqa: S603  # an interpreter of this machine
            [str(executable), "-I", "-S", "-c", _ASK], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            library, loaded, version, magic = json.loads(done.stdout)
            if version >= [3, 11]:
                folders = tuple(map(Path, library))
                shared = _shared(loaded, folders)
                return Interpreter(executable, folders, shared, ".".join(map(str, version)), magic)
    raise SandboxError("there is no Python 3.11 or later that every user may read: install the system's python3")


def everybody_runs(path: Path) -> bool:
    """Whether a user who owns nothing can read and run a file, or list a folder and reach what is in it."""
    to_run = stat.S_IROTH | stat.S_IXOTH
    reachable = all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)
    return reachable and path.stat().st_mode & to_run == to_run


def _shared(loaded: Sequence[str], library: Sequence[Path]) -> tuple[Path, ...]:
    """Of all that is loaded, what does not come with the standard library's folders, and what is loaded later."""
    found = {Path(name) for name in loaded if name.startswith("/")}
    found = {path for path in found if not any(path.is_relative_to(folder) for folder in library)}
    # The C library asks for this one when it first ends a thread.
    return tuple(sorted(found | {path for path in (one.with_name("libgcc_s.so.1") for one in found) if path.exists()}))
