"""The sandbox that is none: the driver as an ordinary child process, with all that its user may do.

For a student's own file on the student's own machine, and for tests. Never chosen in silence.
"""

from __future__ import annotations

import platform
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self

import grader
from grader.sandbox.process import DRIVER, ENVIRONMENT, ProcessSession

if TYPE_CHECKING:
    from types import TracebackType

    from grader.limits import Limits


class UnsafeSandbox:
    """Runs drivers without isolation; lasts as long as the command that grades."""

    kind = "unsafe"

    def __init__(self) -> None:
        self.image = f"{platform.python_implementation()} {platform.python_version()}"
        self._scratch = tempfile.TemporaryDirectory(prefix="grader-", ignore_cleanup_errors=True)
        self._sessions: list[ProcessSession] = []

    def open(self, limits: Limits) -> ProcessSession:  # noqa: ARG002  # there is nothing here to bound as a whole
        """Start a driver; see `Sandbox.open`."""
        scratch = tempfile.mkdtemp(prefix="folder-", dir=self._scratch.name)
        environment = ENVIRONMENT | {
            "HOME": scratch,
            "PYTHONPATH": str(Path(grader.__file__).parent.parent),
            "TMPDIR": scratch,
        }
        session = ProcessSession([sys.executable, *DRIVER], environment, scratch)
        self._sessions = [other for other in self._sessions if other.is_open]
        self._sessions.append(session)
        return session

    def close(self) -> None:
        """End every session that is still open."""
        for session in self._sessions:
            session.close()
        self._scratch.cleanup()

    def __enter__(self) -> Self:
        """Return the sandbox itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()
