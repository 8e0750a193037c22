"""Where untrusted code runs.

Theory of operation. A `Sandbox` is one way of running a *driver* (`driver.py`) where student code can do no harm; it
opens a `Session` for one submission, which is used for nothing else and closed for good. A session is no more than two
streams of bytes to its driver. What is said over them is `wire` and the driver's docstring; who says it is
`grader.student`. So a sandbox knows nothing of checks, and a new one has three things to do: start a driver, move its
bytes, and end it whatever it does.

A sandbox raises `SandboxError` when it fails itself: no engine, no image, a driver that never became ready. Whatever
happens after student code was sent is the student's, and reads as the end of the stream or as silence, both of which
the caller bounds with a deadline. Nothing here waits for the sandbox to agree to its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from grader.closing import Closing

if TYPE_CHECKING:
    from grader.limits import Limits


class Session(Protocol):
    """A channel to one driver; lasts from its start until its submission is graded or it is lost.

    Deadlines are readings of `time.monotonic`.
    """

    def send(self, data: bytes, deadline: float) -> None:
        """Send all of `data`. Raises `TimeoutError` after the deadline, `ConnectionError` when the driver is gone."""

    def receive(self, deadline: float) -> bytes:
        """Return some bytes, none at the end of the stream. Raises `TimeoutError` after the deadline."""

    def memory_ran_out(self) -> bool:
        """Whether the sandbox ended, or lost a process, because it had used its memory; asked after a loss."""

    def close(self) -> None:
        """End the driver and everything in its sandbox, and leave nothing behind. May be called twice."""


class Sandbox(Closing, Protocol):
    """One way of running drivers; lasts as long as the command that grades.

    Attributes:
        kind: Its name on the command line.
        image: What its drivers run in, for the provenance: an image ID, or an interpreter's version.
    """

    kind: str
    image: str

    def open(self, limits: Limits) -> Session:
        """Start a driver and return its channel. Raises `SandboxError` when there can be none."""

    def close(self) -> None:
        """End every session that is still open."""
