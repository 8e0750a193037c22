"""The process inside the sandbox, as the first of its namespace: whatever student code does, it ends and is told."""

from __future__ import annotations

import os
import socket
import sys
import textwrap
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

import grader
from grader.limits import Limits
from grader.sandbox import driver, process, wire
from grader.sandbox.process import DRIVER, ProcessSession
from grader.sandbox.replies import Gone
from grader.stand_in import StudentError
from grader.student import Run, Stopped, Student
from grader.submission import Submission
from grader.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from grader.sandbox import Sandbox

_NAMESPACES = ("--pid", "--fork", "--kill-child", "--mount-proc", *(("--map-root-user",) if os.geteuid() else ()))
_PREPARE = 'mount -t tmpfs -o size=256m none "$TMPDIR" && mount --bind "$1" /sys/fs/cgroup && shift && exec "$@"'
"""Temporary files are in memory, and what the kernel says of a control group is what the test says."""

HEAD = """
import json, os, signal, socket, sys, threading, time

def nearest(fits):
    frame = sys._getframe()
    while True:
        for value in frame.f_locals.values():
            if fits(value):
                return value
        frame = frame.f_back

def same(value):
    return value

def mine():
    return os.getpid()

def hoard():
    held = []
    while True:
        held.append(bytearray(1 << 20))
        time.sleep(0.0002)

def relay(number, leave=lambda: os.kill(os.getpid(), signal.SIGKILL)):
    for _ in range(number):
        if os.fork() == 0:
            while True:
                if os.fork():
                    leave()
"""
"""What the submissions of this file begin with."""


class Isolated:
    """Drivers that are process 1 of a namespace, as in a real sandbox, and are measured like everything else.

    Args:
        folder: Where the driver finds what it needs; a test's own.
        environment: What a sandbox may ask of the driver.
    """

    kind = "isolated"
    image = ""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.group = folder / "group"
        self._scratch = folder / "scratch"
        self._environment = environment
        self.sessions: list[ProcessSession] = []
        for each in (self.group, self._scratch):
            each.mkdir(exist_ok=True)

    def open(self, limits: Limits) -> ProcessSession:  # noqa: ARG002  # what bounds a sandbox is its environment
        """Start a driver."""
        environment = process.ENVIRONMENT | self._environment
        environment |= {"PYTHONPATH": str(Path(grader.__file__).parent.parent), "TMPDIR": str(self._scratch)}
        command = ["unshare", *_NAMESPACES, "sh", "-c", _PREPARE, "sh", str(self.group), sys.executable, *DRIVER]
        self.sessions.append(ProcessSession(command, environment))
        return self.sessions[-1]

    def close(self) -> None:
        """End every session."""
        for session in self.sessions:
            session.close()

    def __enter__(self) -> Self:
        """Return the sandbox itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()


@pytest.fixture
def isolated(tmp_path: Path) -> Iterator[Isolated]:
    """A process namespace."""
    with Isolated(tmp_path) as sandbox:
        yield sandbox


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Isolated]:
    """A process namespace whose driver has to bound memory and processes itself."""
    with Isolated(tmp_path, GRADER_MEMORY_MIB="150", GRADER_PROCESSES="2000") as sandbox:
        yield sandbox


@contextmanager
def at_work(sandbox: Sandbox, source: str, *, execute: bool = True, **limits: Any) -> Iterator[Student]:
    """Load a submission and close it in the end."""
    submission = Submission("ada", "an exercise", "value.py", (HEAD + textwrap.dedent(source)).encode())
    bounds = Limits(**{"load_seconds": 20, "check_seconds": 20, "memory_mib": 2000, **limits})
    student = Student(submission, bounds, sandbox, execute=execute)
    with closing(student):
        student.load()
        yield student


@contextmanager
def check(student: Student) -> Iterator[Any]:
    """Be in a check of the student's module."""
    student.begin()
    try:
        yield student.engine
    finally:
        student.end()


def ask(student: Student, question: Callable[[Any], object]) -> Any:
    """Return what a check of its own gets for an answer."""
    with check(student) as engine:
        return student.recorder.resolve(question(engine))


def run(student: Student, *args: str) -> Run:
    """Run the file as a program, in a check of its own."""
    student.begin()
    return student.program(args=args)


def stopped(student: Student, question: Callable[[Any], object]) -> tuple[Verdict, str]:
    """Return what is concluded of a check that is stopped."""
    with pytest.raises(Stopped) as caught:
        ask(student, question)
    return caught.value.verdict, caught.value.what


