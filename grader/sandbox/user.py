"""The sandbox of users: for a container made for one submission, where there is neither an engine nor a namespace.

Platforms such as Gradescope and PrairieLearn run a grader as root, in such a container. Two users that nobody else is
take over from there: the driver becomes one of them, and the student's processes the other (`as_user`). Neither owns
anything but a folder for temporary files. They get no privilege, no new ones from any program, and the same filter of
system calls as in the other sandboxes, so that there is no network. Where the kernel has Landlock, it refuses them
every file but what Python needs; elsewhere the modes of files are what keeps them out, as they keep out any user.

What is left is shared with the container: its processes are visible, if not what they do, and without Landlock what
everybody may read. So what students must not read is closed to them beforehand, and looked for as one of them.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import SandboxError
from grader.limits import Limits
from grader.sandbox import Sandbox, owner
from grader.sandbox.interpreter import LOCALE, OF_OTHERS, everybody_runs, find_python
from grader.sandbox.process import DRIVER, DRIVER_FILES, ENVIRONMENT, MEMORY_SLACK_MIB, ProcessSession
from grader.sandbox.seccomp import compile_profile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from grader.sandbox.interpreter import Interpreter

_HERE = Path(__file__).parent
_START = "as_user"
_USERS = range(65_400, 65_464, 2)
"""Ids of drivers; the student's is the next. They are below 65,536, or a user namespace might not have them, and in the
range that systemd gives out for a while (https://systemd.io/UIDS-GIDS): nothing on a disk is theirs."""

_PUBLIC_PLACES = ("/dev/shm", "/dev/mqueue", "/run/lock", "/tmp", "/var/tmp")  # noqa: S108  # where others write too
"""Where every user may make files."""

_NEEDED = ("/dev/random", "/dev/urandom", "/etc/ld.so.cache", "/sys/fs/cgroup", str(LOCALE))
_WRITABLE = ("/dev/full", "/dev/null", "/dev/zero", "/proc")
"""Files of the system that a student's process may read, and that it may write; nothing in them is worth anything."""

_LANDLOCK_CREATE_RULESET, _LANDLOCK_CREATE_RULESET_VERSION = 444, 1
_LEAVING_SECONDS = 10.0
_REMOVE = ("rm", "-rf", "--one-file-system", "--")
"""Removes files and folders, however deep."""

_KILL = """
import os, sys
driver, student = map(int, sys.argv[1:])
os.setgroups([])
os.setresgid(student, student, student)
os.setresuid(driver, student, driver)
os.kill(-1, 9)
"""
"""Kills every process of a student at once, as somebody to whom no process of a student can do the same."""

_LOOK = """
import os, sys
print(*(path for path in sys.argv[1:] if any(os.access(path, mode) for mode in (os.R_OK, os.W_OK, os.X_OK))), sep="\\n")
"""


class UserSandbox(Sandbox):
    """Runs each driver and its student's processes as users of their own; lasts as long as the process that grades.

    Args:
        private: Files and folders that students must not read. What of them is root's is closed to everybody else.

    Raises:
        SandboxError: The grader is not root, a private file stays readable, or the system lacks something.
    """

    kind = "user"

    def __init__(self, private: Collection[Path] = ()) -> None:
        if sys.platform != "linux" or os.geteuid() != 0:
            raise SandboxError(
                "it is for graders that are root in a container made for one submission: run it there, or take another"
            )
        interpreter = find_python()
        landlock = _landlock_version()
        self.image = f"CPython {interpreter.version}, " + (f"Landlock {landlock}" if landlock else "no Landlock")
        # Landlock lets nobody write there.
        self._places = [] if landlock else [place for place in _PUBLIC_PLACES if _everybody_lists(place)]
        self._sessions: list[_Session] = []
        self._folder = owner.make_folder(_reachable_folder())
        try:
            self._python = _lay_out(self._folder, interpreter)
            self._files = {
                "landlock": landlock,
                "readable": [*_needed(interpreter), str(self._folder / "modules"), str(self._folder / "pyvenv.cfg")],
                "listed": [str(folder) for folder in interpreter.library],
            }
            self._try(private)
        except BaseException:
            self.close()
            raise

    def open(self, limits: Limits) -> _Session:
        """Start a driver; see `Sandbox.open`."""
        self._sessions = [session for session in self._sessions if session.is_open]
        quarters = _Quarters.claim(self._folder, self._python)
        try:
            session = _Session(*self._command(quarters, limits), quarters)
        except BaseException:
            quarters.leave()
            raise
        self._sessions.append(session)
        return session

    def _command(self, quarters: _Quarters, limits: Limits) -> tuple[list[str], dict[str, str]]:
        """What starts a driver, and all of its environment."""
        scratch = str(quarters.scratch)
        only_itself = {"op": "SCMP_CMP_EQ", "value": quarters.student}
        become_student = {
            "names": ["setresuid"],
            "action": "SCMP_ACT_ALLOW",
            "args": [{"index": index, **only_itself} for index in range(3)],
        }
        told = self._files | {
            "driver": quarters.driver,
            "student": quarters.student,
            "filter": base64.b64encode(compile_profile(also=[become_student])).decode("ascii"),
            "writable": [scratch, *_WRITABLE],
        }
        start = quarters.folder / "start.json"
        start.touch(0o600)
        start.write_text(json.dumps(told), encoding="utf-8")
        environment = ENVIRONMENT | {
            "GRADER_MEMORY_MIB": str(limits.memory_mib + MEMORY_SLACK_MIB),
            "GRADER_PLACES": ":".join([scratch, *self._places]),
            "GRADER_PROCESSES": str(limits.processes),
            "GRADER_USER": str(quarters.student),
            "HOME": scratch,
            "PYTHONPATH": str(self._folder / "modules"),
            "TMPDIR": scratch,
        }
        return [str(self._python), *DRIVER[:-1], f"grader.sandbox.{_START}", str(start)], environment

    def _try(self, private: Collection[Path]) -> None:
        """Start and end a driver, and see whether a student could read what is private.

        Raises:
            SandboxError: A driver cannot start, or a student could; the text says what to change.
        """
        _close_to_others(private)
        with contextlib.closing(_Quarters.claim(self._folder, self._python)) as quarters:
            command, environment = self._command(quarters, Limits())
            done = subprocess.run(  # noqa: S603  # ours
                command, env=environment, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, check=False
            )
            if done.returncode != 0:
                said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
                raise SandboxError(f"a driver cannot give up its rights here ({said or done.returncode})")
            seen = subprocess.run(  # noqa: S603  # ours
                [str(self._python), "-I", "-S", "-c", _LOOK, *map(str, private)],
                cwd="/",
                user=quarters.student,
                group=quarters.student,
                extra_groups=[],
                capture_output=True,
                encoding="utf-8",
                errors="surrogateescape",
                check=True,
            ).stdout.rstrip("\n")
        if seen:
            advice = "have root own it and nobody else read it (chown root, chmod go-rwx)"
            raise SandboxError(f"students' code could read or write {seen}: {advice}")

    def close(self) -> None:
        """End every session that is still open."""
        for session in self._sessions:
            session.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        owner.sweep(self._folder.parent)  # a worker that was killed has closed nothing


class _Session(ProcessSession):
    """A driver, and the users that it and its student's processes are; lasts as long as its submission is graded."""

    def __init__(self, command: list[str], environment: dict[str, str], quarters: _Quarters) -> None:
        super().__init__(command, environment)
        self._quarters = quarters

    def close(self) -> None:
        """End the driver and every process of its users, and remove all their files; see `Session.close`."""
        if self.is_open:
            super().close()
            self._quarters.leave()


@dataclass(frozen=True, slots=True)
class _Quarters:
    """Two users that nobody else is, with a folder for their files; lasts from `claim` until they have left.

    Attributes:
        driver: Who the driver is.
        student: Who the student's processes are.
        folder: Root's folder that holds theirs.
        python: What kills the processes that are left.
        lock: Keeps other graders from claiming the same users.
    """

    driver: int
    student: int
    folder: Path
    python: Path
    lock: socket.socket

    @classmethod
    def claim(cls, folder: Path, python: Path) -> _Quarters:
        """Find two users that nobody is, and make a folder in `folder` for them.

        Raises:
            SandboxError: There are none left.
        """
        for driver in _USERS:
            users = (driver, driver + 1)
            lock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                # An abstract address is somebody's until he closes it or ends, and leaves no file.
                lock.bind(f"\0grader.user.{driver}")
            except OSError:
                lock.close()
                continue
            if _named(users) or _processes_of(users):
                lock.close()
                continue
            inside = Path(tempfile.mkdtemp(prefix="session-", dir=folder))
            inside.chmod(0o711)
            quarters = cls(*users, inside, python, lock)
            quarters.remove_files()
            quarters.scratch.mkdir(0o700)
            os.chown(quarters.scratch, quarters.student, quarters.student)
            return quarters
        raise SandboxError("every user that it could make use of has processes: end them, or start another container")

    @property
    def scratch(self) -> Path:
        """The student's folder for temporary files."""
        return self.folder / "scratch"

    def leave(self) -> None:
        """Kill every process of theirs, remove every file, and let others have them."""
        users = (self.driver, self.student)
        deadline = time.monotonic() + _LEAVING_SECONDS
        while _processes_of(users) and time.monotonic() < deadline:
            subprocess.run(  # noqa: S603  # ours
                [str(self.python), "-I", "-S", "-c", _KILL, *map(str, users)],
                cwd="/",
                stderr=subprocess.DEVNULL,
                check=False,
            )
        self.remove_files()
        subprocess.run([*_REMOVE, self.folder], check=False)  # noqa: S603  # the system's
        self.lock.close()

    close = leave

    def remove_files(self) -> None:
        """Remove what is theirs where every user may make files, however deep it is."""
        theirs = ["(", "-uid", str(self.driver), "-o", "-uid", str(self.student), ")"]
        places = [place for place in _PUBLIC_PLACES if Path(place).is_dir()]
        subprocess.run(  # noqa: S603  # the system's, from which nobody else runs
            ["find", *places, "-mindepth", "1", "-maxdepth", "1", *theirs, "-exec", *_REMOVE, "{}", "+"],  # noqa: S607  # the same
            stderr=subprocess.DEVNULL,
            check=False,
        )


def _lay_out(folder: Path, interpreter: Interpreter) -> Path:
    """Put into a folder what a driver starts from, for everybody to read; return the interpreter that starts it.

    It is an empty virtual environment: what is installed on this machine cannot be imported from it.
    https://docs.python.org/3/library/venv.html#how-venvs-work
    """
    modules = folder / "modules" / "grader" / "sandbox"
    modules.mkdir(parents=True)
    for name in (*DRIVER_FILES, f"{_START}.py"):
        (modules / name).write_bytes((_HERE / name).read_bytes())
    (folder / "bin").mkdir()
    python = folder / "bin" / interpreter.executable.name
    python.symlink_to(interpreter.executable)
    (folder / "pyvenv.cfg").write_text(
        f"home = {interpreter.executable.parent}\ninclude-system-site-packages = false\n", encoding="utf-8"
    )
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    folder.chmod(0o711)  # who is in which session is nobody's business
    return python


def _needed(interpreter: Interpreter) -> Iterator[str]:
    """What of the system a student's Python reads, but for what others installed."""
    yield from filter(os.path.exists, _NEEDED)
    yield from map(str, (interpreter.executable, *interpreter.shared))
    for folder in interpreter.library:
        yield from (str(path) for path in folder.iterdir() if path.name not in OF_OTHERS)


def _reachable_folder() -> Path:
    """The first folder for temporary files that every user can reach; there is a /tmp wherever there is a system."""
    here = tempfile.gettempdir()
    return Path(next(filter(_everybody_lists, (here, *_PUBLIC_PLACES)), here))


def _everybody_lists(place: str) -> bool:
    return Path(place).is_dir() and everybody_runs(Path(place))


def _close_to_others(private: Collection[Path]) -> None:
    """Take what is root's from everybody else."""
    for path in private:
        with contextlib.suppress(OSError):
            if path.stat().st_uid == os.geteuid():
                path.chmod(0o700 if path.is_dir() else 0o600)


def _named(users: Sequence[int]) -> bool:
    """Whether any of some users has a name, and so may be somebody."""
    for user in users:
        with contextlib.suppress(KeyError):
            return bool(pwd.getpwuid(user))
    return False


def _processes_of(users: Sequence[int]) -> set[int]:
    """The processes of some users that have not ended."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            status = dict(
                line.split(":", 1)
                for line in (folder / "status").read_text(encoding="ascii", errors="replace").splitlines()
            )
            has_ended = status["State"].split()[0] in "ZX" and int(status["Threads"]) <= 1
            if int(status["Uid"].split()[0]) in users and not has_ended:
                found.add(int(folder.name))
    return found


def _landlock_version() -> int:
    """The version of Landlock that the kernel has; 0 where it has none, or a filter of system calls forbids to ask."""
    create_ruleset = ctypes.CDLL(None).syscall
    return max(
        0, int(create_ruleset(_LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), _LANDLOCK_CREATE_RULESET_VERSION))
    )
