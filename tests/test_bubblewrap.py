"""What bubblewrap needs of a machine, and what is said where that is not there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from grader.errors import SandboxError
from grader.limits import Limits
from grader.sandbox import bubblewrap
from grader.sandbox.bubblewrap import BubblewrapSandbox
from grader.sandbox.interpreter import Interpreter
from grader.student import Student
from grader.submission import Submission


def test_runs_a_submission() -> None:
    """A submission is at work in a sandbox whose provenance names the interpreter and bwrap."""
    with BubblewrapSandbox() as sandbox:
        student = Student(Submission("ada", "tiny", "value.py", b"x = 3"), Limits(), sandbox, execute=True)
        student.load()
        student.begin()
        found = student.recorder.resolve([student.engine.x])
        student.close()

    assert [3] == found
    assert sandbox.image.startswith("CPython 3.")
    assert "bubblewrap" in sandbox.image


def test_bwrap_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without bwrap on the path or beside the interpreter, it is said how to get it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))

    with pytest.raises(SandboxError, match=r"^bubblewrap is not installed: `sudo apt install bubblewrap`"):
        BubblewrapSandbox()


def test_bwrap_beside_the_interpreter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The bwrap of a wheel, which lies beside the interpreter, is found."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "bwrap").symlink_to("/bin/true")
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))

    assert str(tmp_path / "bwrap") == bubblewrap._find_bwrap()  # noqa: SLF001  # nothing could be run with it


def test_bwrap_that_fails(monkeypatch: pytest.MonkeyPatch, public: Path) -> None:
    """A bwrap that makes no sandbox is found out before anything is graded, also if it says nothing."""
    (public / "bwrap").symlink_to("/bin/false")
    monkeypatch.setenv("PATH", str(public), prepend=os.pathsep)

    with pytest.raises(SandboxError, match=r"cannot make a sandbox here \(exit status 1\): it needs unprivileged"):
        BubblewrapSandbox()


def test_bwrap_that_may_not_be_run(monkeypatch: pytest.MonkeyPatch, public: Path) -> None:
    """A bwrap that the sandbox's user may not run, whatever root may, is a sandbox that does not work here."""
    bwrap = public / "bwrap"
    bwrap.write_text("#!/nowhere\n")
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", str(public), prepend=os.pathsep)
    monkeypatch.setattr(bubblewrap, "_version", lambda _: "bubblewrap")

    with pytest.raises(SandboxError, match=r"bwrap cannot be run: No such file or directory$"):
        BubblewrapSandbox()


def test_sandbox_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What bwrap itself says is told on one line."""
    monkeypatch.setattr(bubblewrap, "compile_profile", lambda: b"no filter")

    with pytest.raises(SandboxError, match=r"^bubblewrap cannot make a sandbox here \(bwrap: .*\): ") as caught:
        BubblewrapSandbox()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("switch", "remedy"), [("1\n", "apparmor-profiles"), ("0\n", "user.max_user_namespaces")])
def test_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, switch: str, remedy: str) -> None:
    """Where AppArmor is what refuses, its remedy is named, and the general one elsewhere."""
    (tmp_path / "switch").write_text(switch)
    monkeypatch.setattr(bubblewrap, "_APPARMOR_SWITCH", tmp_path / "switch")

    assert remedy in bubblewrap._remedy()  # noqa: SLF001  # which is told only where a sandbox is refused


def test_what_others_installed_is_hidden(tmp_path: Path) -> None:
    """Packages that lie in the standard library's folder are not mounted with it."""
    (tmp_path / "site-packages").mkdir()
    python = Interpreter(Path("/bin/sh"), (tmp_path,), (), "3.11.2", "")
    mounts = " ".join(bubblewrap._mounts(python))  # noqa: SLF001  # this machine's may have none

    assert f"--ro-bind {tmp_path} {tmp_path} --tmpfs {tmp_path}/site-packages" in mounts
    assert "dist-packages" not in mounts