def works(student: Student) -> bool:
    """Whether the next check finds the module as it was loaded."""
    return bool(ask(student, lambda engine: engine.same(7)) == 7)


def send(session: ProcessSession, errand: dict[str, object] | None = None, **request: object) -> None:
    """Ask for something, with what is for the student's process alone, and wait for no reply."""
    passed_on = wire.written({"id": "x", **errand}) if errand else b""
    session.send(wire.frame(wire.REQUEST, {"id": "x", **request}, passed_on), time.monotonic() + 20)


def said(session: ProcessSession) -> bytes:
    """Some bytes that the driver says."""
    return session.receive(time.monotonic() + 20)


def end(session: ProcessSession) -> int:
    """Hang up; return the driver's exit status."""
    session.close()
    return int(session._process.returncode)  # noqa: SLF001  # nobody else has reason to ask


# --------------------------------------------------------------------------------------------------------------------
# What is left running


def test_what_a_check_leaves_running_is_killed(isolated: Isolated) -> None:
    """A process that a check leaves behind ends with the check."""
    source = """
        def leave():
            if os.fork() == 0:
                time.sleep(3600)

        def processes():
            return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    """
    with at_work(isolated, source) as student:
        before = ask(student, lambda engine: engine.processes())
        ask(student, lambda engine: engine.leave())

        assert len(before) == len(ask(student, lambda engine: engine.processes()))


def test_what_the_file_leaves_running_is_killed(isolated: Isolated) -> None:
    """Processes that the file leaves behind are killed, and those that ended by themselves are buried."""
    source = """
        if os.fork() == 0:
            time.sleep(3600)
        if os.fork() == 0:
            os._exit(0)

        def children():
            return open(f"/proc/{os.getppid()}/task/{os.getppid()}/children").read().split()

        def poke():
            os.kill(os.getppid(), signal.SIGUSR1)
    """
    with at_work(isolated, source) as student:
        assert 1 == len(ask(student, lambda engine: engine.children()))
        ask(student, lambda engine: engine.poke())
        assert works(student)


def test_everybody_is_killed_by_a_check(isolated: Isolated) -> None:
    """A check that kills all it can costs its own answer; the file is loaded again for the next one."""
    source = """
        def kill():
            os.kill(-1, signal.SIGKILL)
            return "alive"
    """
    with at_work(isolated, source) as student:
        assert "alive" == ask(student, lambda engine: engine.kill())
        assert works(student)


def test_a_relay_of_processes_is_killed_with_the_loaded_one(isolated: Isolated) -> None:
    """Processes that fork faster than they are found are killed at once with all others, which costs no other check."""
    source = """
        def leave():
            relay(12)
    """
    with at_work(isolated, source) as student:
        for _ in range(3):
            ask(student, lambda engine: engine.leave())
            assert works(student)


def test_a_relay_of_processes_of_the_file(isolated: Isolated) -> None:
    """Where such processes of the file are not found in time, its own process goes with them, and no check can run."""
    told = {(Verdict.PASSED, ""), (Verdict.ERROR, "The process ended before it had answered.")}
    with at_work(isolated, "relay(24, lambda: os._exit(0))") as student:
        try:
            found = (Verdict.PASSED if works(student) else Verdict.FAILED, "")
        except Stopped as end_of_it:
            found = end_of_it.verdict, end_of_it.what

    assert found in told


def test_a_relay_of_processes_of_a_program(isolated: Isolated) -> None:
    """What a program leaves running is killed, and the next run is as the first."""
    with at_work(isolated, "relay(12)\nprint('done')", execute=False) as student:
        for _ in range(2):
            assert "done\n" == run(student).stdout


# --------------------------------------------------------------------------------------------------------------------
# Processes that do not answer


def test_a_process_that_never_greets(isolated: Isolated) -> None:
    """A check whose process hangs before it answers has its file loaded again."""
    source = """
        def hang():
            with open("forks", "a+") as forks:
                forks.write("x")
                forks.seek(0)
                count = len(forks.read())
            while count == 2:
                time.sleep(1)

        os.register_at_fork(after_in_child=hang)
    """
    with at_work(isolated, source) as student:
        assert works(student)
        assert works(student)


def test_a_loaded_process_that_refuses_to_fork(isolated: Isolated) -> None:
    """A file that shuts its channel gets a second chance and no third."""
    source = """
        nearest(lambda value: isinstance(value, socket.socket)).shutdown(socket.SHUT_RD)
    """
    with at_work(isolated, source) as student:
        assert (Verdict.ERROR, "The process ended before it had answered.") == stopped(
            student, lambda engine: engine.same(1)
        )


