"""The driver's part where no process can fork, as on Windows: each check and each run is a process started afresh.

It keeps to the protocol in the docstring of `driver`, inside the grader itself: a process that starts others needs no
process of its own. Three things are otherwise than with forks. The file is loaded again for every check but the first.
Besides wall time and output nothing is limited. What student code starts is not ended with it.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from grader.errors import SandboxError
from grader.sandbox import wire
from grader.sandbox.replies import RAISED, Gone, how_it_ended, lacking

if TYPE_CHECKING:
    from collections.abc import Mapping

SOLO = ("-s", "-P", "-B", "-m", "grader.sandbox.solo")
"""How an interpreter is made a student's process."""

_GRACE_SECONDS = 5.0
"""What a process may take to start, and to end itself when its time is up, before it is ended."""
_LEAVING_SECONDS = 1.0
"""What a process that is not needed any more may take to end itself."""
_LAST_OUTPUT_SECONDS = 1.0
"""How long output is read from whoever else holds it when a program has ended."""


class SpawnSession:
    """Answers as a driver does, by starting processes; lasts as long as its submission is graded.

    Args:
        environment: All of the environment of student code.
        folder: Where it starts.
    """

    def __init__(self, environment: Mapping[str, str], folder: str) -> None:
        self._environment = environment
        self._folder = folder
        self._requests = wire.FrameBuffer(wire.MAX_REQUEST_BYTES)
        self._replies = wire.frame(wire.DRIVER, {"ready": wire.PROTOCOL})
        self._load_request: dict[str, Any] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._in_check = False
        self.is_open = True

    def send(self, data: bytes, deadline: float) -> None:  # noqa: ARG002  # every request has its own bound
        """Carry out the requests in `data`; see `Session.send`."""
        self._requests.feed(data)
        while taken := self._requests.take():
            request, errand = wire.parse_request(taken[1])
            try:
                self._replies += self._answer(request | (wire.parse(errand) if errand else {}))
            except Gone as gone:
                self._replies += wire.frame(wire.DRIVER, {"id": request["id"], **gone.reply})

    def receive(self, deadline: float) -> bytes:  # noqa: ARG002  # it is there already
        """Return the replies to what was sent; see `Session.receive`."""
        replies, self._replies = self._replies, b""
        return replies

    def memory_ran_out(self) -> bool:
        """Nobody counts the memory of a process that is not isolated; see `Session.memory_ran_out`."""
        return False

    def close(self) -> None:
        """End the process that is running; see `Session.close`."""
        self._end()
        self.is_open = False

    def _answer(self, request: dict[str, Any]) -> bytes:
        match request["do"]:
            case "load":
                self._load_request = request
                if missing := lacking(request["require"]):
                    return wire.frame(wire.DRIVER, {"id": request["id"], "status": "lacking", "modules": missing})
                return self._load(request["id"])
            case "begin":
                if self._in_check or self._process is None:
                    report = self._load(request["id"])
                    if self._process is None:
                        return report
                self._in_check = True
                return self._ask(request)
            case "apply":
                return self._ask(request)
            case "run":
                return wire.frame(wire.DRIVER, {"id": request["id"], **self._run(request)})
            case _:
                self._end()
                return wire.frame(wire.DRIVER, {"id": request["id"], "status": "ok"})

    # A check's process ----------------------------------------------------------------------------------------------

    def _load(self, nonce: str) -> bytes:
        """Start a process that loads the file, and return its report; only one that may get a check is left running."""
        self._end()
        self._process = self._start([], subprocess.PIPE, subprocess.DEVNULL)
        is_usable = False
        try:
            report = self._ask({**self._load_request, "id": nonce})
            is_usable = self._load_request["execute"] and RAISED not in report
        finally:
            if not is_usable:
                self._end()
        return report

    def _ask(self, request: dict[str, Any]) -> bytes:
        """Have the check's process do something, and return its reply, reframed and unread."""
        if self._process is None:
            raise Gone({"status": "died", "memory": False})
        process, received = self._process, wire.FrameBuffer(wire.MAX_REPLY_BYTES)
        assert process.stdin is not None  # noqa: S101  # for mypy: both are pipes
        assert process.stdout is not None  # noqa: S101
        seconds = request["wall_ms"] / 1000 + _GRACE_SECONDS
        deadline = time.monotonic() + seconds
        timer = threading.Timer(seconds, process.kill)  # Windows waits for a pipe without any limit
        timer.start()
        try:
            with contextlib.suppress(OSError):  # who has hung up is found out below
                process.stdin.write(wire.frame(wire.REQUEST, request))
                process.stdin.flush()
            while not (taken := received.take()):
                data = os.read(process.stdout.fileno(), 1 << 16)
                if not data:
                    raise Gone(self._last_words(process, late=time.monotonic() > deadline))
                received.feed(data)
        except wire.WireError:
            raise Gone({"status": "violation"}) from None
        finally:
            timer.cancel()
        if len(received):
            raise Gone({"status": "violation"})
        return wire.reframe(wire.STUDENT, taken[1])

    def _last_words(self, process: subprocess.Popen[bytes], *, late: bool) -> dict[str, object]:
        """Return how a process came to hang up."""
        if late:
            return {"status": "timeout"}
        with contextlib.suppress(subprocess.TimeoutExpired):
            return {"status": "died", "memory": False, **how_it_ended(process.wait(_GRACE_SECONDS))}
        return {"status": "died", "memory": False}

    def _end(self) -> None:
        """End the process that is running, if there is one."""
        process, self._process, self._in_check = self._process, None, False
        if process is None:
            return
        assert process.stdin is not None  # noqa: S101  # for mypy: it is a pipe
        with contextlib.suppress(OSError):  # what was written to it and not read is lost
            process.stdin.close()  # it ends by itself
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_LEAVING_SECONDS)
        with process:
            process.kill()

    # A program run --------------------------------------------------------------------------------------------------

    def _run(self, request: dict[str, Any]) -> dict[str, object]:
        load, wall_ms = self._load_request, request["wall_ms"]
        home = Path(self._folder).parent
        with tempfile.TemporaryDirectory(prefix="run-", dir=home, ignore_cleanup_errors=True) as name:
            folder = Path(name)
            told = {"load": load, "args": request["args"], "wall_ms": wall_ms}
            (folder / "request").write_text(json.dumps(told), encoding="ascii")
            (folder / "stdin").write_bytes(request["stdin"].encode("utf-8", "surrogatepass"))
            with (folder / "stdin").open("rb") as stdin:
                process = self._start([name], stdin, subprocess.PIPE)
            limit = load["limits"]["output_bytes"]
            streams = {"stdout": _Kept(process.stdout, limit), "stderr": _Kept(process.stderr, limit)}
            ended: dict[str, object] = {"status": "timeout"}
            try:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    status = process.wait(wall_ms / 1000 + _GRACE_SECONDS)
                    ended = {"status": "ended", "memory": False, **how_it_ended(status)}
            finally:
                process.kill()
                process.wait()
            for stream in streams.values():
                stream.join(_LAST_OUTPUT_SECONDS)
            return {
                **ended,
                **{name: stream.text() for name, stream in streams.items()},
                "cut": [stream.was_cut for stream in streams.values()],
                "report": _beginning(folder / "report"),
            }

    def _start(self, arguments: list[str], stdin: int | IO[bytes], stderr: int) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603  # ours
                [sys.executable, *SOLO, *arguments],
                env=self._environment,
                cwd=self._folder,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=stderr,
            )
        except OSError as error:
            raise SandboxError(f"cannot start {sys.executable}: {error.strerror}") from error


