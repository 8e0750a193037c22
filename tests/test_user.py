"""Students' code as users of their own: what they cannot do, and that nothing of theirs is left.

Only root can become somebody else, so these tests are root's; `test_platform_containers.py` is everybody's.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest

from grader import probes
from grader.errors import SandboxError
from grader.limits import Limits
from grader.sandbox import driver, user
from grader.sandbox.driver import Driver
from grader.sandbox.kinds import IN_A_CONTAINER, SandboxChoice, choose_sandbox
from grader.sandbox.seccomp import compile_profile
from grader.sandbox.user import UserSandbox
from grader.student import Student
from grader.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.sandbox import Sandbox

USERS = range(65_400, 65_464)
STUDENT = 65_401
PROBES = ("network", "capabilities", "system_calls", "imports")
"""The probes of a boundary that holds here too; the others find the container, as these find its routes."""


@contextlib.contextmanager
def at_work(sandbox: Sandbox, source: str) -> Iterator[Any]:
    """The module that a student's file becomes."""
    submission = Submission("ada", "tiny", "value.py", dedent(source).encode())
    with closing(Student(submission, Limits(), sandbox, execute=True)) as student:
        student.load()
        student.begin()
        yield lambda what: student.recorder.resolve(what(student.engine))


@contextlib.contextmanager
def somebody(number: int) -> Iterator[None]:
    """Be somebody else for a while."""
    os.seteuid(number)
    try:
        yield
    finally:
        os.seteuid(0)


def owned_by_students() -> list[str]:
    """What lies where everybody may make files, and is a student's or a driver's."""
    places = (Path(place) for place in ("/tmp", "/var/tmp", "/dev/shm", "/run/lock"))  # noqa: S108  # that is where
    return [str(path) for place in places if place.is_dir() for path in place.iterdir() if path.lstat().st_uid in USERS]


@pytest.fixture
def sandbox() -> Iterator[UserSandbox]:
    """A sandbox."""
    with UserSandbox() as sandbox:
        yield sandbox


# --------------------------------------------------------------------------------------------------------------------
# What a student is


def test_runs_a_submission(sandbox: UserSandbox) -> None:
    """A submission is at work, and the provenance names the interpreter and whether there is Landlock."""
    with at_work(sandbox, "x = 3") as ask:
        assert 3 == ask(lambda module: module.x)
    assert "user" == sandbox.kind
    assert sandbox.image.startswith("CPython 3.")
    assert "Landlock" in sandbox.image


