"""The sandbox that is none: the driver as an ordinary child process, with all that its user may do.

For a student's own file on the student's own machine, and for tests. Never chosen in silence. Where a process cannot
fork there is no driver, and each check and each program run is a child process.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import grader
from grader.sandbox import Sandbox, owner
from grader.sandbox.process import DRIVER, ENVIRONMENT, ProcessSession
from grader.sandbox.spawn import SpawnSession

if TYPE_CHECKING:
    from grader.limits import Limits


class UnsafeSandbox(Sandbox):
    """Runs drivers without isolation; lasts as long as the command that grades.

    Args:
        forks: Whether processes can fork here.
    """

    kind = "unsafe"

    def __init__(self, *, forks: bool = hasattr(os, "fork")) -> None:
        self._forks = forks
        self.image = f"{platform.python_implementation()} {platform.python_version()}"
        self._scratch = owner.make_folder(Path(tempfile.gettempdir()))
        self._sessions: dict[str, ProcessSession | SpawnSession] = {}

    def open(self, limits: Limits) -> ProcessSession | SpawnSession:  # noqa: ARG002  # there is nothing here to bound as a whole
        """Start a driver; see `Sandbox.open`."""
        for folder in [folder for folder, session in self._sessions.items() if not session.is_open]:
            shutil.rmtree(folder, ignore_errors=True)
            del self._sessions[folder]
        scratch = tempfile.mkdtemp(prefix="folder-", dir=self._scratch)
        environment = ENVIRONMENT | {
            "HOME": scratch,
            "PYTHONPATH": str(Path(grader.__file__).parent.parent),
            "TMPDIR": scratch,
        }
        session: ProcessSession | SpawnSession
        if self._forks:
            session = ProcessSession([sys.executable, *DRIVER], environment, scratch)
        else:
            # Windows has a variable without which nothing starts.
            system = {name: value for name, value in os.environ.items() if name == "SYSTEMROOT"}
            session = SpawnSession(system | environment, scratch)
        self._sessions[scratch] = session
        return session

    def close(self) -> None:
        """End every session that is still open."""
        for session in self._sessions.values():
            session.close()
        shutil.rmtree(self._scratch, ignore_errors=True)
        owner.sweep(self._scratch.parent)  # a worker that was killed has closed nothing