class _Kept(threading.Thread):
    """Reads what a program prints and keeps the beginning; lasts until nobody can print to it any more.

    Args:
        stream: Our end of its pipe.
        limit: How much is kept, in bytes.
    """

    def __init__(self, stream: IO[bytes] | None, limit: int) -> None:
        super().__init__(daemon=True)
        assert stream is not None  # noqa: S101  # for mypy: it is a pipe
        self._stream = stream
        self._limit = limit
        self._bytes = bytearray()  # one more than is kept shows that there was more
        self.start()

    def run(self) -> None:
        """Read to the end."""
        with self._stream:
            while data := os.read(self._stream.fileno(), 1 << 16):
                self._bytes += data[: max(0, self._limit + 1 - len(self._bytes))]

    def text(self) -> str:
        r"""What was kept, with each line ended by `\n` alone."""
        return bytes(self._bytes[: self._limit]).decode("utf-8", "replace").replace(os.linesep, "\n")

    @property
    def was_cut(self) -> bool:
        """Whether there was more."""
        return len(self._bytes) > self._limit


def _beginning(report: Path) -> str:
    """What a process has reported, or as much of it as an honest one would; nothing if it did not come to that."""
    try:
        with report.open("rb") as file:
            return file.read(wire.MAX_REPLY_BYTES // 4).decode("ascii", "replace")
    except OSError:
        return ""