def test_who_a_student_is(sandbox: UserSandbox) -> None:
    """A student's process is a user without a name, a group, a capability, or a way to any."""
    source = """
    def status():
        return [line for line in open("/proc/self/status")]
    """
    with at_work(sandbox, source) as ask:
        lines = ask(lambda module: module.status())
    status = {name: value.split() for name, _, value in (line.partition(":") for line in lines)}

    (number,) = set(status["Uid"])
    assert int(number) in USERS
    assert {number} == set(status["Gid"])
    assert [] == status["Groups"]
    assert {"0000000000000000"} == {status[f"Cap{kind}"][0] for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")}
    assert (["1"], ["2"]) == (status["NoNewPrivs"], status["Seccomp"])


@pytest.mark.parametrize("probe", PROBES)
def test_boundary(sandbox: UserSandbox, probe: str) -> None:
    """The doctor's probes find no socket, no privilege, no system call that is not listed and no module of others."""
    with at_work(sandbox, Path(probes.__file__).read_text(encoding="utf-8")) as ask:
        found = ask(lambda module: getattr(module, probe)())
    assert [] == [each for each in found if not each.startswith("a route over ")]


def test_nobody_signals_the_driver(sandbox: UserSandbox) -> None:
    """No process of a student can send a signal to the driver, nor look into it."""
    source = """
    import os, signal

    def driver():
        lines = open(f"/proc/{os.getppid()}/status").read()
        return int(lines.partition("PPid:")[2].split()[0])

    def reach():
        found = []
        for act in (lambda: os.kill(driver(), 0), lambda: os.listdir(f"/proc/{driver()}/fd"),
                    lambda: open(f"/proc/{driver()}/environ").read()):
            try:
                found.append(str(act()))
            except PermissionError:
                continue
        return found
    """
    with at_work(sandbox, source) as ask:
        assert [] == ask(lambda module: module.reach())


def test_nobody_becomes_anybody(sandbox: UserSandbox) -> None:
    """A student's process stays who it is: the one call that is allowed for it changes nothing."""
    source = """
    import os

    def become():
        me = os.getuid()
        os.setresuid(me, me, me)
        changed = []
        for who in (0, me - 1, me + 1, -1):
            for act in (lambda: os.setresuid(who, me, me), lambda: os.setuid(who), lambda: os.setgid(who)):
                try:
                    changed.append(f"{who}: {act()}")
                except PermissionError:
                    continue
        return changed
    """
    with at_work(sandbox, source) as ask:
        assert [] == ask(lambda module: module.become())


# --------------------------------------------------------------------------------------------------------------------
# What students must not read


@pytest.mark.parametrize("landlock", [0, 1, 2, None])
def test_private_files(monkeypatch: pytest.MonkeyPatch, public: Path, landlock: int | None) -> None:
    """What is private is closed to everybody but root, and cannot be read with Landlock, of any version, or without."""
    if landlock is not None:
        monkeypatch.setattr(user, "_landlock_version", lambda: landlock)
    (public / "course").mkdir(0o755)
    (public / "course" / "hidden.py").write_text("a canary")
    (public / "secret").write_text("a canary")
    source = f"""
    import os

    def look():
        seen = []
        for path in ("{public}/course", "{public}/course/hidden.py", "{public}/secret"):
            for act in (lambda: open(path).read(), lambda: os.listdir(path), lambda: open(path, "a")):
                try:
                    seen.append(f"{{path}} {{act()}}")
                except OSError:
                    continue
        return seen
    """
    with (
        UserSandbox([public / "course", public / "secret", public / "missing"]) as sandbox,
        at_work(sandbox, source) as ask,
    ):
        assert [] == ask(lambda module: module.look())
        assert ("no Landlock" in sandbox.image) == (landlock == 0)
    assert [0o700, 0o600] == [(public / name).stat().st_mode & 0o777 for name in ("course", "secret")]


def test_private_file_that_is_not_ours(public: Path) -> None:
    """What is somebody else's and readable is refused, with what to change."""
    readable = public / "answers"
    readable.touch(0o644)
    os.chown(readable, 1234, 1234)

    with pytest.raises(SandboxError, match=rf"^students' code could read or write {readable}: have root own it"):
        UserSandbox([readable])


def test_only_what_python_needs(sandbox: UserSandbox) -> None:
    """With Landlock nothing else can be read or written at all; without it, what everybody may."""
    source = """
    def look():
        reached = []
        for act in (lambda: open("/etc/passwd").read(), lambda: open("/tmp/of-a-student", "w").write("x")):
            try:
                act()
                reached.append(True)
            except PermissionError:
                reached.append(False)
        return reached
    """
    with at_work(sandbox, source) as ask:
        assert [2 * ["no Landlock" in sandbox.image]] == [ask(lambda module: module.look())]


# --------------------------------------------------------------------------------------------------------------------
# What is left

DAEMON = """
import os, signal, time

def stay():
    if os.fork() == 0:
        os.setsid()
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        open("running", "w").close()
        while True:
            try:
                os.fork()
            except OSError:
                time.sleep(0.001)
    while not os.path.exists("running"):
        time.sleep(0.01)
    for _ in range(10):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
"""


def test_nothing_survives_a_driver(sandbox: UserSandbox) -> None:
    """Where the driver itself is gone, all processes of its users are killed and their files removed all the same."""
    with at_work(sandbox, DAEMON) as ask:
        ask(lambda module: module.stay())
        (session,) = sandbox._sessions  # noqa: SLF001  # to do to it what may happen to it
        quarters = session._quarters  # noqa: SLF001  # the same
        left = Path(tempfile.mkdtemp(dir="/dev/shm"))
        os.chown(left, quarters.student, quarters.student)
        os.kill(session._process.pid, signal.SIGKILL)  # noqa: SLF001  # the same

    assert set() == user._processes_of([quarters.driver, quarters.student])  # noqa: SLF001  # the same
    assert not left.exists()
    assert not quarters.folder.exists()


def test_nothing_is_left_of_a_sandbox() -> None:
    """A sandbox that is closed leaves no folder, and its sessions no user."""
    with UserSandbox() as sandbox:
        sandbox.open(Limits())
        folder = sandbox._folder  # noqa: SLF001  # the same
        assert folder.exists()

    assert not folder.exists()
    assert [] == owned_by_students()


# --------------------------------------------------------------------------------------------------------------------
# What it needs


def test_a_grader_that_is_not_root() -> None:
    """Who is not root cannot become anybody, and is told where this is meant for."""
    with somebody(65_534), pytest.raises(SandboxError, match=r"^it is for graders that are root in a container"):
        UserSandbox()


def test_a_driver_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a right cannot be given up nothing is run, and the system's own words are told."""
    monkeypatch.setattr(user, "compile_profile", lambda **_: b"")

    with pytest.raises(
        SandboxError, match=r"^a driver cannot give up its rights here \(OSError: .*Invalid argument\)$"
    ):
        UserSandbox()


def test_an_interpreter_that_cannot_start(sandbox: UserSandbox) -> None:
    """A session that cannot be started leaves nothing behind either."""
    sandbox._python.unlink()  # noqa: SLF001  # what may happen to it

    with pytest.raises(SandboxError, match=r"^cannot start .*No such file"):
        sandbox.open(Limits())
    assert [] == list(sandbox._folder.glob("session-*"))  # noqa: SLF001  # the same


def test_users_that_are_somebody(sandbox: UserSandbox) -> None:
    """Users that run something, have a name, or whom another grader has, are passed over, until there are none."""
    with contextlib.ExitStack() as stack:
        busy = stack.enter_context(subprocess.Popen(["sleep", "60"], user=STUDENT))  # noqa: S607  # the system's
        stack.callback(busy.kill)
        session = stack.enter_context(closing(sandbox.open(Limits())))
        assert STUDENT != session._quarters.student  # noqa: SLF001  # who was chosen
        for number in USERS[::2]:
            lock = stack.enter_context(socket.socket(socket.AF_UNIX))
            with contextlib.suppress(OSError):
                lock.bind(f"\0grader.user.{number}")

        with pytest.raises(SandboxError, match=r"^every user that it could make use of has processes"):
            sandbox.open(Limits())
    assert user._named([1 << 30, 0])  # noqa: SLF001  # no user of these numbers has a name here
    assert not user._named([1 << 30])  # noqa: SLF001  # the same


def test_chosen_where_there_is_no_better(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, public: Path) -> None:
    """In a container, bubblewrap comes first, and this in its place; never elsewhere."""
    assert "bubblewrap" == choose_sandbox("auto", automatic=IN_A_CONTAINER).kind
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    (tmp_path / "bwrap").symlink_to("/bin/false")
    monkeypatch.setattr("grader.sandbox.bubblewrap._find_bwrap", lambda: "/bin/false")
    choice = choose_sandbox("auto", automatic=IN_A_CONTAINER, private=(public,))

    assert ("user", (public,)) == (choice.kind, choice.private)
    assert choice.instead_of.startswith("bubblewrap: ")
    with SandboxChoice("user").open() as sandbox:
        assert "user" == sandbox.kind


def test_a_folder_that_nobody_reaches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Temporary files are where students' processes reach them, whatever the grader's own folder for them is."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with UserSandbox() as sandbox:
        assert not sandbox._folder.is_relative_to(tmp_path)  # noqa: SLF001  # where it is


# --------------------------------------------------------------------------------------------------------------------
# The driver of other users' processes


@pytest.mark.parametrize("landlock", [0, 1, 2, user._landlock_version()])  # noqa: SLF001  # what there is
def test_giving_up_rights(tmp_path: Path, landlock: int) -> None:
    """A driver starts as root, gives up every right, and is ready."""
    told = {
        "driver": 0,  # a user who may still write down what of it was run
        "student": 0,
        "filter": base64.b64encode(compile_profile()).decode(),
        "landlock": landlock,
        "readable": ["/"],
        "listed": [str(tmp_path)],
        "writable": ["/", "/dev/null"],
    }
    start = tmp_path / "start.json"
    start.write_text(json.dumps(told))
    done = subprocess.run(  # noqa: S603  # ours
        [sys.executable, "-m", "grader.sandbox.as_user", start],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )

    assert (0, b"") == (done.returncode, done.stderr)
    assert b'"ready"' in done.stdout


def test_rights_that_cannot_be_given_up(tmp_path: Path) -> None:
    """A driver that the system refuses to confine does not start."""
    told = {"driver": 0, "student": 0, "filter": "", "landlock": 0, "readable": [], "listed": [], "writable": []}
    start = tmp_path / "start.json"
    start.write_text(json.dumps(told))
    done = subprocess.run(  # noqa: S603  # ours
        [sys.executable, "-m", "grader.sandbox.as_user", start],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )

    assert (1, b"") == (done.returncode, done.stdout)
    assert b"OSError: [Errno 22] Invalid argument" in done.stderr


def test_memory_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of a user count as memory, wherever they are; those of others do not."""
    monkeypatch.setenv("GRADER_USER", str(STUDENT))
    monkeypatch.setenv("GRADER_PLACES", f"{tmp_path}:{tmp_path / 'missing'}")
    monkeypatch.setenv("GRADER_MEMORY_MIB", "1")
    large = tmp_path / "folder" / "large"
    large.parent.mkdir()
    large.write_bytes(bytes(2 << 20))
    looking = Driver(0, 1)
    assert not looking._memory_is_full()  # noqa: SLF001  # asked only while something runs
    for path in (large, large.parent):
        os.chown(path, STUDENT, STUDENT)
    looking._next_look = 0.0  # noqa: SLF001  # the same

    assert looking._memory_is_full()  # noqa: SLF001  # the same


def test_files_that_cannot_be_counted(public: Path) -> None:
    """A folder that was closed is opened again; what is too deep to be looked into counts as too much."""
    closed = public / "closed"
    closed.mkdir(0o000)
    for path in (public, closed):
        os.chown(path, STUDENT, STUDENT)
    with somebody(STUDENT):
        counted = driver._bytes_of_user(STUDENT, str(public))  # noqa: SLF001  # asked only while something runs
    assert 0 < counted < float("inf")
    assert 0o700 == closed.stat().st_mode & 0o777
    here = os.open(public, os.O_RDONLY)
    try:
        for _ in range(30):
            os.mkdir("d" * 200, dir_fd=here)
            there = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
            os.fchown(there, STUDENT, STUDENT)
            os.close(here)
            here = there
        assert float("inf") == driver._bytes_of_user(STUDENT, str(public))  # noqa: SLF001  # the same
    finally:
        os.close(here)
        subprocess.run(["rm", "-rf", *public.iterdir()], check=True)  # noqa: S603, S607  # shutil goes no deeper


def test_processes_of_a_user() -> None:
    """The processes of a user are told from all others; who is root may not kill them by that."""
    with subprocess.Popen(["sleep", "60"], user=STUDENT) as process:  # noqa: S607  # the system's
        living = driver._living_processes(STUDENT)  # noqa: SLF001  # asked only while something runs
        process.kill()

    assert {process.pid} == living
    assert -1 == driver._user_of(1 << 30)  # noqa: SLF001  # no such process
    assert not Driver(0, 1)._isolated  # noqa: SLF001  # what it is
