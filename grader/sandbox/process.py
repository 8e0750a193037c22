"""A driver that is a child process of the grader: what the sandboxes without an engine share."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from typing import TYPE_CHECKING

from grader.errors import SandboxError
from grader.sandbox.start import fix_layout, restore_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

ENVIRONMENT = {"LANG": "C.UTF-8", "PATH": os.defpath, "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
"""All that a driver's environment holds besides where its files are."""

DRIVER = ("-s", "-P", "-B", "-m", "grader.sandbox.start")
"""How an interpreter is made a driver."""

DRIVER_FILES = (
    "absent.py",
    "driver.py",
    "execution.py",
    "imports.py",
    "magics.py",
    "objects.py",
    "raised.py",
    "replies.py",
    "runner.py",
    "source.py",
    "start.py",
    "survey.py",
    "wire.py",
)
"""The modules beside this one that a driver is made of."""

MEMORY_SLACK_MIB = 32
"""What the loaded process and a fork of it share, and are both charged for where the driver watches memory."""


class ProcessSession:
    """A driver that is a child process; lasts as long as its submission is graded.

    Args:
        command: What starts the driver.
        environment: All of its environment.
        folder: Where it starts.
        user: Who it is, if not this process's user: a user and group id.
        pass_fds: Descriptors that it gets besides its channel.

    Raises:
        SandboxError: The command cannot be started.
    """

    def __init__(
        self,
        command: list[str],
        environment: dict[str, str],
        folder: str = "/",
        user: int | None = None,
        pass_fds: Sequence[int] = (),
    ) -> None:
        layout = fix_layout()  # a driver that does it itself is started twice
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the command is ours
                command,
                env=environment,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=pass_fds,
                user=user,
                group=user,
                extra_groups=None if user is None else [],
            )
        except OSError as error:
            raise SandboxError(f"cannot start {command[0]}: {error.strerror}") from error
        finally:
            restore_layout(layout)
        assert self._process.stdin is not None  # noqa: S101  # for mypy: both are pipes
        assert self._process.stdout is not None  # noqa: S101
        self._requests = self._process.stdin.fileno()
        self._replies = self._process.stdout.fileno()
        os.set_blocking(self._requests, False)
        self.is_open = True

    def send(self, data: bytes, deadline: float) -> None:
        """Send all of `data`; see `Session.send`."""
        view = memoryview(data)
        while view:
            self._wait(self._requests, select.POLLOUT, deadline)
            try:
                view = view[os.write(self._requests, view) :]
            except BlockingIOError:
                continue

    def receive(self, deadline: float) -> bytes:
        """Return some bytes; see `Session.receive`."""
        self._wait(self._replies, select.POLLIN, deadline)
        return os.read(self._replies, 1 << 16)

    @staticmethod
    def _wait(descriptor: int, event: int, deadline: float) -> None:
        watch = select.poll()
        watch.register(descriptor, event)
        if not watch.poll(max(0.0, deadline - time.monotonic()) * 1000):
            raise TimeoutError

    def memory_ran_out(self) -> bool:
        """Nobody counts the memory of a process that is not isolated; see `Session.memory_ran_out`."""
        return False

    def close(self) -> None:
        """End the driver; see `Session.close`."""
        if not self.is_open:
            return
        self.is_open = False
        assert self._process.stdin is not None  # noqa: S101  # for mypy: both are pipes
        assert self._process.stdout is not None  # noqa: S101
        with contextlib.suppress(OSError):
            self._process.stdin.close()  # the driver ends what it started, and then itself
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._process.stdout.close()
