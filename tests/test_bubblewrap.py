"""What bubblewrap needs of a machine, and what is said where that is not there."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.errors import SandboxError
from grader.limits import Limits
from grader.sandbox import bubblewrap
from grader.sandbox.bubblewrap import BubblewrapSandbox
from grader.student import Student
from grader.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMESPACE = ("unshare", "--mount", *(("--map-root-user",) if os.geteuid() else ()))
NO_PYTHON = """
import os, subprocess, sys
from grader.errors import SandboxError
from grader.sandbox import bubblewrap
for python in ("/usr/bin/python3", "/usr/local/bin/python3"):
    if os.path.exists(python):
        subprocess.run(["mount", "--bind", "/bin/false", os.path.realpath(python)], check=True)
sys.executable = "/bin/false"
try:
    bubblewrap._find_python()
except SandboxError as error:
    print(error)
"""
OLD_PYTHON = """#!/bin/sh
echo '[["/usr/lib/python3.10"], [3, 10, 12]]'
"""


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody reads, as what root runs in a sandbox has to be."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


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


def test_python_that_is_too_old(monkeypatch: pytest.MonkeyPatch, public: Path) -> None:
    """An interpreter that the driver does not run on is passed over, as is what is none."""
    old = public / "python3.10"
    old.write_text(OLD_PYTHON)
    old.chmod(0o755)
    for executable in (str(old), "/bin/false", str(public / "missing")):
        monkeypatch.setattr(sys, "executable", executable)
        python = bubblewrap._find_python()  # noqa: SLF001  # the system's, which may be any

        assert [3, 11] <= [int(part) for part in python.version.split(".")]
        assert old != python.executable


def test_python_that_is_missing() -> None:
    """Without any that will do, it is said what to install."""
    told = subprocess.run(  # noqa: S603  # ours
        [*NAMESPACE, sys.executable, "-c", NO_PYTHON], capture_output=True, text=True, check=True
    )

    assert "there is no Python 3.11 or later that every user may read: install the system's python3\n" == told.stdout


def test_who_reads(tmp_path: Path) -> None:
    """A file can be read by everybody if it, and every folder above, lets them."""
    secret = tmp_path / "secret"
    secret.touch(0o700)

    assert bubblewrap._everybody_reads(Path("/bin/sh").resolve())  # noqa: SLF001  # asked only of what root runs
    assert not bubblewrap._everybody_reads(secret)  # noqa: SLF001  # the same


def test_libraries_cannot_be_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without ldd nobody knows what an interpreter needs."""
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(SandboxError, match=r"^cannot tell which libraries .*: ldd: No such file or directory$"):
        bubblewrap._shared_libraries(Path("/bin/sh"), ())  # noqa: SLF001  # asked before any sandbox is there


def test_what_others_installed_is_hidden(tmp_path: Path) -> None:
    """Packages that lie in the standard library's folder are not mounted with it."""
    (tmp_path / "site-packages").mkdir()
    python = bubblewrap._Python(Path("/bin/sh"), (tmp_path,), (), "3.11.2")  # noqa: SLF001  # this machine's may have none
    mounts = " ".join(python.mounts())

    assert f"--ro-bind {tmp_path} {tmp_path} --tmpfs {tmp_path}/site-packages" in mounts
    assert "dist-packages" not in mounts
