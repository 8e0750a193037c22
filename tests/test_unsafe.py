"""The sandbox that is none still tidies up, and hands nothing on that it need not."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.limits import Limits
from grader.sandbox import owner, wire
from grader.sandbox.process import ProcessSession
from grader.sandbox.unsafe import UnsafeSandbox
from grader.student import Student
from grader.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.sandbox import Session
    from tests.conftest import Judge, TinyCourse

LIMITS = Limits()


@pytest.fixture
def session(unsafe: UnsafeSandbox) -> Iterator[ProcessSession]:
    """A channel to a driver that has said that it is ready."""
    session = unsafe.open(LIMITS)
    assert isinstance(session, ProcessSession)
    assert b"ready" in session.receive(soon())
    yield session
    session.close()


def soon(seconds: float = 20) -> float:
    """A deadline."""
    return time.monotonic() + seconds


def pid_of(session: Session) -> int:
    """The driver's process."""
    assert isinstance(session, ProcessSession)
    return session._process.pid  # noqa: SLF001  # to do to it what may happen to it


def test_kind(unsafe: UnsafeSandbox) -> None:
    """It says what it is, and which Python."""
    assert "unsafe" == unsafe.kind
    assert unsafe.image.startswith("CPython 3.")


def test_environment(unsafe: UnsafeSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Student code gets an environment of its own, in an empty folder of its own, and cannot import the grader."""
    monkeypatch.setenv("GRADER_SECRET", "a canary in the environment")
    source = b"""
import os
names = [name for name, value in os.environ.items() if "canary" in value or name == "PYTHONPATH"]
files = os.listdir()
at_home = os.getcwd() == os.environ["HOME"] == os.environ["TMPDIR"]
"""
    student = Student(Submission("ada", "probe", "probe.py", source), LIMITS, unsafe, execute=True)
    student.load()
    student.begin()
    engine = student.engine
    found = student.recorder.resolve([engine.names, engine.files, engine.at_home])
    student.close()

    assert [[], [], True] == found


class TestSession:
    """A session is two streams to one driver."""

    def test_talks(self, session: ProcessSession) -> None:
        """What is sent is answered."""
        session.send(wire.frame(wire.REQUEST, {"do": "end", "id": "x"}), soon())

        assert b'"ok"' in session.receive(soon())

    def test_memory(self, session: ProcessSession) -> None:
        """Nobody counts memory here."""
        assert not session.memory_ran_out()

    def test_silence(self, session: ProcessSession) -> None:
        """Nobody waits longer than the deadline for an answer."""
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            session.receive(soon(0.2))

        assert 2 > time.monotonic() - started

    def test_deaf(self, session: ProcessSession) -> None:
        """Nor for a driver that takes nothing."""
        os.kill(pid_of(session), signal.SIGSTOP)
        with pytest.raises(TimeoutError):
            session.send(bytes(4 << 20), soon(0.2))
        os.kill(pid_of(session), signal.SIGCONT)

    def test_dead(self, session: ProcessSession) -> None:
        """A driver that is gone cannot be sent to, and its stream has an end."""
        os.kill(pid_of(session), signal.SIGKILL)
        time.sleep(0.1)

        assert b"" == session.receive(soon())
        with pytest.raises(ConnectionError):
            session.send(b"x", soon())

    def test_nonsense(self, session: ProcessSession) -> None:
        """A driver that is sent what is no request ends."""
        session.send(b"\xff" * 100, soon())

        assert b"" == session.receive(soon())

    def test_closes(self, session: ProcessSession) -> None:
        """Closing ends the driver at once; closing again is no fault."""
        pid = pid_of(session)
        started = time.monotonic()
        session.close()
        session.close()

        assert not Path(f"/proc/{pid}").exists()
        assert 3 > time.monotonic() - started

    def test_closes_who_does_not_listen(self, session: ProcessSession) -> None:
        """A driver that cannot end by itself is killed."""
        pid = pid_of(session)
        os.kill(pid, signal.SIGSTOP)
        session.close()

        assert not Path(f"/proc/{pid}").exists()


class TestFolders:
    """Temporary folders go with their sandbox."""

    def test_own(self, course: TinyCourse, judge: Judge, unsafe: UnsafeSandbox) -> None:
        """What a student leaves in them is gone, however it is protected."""
        source = f"import os\nos.makedirs('deep/er')\nopen('deep/er/file', 'w')\nos.chmod('deep', 0)\n{course.right}"
        assert judge(course.exercise(), source).passed
        unsafe.close()

        assert [] == list(Path(tempfile.gettempdir()).glob(f"grader-{owner.this_process()}-*"))

    def test_orphans(self) -> None:
        """Folders of graders of this machine that are no more are removed; all others stay."""
        machine, pid, start = owner.this_process().rsplit("-", 2)
        folders = {
            name: Path(tempfile.mkdtemp(prefix=f"grader-{prefix}-"))
            for name, prefix in {
                "ended": f"{machine}-4194304-{start}",
                "number in use again": f"{machine}-{pid}-1",
                "alive": owner.this_process(),
                "elsewhere": f"another_machine-{pid}-{start}",
                "somebody's": "x",
            }.items()
        }
        UnsafeSandbox().close()
        left = {name for name, folder in folders.items() if folder.exists()}
        for name in left:
            folders[name].rmdir()

        assert {"alive", "elsewhere", "somebody's"} == left


def test_many(unsafe: UnsafeSandbox) -> None:
    """Sessions that are open when the sandbox closes are ended."""
    pids = [pid_of(unsafe.open(LIMITS)) for _ in range(3)]
    unsafe.close()

    assert [False] * 3 == [Path(f"/proc/{pid}").exists() for pid in pids]