def test_a_file_that_loads_only_once(isolated: Isolated) -> None:
    """When the file has to be loaded again and raises then, that is what the check is told."""
    source = """
        if os.path.exists("loaded"):
            raise ValueError("again")
        open("loaded", "w").close()

        def kill():
            os.kill(os.getppid(), signal.SIGKILL)
    """
    with at_work(isolated, source) as student:
        ask(student, lambda engine: engine.kill())
        verdict, what = stopped(student, lambda engine: engine.same(1))

    assert Verdict.ERROR == verdict
    assert what.startswith("The file loaded before, and now does not.\nValueError: again")


@pytest.mark.parametrize("pid", [1, -1, (1 << 31) - 1])
def test_a_forged_process_id(isolated: Isolated, pid: int) -> None:
    """A loaded process that lies about whom it forked has nobody else killed or asked."""
    source = f"""
        fork = os.fork
        os.fork = lambda: fork() and {pid}

        def sleep():
            time.sleep(3600)
    """
    with at_work(isolated, source, check_seconds=0.5) as student:
        verdict, _ = stopped(student, lambda engine: engine.sleep())
        assert verdict in {Verdict.ERROR, Verdict.TIMEOUT}
        assert works(student)


def test_a_process_that_hangs_up_without_reading(isolated: Isolated) -> None:
    """A process that ends with a request unread has ended."""
    source = """
        def leave():
            time.sleep(0.3)
            os._exit(5)

        os.register_at_fork(after_in_child=leave)
    """
    with at_work(isolated, source) as student:
        verdict, what = stopped(student, lambda engine: engine.same(1))

    assert Verdict.ERROR == verdict
    assert what.startswith("The process ended before it had answered")


def test_a_child_that_holds_the_channel(isolated: Isolated) -> None:
    """A check's process that ended is not waited for because a child of it holds its channel open."""
    source = """
        def leave():
            if os.fork() == 0:
                time.sleep(3600)
            os._exit(5)
    """
    with at_work(isolated, source) as student:
        assert (Verdict.ERROR, "The process ended before it had answered: it left with exit status 5.") == stopped(
            student, lambda engine: engine.leave()
        )
        assert works(student)


def test_a_crash(isolated: Isolated) -> None:
    """A file that crashes is told by its signal."""
    with (
        pytest.raises(Stopped, match=r"it crashed \(signal 11\)"),
        at_work(isolated, "os.kill(os.getpid(), signal.SIGSEGV)"),
    ):
        pass


# --------------------------------------------------------------------------------------------------------------------
# What nobody asked for

FORGER = """
    channel_of = lambda: nearest(lambda value: isinstance(value, socket.socket))

    def twice():
        request = nearest(lambda value: isinstance(value, dict) and "cases" in value)
        body = json.dumps({"id": request["id"], "values": [[10]]}).encode()
        channel_of().sendall(2 * (len(body).to_bytes(4, "big") + b"S" + body))
        time.sleep(3600)

    def huge():
        channel_of().sendall((2**31 - 1).to_bytes(4, "big") + b"S{")
        time.sleep(3600)

    def later():
        channel = channel_of()
        threading.Timer(0.3, lambda: channel.sendall(b"boo")).start()
"""


@pytest.mark.parametrize("name", ["twice", "huge"])
def test_forged_replies(isolated: Isolated, name: str) -> None:
    """A process that answers twice, or announces more than there may be, interferes."""
    with at_work(isolated, FORGER) as student:
        verdict, what = stopped(student, lambda engine: getattr(engine, name)())

    assert (Verdict.ERROR, "The code interfered with the grader's own messages.") == (verdict, what)


def test_a_reply_before_it_is_asked_for(isolated: Isolated) -> None:
    """A process that speaks between two requests interferes."""
    with at_work(isolated, FORGER) as student, check(student) as engine:
        student.recorder.resolve(engine.later())
        time.sleep(1)
        with pytest.raises(Stopped, match="interfered"):
            student.recorder.resolve(engine.same(1))


def test_a_forged_wait_status(isolated: Isolated) -> None:
    """A loaded process that makes up how a check ended is not believed to know."""
    source = """
        wait = os.waitpid
        os.waitpid = lambda pid, flags: (wait(pid, flags)[0], 0x137F)

        def leave():
            os._exit(5)
    """
    with at_work(isolated, source) as student:
        assert (Verdict.ERROR, "The process ended before it had answered.") == stopped(
            student, lambda engine: engine.leave()
        )


# --------------------------------------------------------------------------------------------------------------------
# Memory


