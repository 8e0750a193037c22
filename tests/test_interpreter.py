"""What a Python needs to be for somebody who owns nothing, and what is said where there is none."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grader.sandbox.interpreter import everybody_runs, find_python

if TYPE_CHECKING:
    import pytest

NAMESPACE = ("unshare", "--mount", *(("--map-root-user",) if os.geteuid() else ()))
NO_PYTHON = """
import os, subprocess, sys
from grader.errors import SandboxError
from grader.sandbox.interpreter import find_python
for python in ("/usr/bin/python3", "/usr/local/bin/python3"):
    if os.path.exists(python):
        subprocess.run(["mount", "--bind", "/bin/false", os.path.realpath(python)], check=True)
sys.executable = "/bin/false"
try:
    find_python()
except SandboxError as error:
    print(error)
"""
OLD_PYTHON = """#!/bin/sh
echo '[["/usr/lib/python3.10"], [], [3, 10, 12], ""]'
"""


def test_python_that_is_too_old(monkeypatch: pytest.MonkeyPatch, public: Path) -> None:
    """An interpreter that the driver does not run on is passed over, as is what is none."""
    old = public / "python3.10"
    old.write_text(OLD_PYTHON)
    old.chmod(0o755)
    for executable in (str(old), "/bin/false", str(public / "missing")):
        monkeypatch.setattr(sys, "executable", executable)
        python = find_python.__wrapped__()  # the system's, which may be any; not the one that was found before

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

    assert everybody_runs(Path("/bin/sh").resolve())
    assert not everybody_runs(secret)


def test_libraries() -> None:
    """All that an interpreter and its modules in C load is known, by the names under which the loader looks for it."""
    python = find_python()
    told = subprocess.run(["ldd", python.executable], capture_output=True, text=True, check=True)  # noqa: S603, S607  # the system's
    needed = {Path(path) for path in re.findall(r"(/\S+) \(", told.stdout)}

    assert set() == needed - set(python.shared)
    assert any(path.name.startswith("libffi.so") for path in python.shared)  # of ctypes
    assert set() == {path for path in python.shared if not path.exists()}