def test_memory_of_a_check(watched: Isolated) -> None:
    """A check's processes together have no more memory than they may."""
    with at_work(watched, "") as student:
        assert works(student)
        verdict, what = stopped(student, lambda engine: engine.hoard())
        assert (Verdict.MEMORY, True) == (verdict, what.startswith("It used more than"))
        assert works(student)


def test_memory_of_a_program(watched: Isolated) -> None:
    """Nor has a program."""
    with at_work(watched, "hoard()", execute=False) as student, pytest.raises(Stopped) as caught:
        run(student)

    assert Verdict.MEMORY == caught.value.verdict


def test_memory_between_checks(watched: Isolated) -> None:
    """Nor has what goes on while nobody asks for anything; the file is loaded again."""
    source = """
        def loads():
            return number

        with open("loads", "a+") as loads_so_far:
            loads_so_far.write("x")
            loads_so_far.seek(0)
            number = len(loads_so_far.read())
        if number == 1:
            threading.Thread(target=hoard, daemon=True).start()
    """
    with at_work(watched, source) as student:
        time.sleep(3)
        assert 2 == ask(student, lambda engine: engine.loads())


def test_memory_shared(watched: Isolated) -> None:
    """What processes share is counted once."""
    source = """
        held = b"x" * (50 << 20)

        def share():
            for _ in range(3):
                if os.fork() == 0:
                    time.sleep(3600)
            time.sleep(0.5)
            return len(held)
    """
    with at_work(watched, source) as student:
        assert 50 << 20 == ask(student, lambda engine: engine.share())


def test_memory_of_the_kernels_count(isolated: Isolated) -> None:
    """A process that the kernel has killed for want of memory is told from one that was killed otherwise."""
    events = isolated.group / "memory.events"
    events.write_text("low 0\noom_kill 3\n")
    source = """
        def kill():
            os.kill(os.getpid(), signal.SIGKILL)
    """
    with at_work(isolated, source) as student:
        verdict, _ = stopped(student, lambda engine: engine.kill())
        assert Verdict.ERROR == verdict
        events.write_text("low 0\noom_kill 4\n")
        verdict, _ = stopped(student, lambda engine: engine.kill())
        assert Verdict.MEMORY == verdict


def test_processes_are_bounded(watched: Isolated) -> None:
    """The number of processes is bounded where the sandbox asks for it."""
    source = "import resource\nprint(resource.getrlimit(resource.RLIMIT_NPROC))"
    with at_work(watched, source, execute=False) as student:
        assert "(2000, 2000)\n" == run(student).stdout


# --------------------------------------------------------------------------------------------------------------------
# The host

ENDLESS = """
    def never():
        while True:
            time.sleep(1)
        yield

    endless = never()
    if __name__ == "__main__":
        next(endless)
"""
LIST = [["global", 1, "endless"], ["list", 2, {"r": 1}]]


def test_the_host_hangs_up_in_a_check(isolated: Isolated) -> None:
    """A driver whose host is gone ends in the middle of a check."""
    with at_work(isolated, ENDLESS) as student:
        student.begin()
        (session,) = isolated.sessions
        send(session, do="apply", errand={"cases": [[LIST, [2]]]}, wall_ms=600_000)

        assert 0 == end(session)


def test_the_host_hangs_up_in_a_run(isolated: Isolated) -> None:
    """It ends in the middle of a program, too."""
    with at_work(isolated, ENDLESS, execute=False):
        (session,) = isolated.sessions
        send(session, do="run", stdin="", args=[], wall_ms=600_000)

        assert 0 == end(session)


def test_requests_that_make_no_sense(isolated: Isolated) -> None:
    """What is asked of no process has no answer, and what is unknown is not answered."""
    with at_work(isolated, ""):
        (session,) = isolated.sessions
        send(session, do="apply", errand={"cases": []}, wall_ms=1000)
        assert b'"died"' in said(session)
        send(session, do="dance")
        send(session, do="end")
        assert b'"ok"' in said(session)

        assert 0 == end(session)


def test_a_program_that_is_stopped_says_where(isolated: Isolated) -> None:
    """A program whose time is up says where it was."""
    with (
        at_work(isolated, ENDLESS, execute=False, check_seconds=1) as student,
        pytest.raises(Stopped, match=r"^Stopped after 1 s in `never\(\)`, line"),
    ):
        run(student)


def test_a_program_that_raises(isolated: Isolated) -> None:
    """A program's exception is told."""
    with (
        at_work(isolated, "raise OSError(24, 'full')", execute=False) as student,
        pytest.raises(StudentError, match="at most 128 open files"),
    ):
        run(student)


# --------------------------------------------------------------------------------------------------------------------
# The small parts


def test_memory_of_a_process() -> None:
    """A process's own memory is less than what it maps; one that is gone has none."""
    held = bytearray(b"x") * (64 << 20)
    assert len(held) <= driver._owned_bytes(os.getpid()) <= driver._mapped_bytes(os.getpid()) + (1 << 20)  # noqa: SLF001
    assert 0 == driver._mapped_bytes(1 << 30)  # noqa: SLF001  # no such process
    assert 0 == driver._owned_bytes(1 << 30)  # noqa: SLF001  # the same


def test_living_processes() -> None:
    """A process that has ended lives no more, though it is not yet buried."""
    assert os.getpid() in driver._living_processes(0)  # noqa: SLF001  # only the first of a namespace asks
    assert driver._is_zombie(1 << 30)  # noqa: SLF001  # no such process


def test_files_take_memory(tmp_path: Path) -> None:
    """What a file system holds is counted in bytes, and its files besides."""
    before = driver._file_bytes("/proc")  # noqa: SLF001  # which holds nothing

    assert 0 == before
    assert 0 < driver._file_bytes(str(tmp_path))  # noqa: SLF001  # the same


def test_how_it_ended() -> None:
    """A wait status is an exit status, a signal, or no end at all."""
    assert [{"exit": 3}, {"signal": 9}, {}] == [driver._how_it_ended(each) for each in (0x300, 9, 0x137F)]  # noqa: SLF001


def test_an_ended_child_of_nobody() -> None:
    """Whoever waits for a process that is no child of his does not wait."""
    assert 0 == driver._wait(1 << 30, 20)  # noqa: SLF001  # no such process


def test_a_pipe_with_nothing_in_it() -> None:
    """A pipe that turns out empty stays open."""
    ours, theirs = os.pipe()
    pipes = {ours: "stdout"}
    program = driver._Program(0, pipes, b"", 10)  # noqa: SLF001  # between poll and read another may have read it
    with closing(program):
        program._serve(ours)  # noqa: SLF001  # the same
        assert {ours: "stdout"} == pipes
        os.close(theirs)
        program._serve(ours)  # noqa: SLF001  # the same
        assert {} == pipes


class TestChannel:
    """A channel to a process that may do anything."""

    @pytest.fixture
    def ends(self) -> Iterator[tuple[socket.socket, socket.socket]]:
        """Ours and theirs."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            yield ours, theirs

    def test_who_takes_nothing(self, ends: tuple[socket.socket, socket.socket]) -> None:
        """Whoever does not read is late."""
        with pytest.raises(Gone) as caught:
            driver._send_all(ends[0], bytes(8 << 20), time.monotonic() + 0.1)  # noqa: SLF001

        assert {"status": "timeout"} == caught.value.reply

    def test_who_has_hung_up(self, ends: tuple[socket.socket, socket.socket]) -> None:
        """Whoever has hung up has died, whether he is sent to or listened to."""
        ends[1].close()
        assert not driver._peek(ends[0])  # noqa: SLF001
        for use in (
            lambda: driver._send_all(ends[0], b"x", time.monotonic() + 1),  # noqa: SLF001
            lambda: driver._receive_exactly(ends[0], 4, time.monotonic() + 1),  # noqa: SLF001
        ):
            with pytest.raises(Gone) as caught:
                use()
            assert {"status": "died", "memory": False} == caught.value.reply

    def test_who_says_too_little(self, ends: tuple[socket.socket, socket.socket]) -> None:
        """Whoever stops in the middle is given up."""
        ends[1].sendall(b"xx")
        assert driver._peek(ends[0])  # noqa: SLF001
        with pytest.raises(Gone):
            driver._receive_exactly(ends[0], 4, time.monotonic() + 0.1)  # noqa: SLF001
        assert not driver._peek(ends[0])  # noqa: SLF001


# --------------------------------------------------------------------------------------------------------------------
# A program's process


@pytest.mark.parametrize(
    ("leaving", "status", "printed"),
    [("sys.exit()", 0, ""), ("sys.exit(300)", 44, ""), ("sys.exit('no')", 1, "no\n"), ("", 0, "")],
)
def test_how_a_program_leaves(isolated: Isolated, leaving: str, status: int, printed: str) -> None:
    """A program's exit status is what an interpreter makes of how it leaves."""
    source = f"print(sys.argv)\n{leaving}"
    with at_work(isolated, source, execute=False) as student:
        assert Run("['value.py', 'a']\n", printed, status) == run(student, "a")
