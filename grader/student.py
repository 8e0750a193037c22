"""One submission at work in a sandbox: what a check asks of it, and what becomes of the sandbox.

What the student's code raises is raised here as `StudentError`. What ends its process is raised as `Stopped`, which is
no `Exception`, so that nothing that retries or shrinks swallows it.
"""

from __future__ import annotations

import base64
import contextlib
import math
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.errors import ExerciseError, SandboxError
from grader.notes import describe_missing, merge_notes, read_notes
from grader.output import OutputMismatch
from grader.sandbox import wire
from grader.stand_in import Engine, Frame, Recorder, StudentError
from grader.transcript import transcribe
from grader.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from grader.limits import Limits
    from grader.sandbox import Sandbox, Session
    from grader.submission import Part, Submission

MAX_LOSSES = 3
"""How often a lost sandbox is opened anew for the checks that remain."""

_READY_SECONDS = 60.0
_MAX_MESSAGE = 4_000
_MAX_NAME = 200
_MAX_FRAMES = 40
_SIGXCPU = 24
"""What the kernel kills a process with that has used its processor time (Linux's number for it, as in the sandbox)."""
_STUDENT_KEYS = {"id", "values", "raised", "notes", "absent", "missing", "classes"}
"""The keys that a reply of the student's process may have, and no others."""
AHEAD_SECONDS = 1.0
"""How long a check's cases may take if all are asked at once."""
GRACE_SECONDS = 10.0
"""How much longer than the driver the host waits before it ends the sandbox from outside."""


class Stopped(BaseException):
    """The student's process, or the whole sandbox, is gone in the middle of a check."""

    def __init__(self, verdict: Verdict, what: str) -> None:
        super().__init__(what)
        self.verdict = verdict
        self.what = what


@dataclass(frozen=True, slots=True)
class Run:
    """What a program did, once.

    Attributes:
        stdout: What it printed, cut at the exercise's limit.
        stderr: What it wrote to standard error, cut likewise.
        status: Its exit status.
    """

    stdout: str
    stderr: str
    status: int


class Student:
    """One submission at work in a sandbox; lasts as long as its grading.

    Attributes:
        limits: What it may use.
        notes: What happened besides the checks, in sentences for the student: nothing that it did in a hidden check,
            because a note could carry a hidden input out.
        is_prompt: Whether cases that were asked at once were answered as soon.
        recorder: What the current case has asked of the module.
        engine: The module, as a check sees it.

    Args:
        submission: What the student handed in.
        limits: The exercise's.
        sandbox: Where it runs.
        execute: Whether the file is also loaded as a module, for checks that use `engine`.
        module: What that module is called; as the file is unless told otherwise.
        forbid: Modules that the file may not import.
        require: Modules that the sandbox must have.
    """

    def __init__(
        self,
        submission: Submission,
        limits: Limits,
        sandbox: Sandbox,
        *,
        execute: bool,
        module: str = "",
        forbid: Sequence[str] = (),
        require: Sequence[str] = (),
    ) -> None:
        self._submission = submission
        self.limits = limits
        self._sandbox = sandbox
        self._execute = execute
        self._module = module or submission.file.rpartition(".")[0]
        self._forbid = forbid
        self._require = require
        self.notes: list[str] = []
        self.is_prompt = True
        self._notes_of_case: list[str] = []
        self._is_told = True
        self._session: Session | None = None
        self._received = self._new_buffer()
        self._losses = 0
        self._in_check = False
        self._deadline = math.inf
        self._runs: list[str] = []
        self.recorder = Recorder(self._apply)
        self.engine = Engine(self.recorder)

    def load(self) -> None:
        """Open a sandbox and load the file in it.

        Raises:
            StudentError: The file does not load.
            Stopped: Loading it was stopped.
            SandboxError: There is no sandbox to be had, or it lacks a module that it must have.
        """
        self._session = self._sandbox.open(self.limits)
        self._received = self._new_buffer()
        ready = None
        with contextlib.suppress(wire.WireError):
            ready = self._receive(time.monotonic() + _READY_SECONDS)
        if ready is None or ready.get("ready") != wire.PROTOCOL:
            self._lose()
            raise SandboxError("the sandbox did not become ready: run `grader doctor`")
        submission = self._submission
        reply = self._request(
            "load",
            self.limits.load_seconds,
            module=self._module,
            name=submission.file,
            parts=_encoded(submission.parts),
            siblings=_encoded(submission.siblings),
            notebook=bool(submission.cells),
            execute=self._execute,
            forbid=list(self._forbid),
            require=list(self._require),
            limits={
                "cpu_seconds": self.limits.cpu_seconds,
                "memory_mib": self.limits.memory_mib,
                "files_mib": self.limits.files_mib,
                "descriptors": self.limits.descriptors,
                "output_bytes": self.limits.output_kib << 10,
            },
        )
        self._note(reply)
        self._settle(reply)

    def begin(self, variant: int = 0, *, hidden: bool = True) -> None:
        """Start a check: a process of its own, and the check's clock.

        Args:
            variant: Processes of different variants have their objects at different addresses.
            hidden: Whether what happens in it is not for the student to read.

        Raises:
            Stopped: There is no process to be had any more.
            SandboxError: There is no sandbox to be had.
        """
        if self._session is None and self._losses > MAX_LOSSES:
            raise Stopped(Verdict.NOT_RUN, "The sandbox was lost too often; the checks that remain were not run.")
        self._is_told = False  # a file that is loaded again may have seen inputs
        self.new_case()
        try:
            if self._session is None:
                self.load()
            if self._execute:
                self._in_check = True
                self._settle(self._request("begin", self.limits.load_seconds, variant=variant))
        except StudentError as error:
            raise Stopped(Verdict.ERROR, f"The file loaded before, and now does not.\n{error}") from None
        self._is_told = not hidden
        self._deadline = time.monotonic() + self.limits.check_seconds

    def new_case(self) -> None:
        """Start a case of a check: forget what was recorded for the one before."""
        self.recorder.forget()
        self._runs.clear()
        self._notes_of_case.clear()

    def end(self) -> None:
        """End a check: its process, and whatever that left running."""
        self._deadline = math.inf
        if self._session is not None and self._in_check:
            self._in_check = False
            try:
                self._request("end", 0.0)
            except Stopped:
                return  # the sandbox is lost; the next check opens another

    def survey(self, names: Mapping[str, Sequence[str]]) -> str:
        """Look for what the file must define, in a process as checks have them, but before any check.

        Args:
            names: Classes, and for each the attributes that its instances have.

        Returns:
            What is missing, in one sentence; empty where nothing is, or where the file behaves too oddly to tell.

        Raises:
            SandboxError: There is no sandbox to be had.
        """
        asked = {name: list(attributes) for name, attributes in names.items()}
        try:
            self.begin()
            reply = self._request("apply", self.limits.load_seconds, b'"names":' + wire.written(asked))
            self._settle(reply)
            return describe_missing(self._submission.file, names, reply)
        except (StudentError, Stopped):
            return ""
        finally:
            self.end()

    def program(self, stdin: str = "", args: Sequence[str] = ()) -> Run:
        """Run the file as a program.

        Args:
            stdin: All of its standard input.
            args: Its command-line arguments.

        Raises:
            StudentError: It ended with an uncaught exception.
            OutputMismatch: It printed more than is kept.
            Stopped: It was stopped at a limit, or died.
        """
        interpreter = "ipython" if self._submission.cells else "python"
        command = " ".join([interpreter, self._submission.file, *args])
        self._runs.append(f"{command}   # with these lines on standard input:\n{stdin}" if stdin else command)
        reply = self._request("run", self._remaining(), stdin=stdin, args=list(args))
        report = _reported(reply)
        self._notes_of_case = merge_notes(self._notes_of_case, self._note(report))
        if reply.get("status") != "ended":
            self._settle(reply)
            raise self._violation()  # no other reply is one to a run
        if "signal" in reply:
            raise self._died(reply)
        if report.get("raised") is not None:
            raise self._error(report["raised"])
        if reply.get("cut", [False])[0]:
            raise OutputMismatch(f"It printed more than {self.limits.output_kib} KiB, and the rest was not read.")
        return Run(_text(reply.get("stdout")), _text(reply.get("stderr")), _int(reply.get("exit")))

    def ask_ahead(
        self, cases: bytes, counts: Sequence[int], variant: int = 0, *, hidden: bool = True
    ) -> list[list[object]]:
        """Have all cases of a check carried out at once that are known ahead, in a process of their own, and soon.

        Whoever asks so asks again, one by one, where the answers are not right; so a loss is not counted twice.

        Args:
            cases: What is to be done, written as the protocol has it.
            counts: How many values each case wants.
            variant: Processes of different variants have their objects at different addresses.
            hidden: Whether what happens in it is not for the student to read.

        Returns:
            The values that each case wants, undecoded.

        Raises:
            StudentError: The student's code raised it in one of the cases.
            Stopped: It was stopped, or died; `is_prompt` says so from then on.
            SandboxError: There is no sandbox to be had.
        """
        losses = self._losses
        try:
            self.begin(variant, hidden=hidden)
            return self._answers(cases, counts, min(AHEAD_SECONDS, self._remaining()))
        except Stopped:
            self._losses = losses
            self.is_prompt = False
            raise
        finally:
            self.end()

    def code(self, labels: Mapping[str, object]) -> str:
        """What the current case did so far, as the student would have typed it.

        Args:
            labels: Names that the check gave to stand-ins (`"x.grad"`), used as names of variables.
        """
        return "\n".join([*self._runs, *transcribe(self.recorder.history, labels)])

    @property
    def notes_of_case(self) -> Sequence[str]:
        """What happened in the programs that the current case ran, in sentences."""
        return self._notes_of_case

    @property
    def is_running(self) -> bool:
        """Whether there is a sandbox that has not been lost."""
        return self._session is not None

    def abandon(self) -> Stopped:
        """Give the sandbox up because a check has gone on for too long on the host; return what is concluded."""
        self._lose()
        return self._too_long()

    def close(self) -> None:
        """End the sandbox."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _note(self, told: Mapping[str, object]) -> list[str]:
        """Return what a process says of how the file was run, in sentences; keep it if the student may read it."""
        notes = read_notes(told, self._names()[: len(self._submission.parts)])
        if self._is_told:
            self.notes = merge_notes(self.notes, notes)
        return notes

    def _names(self) -> list[str]:
        """What each of the submission's files is called, or each cell."""
        return [part.name for part in (*self._submission.parts, *self._submission.siblings)]

    # The wire -------------------------------------------------------------------------------------------------------

    def _new_buffer(self) -> wire.FrameBuffer:
        streams = 2 * 6 * (self.limits.output_kib << 10)  # a character of output takes up to six in JSON
        return wire.FrameBuffer(wire.MAX_REPLY_BYTES + streams)

    def _remaining(self) -> float:
        remaining = self._deadline - time.monotonic()
        if remaining <= 0:
            raise self._too_long()
        return remaining

    def _too_long(self, place: str = "") -> Stopped:
        limit = self.limits.check_seconds if self._deadline < math.inf else self.limits.load_seconds
        return Stopped(Verdict.TIMEOUT, f"Stopped after {limit:g} s{place}: is there a loop that never ends?")

    def _too_busy(self, place: str) -> Stopped:
        seconds = f"{self.limits.cpu_seconds} s of processor time"
        return Stopped(Verdict.TIMEOUT, f"Stopped after {seconds}{place}: is there a loop that never ends?")

    def _too_large(self, place: str = "") -> Stopped:
        return Stopped(Verdict.MEMORY, f"It used more than {self.limits.memory_mib} MiB of memory{place}.")

    def _apply(self, operations: list[list[object]], wanted: list[int]) -> list[object]:
        """Have operations carried out and return the values of the objects `wanted`, as they came."""
        if not self._in_check:
            raise ExerciseError(self._submission.exercise, ["a check uses `engine` outside of a check function"])
        [values] = self._answers(wire.written([[operations, wanted]]), [len(wanted)], self._remaining())
        return values

    def _answers(self, cases: bytes, counts: Sequence[int], seconds: float) -> list[list[object]]:
        """Have cases carried out, written as the protocol has them; return as many values of each as there must be."""
        reply = self._request("apply", seconds, b'"cases":' + cases)
        self._settle(reply)
        values = reply.get("values")
        if not isinstance(values, list) or [len(each) if isinstance(each, list) else -1 for each in values] != counts:
            raise self._violation()
        return values

    def _request(self, do: str, seconds: float, errand: bytes = b"", **arguments: object) -> dict[str, Any]:
        """Ask the driver for one thing and return its reply, or the student's process's.

        Args:
            do: What is asked for.
            seconds: How long it may take.
            errand: What is for the student's process alone, as a field of JSON.
            arguments: What else the driver is told.

        Raises:
            ExerciseError: It is too much to ask at once.
            Stopped: The sandbox is lost: it answered too late, not at all, or with what nobody asked for.
        """
        assert self._session is not None  # noqa: S101  # for mypy
        nonce = secrets.token_hex(8)
        deadline = time.monotonic() + seconds + GRACE_SECONDS
        message = {"do": do, "id": nonce, "wall_ms": max(1, round(seconds * 1000)), **arguments}
        try:
            errand = errand and b'{"id":"%b",%b}' % (nonce.encode(), errand)
            self._session.send(wire.frame(wire.REQUEST, message, errand), deadline)
        except wire.WireError as error:
            if do == "load":
                raise StudentError(f"what was handed in is too large: {error}") from None
            if self.recorder.has_answered:  # what is too large may be the student's own number
                raise StudentError(f"with these answers, the check would send {error}") from None
            raise ExerciseError(self._submission.exercise, [f"a check sends {error}"]) from None
        except (TimeoutError, ConnectionError):
            raise self._lose() from None
        try:
            reply = self._receive(deadline)
        except wire.WireError:
            raise self._violation() from None
        if reply is None:
            raise self._lose()
        if reply.get("id") != nonce:
            raise self._violation()
        return reply

    def _receive(self, deadline: float) -> dict[str, Any] | None:
        """Return the next message, or None if there is none in time.

        Raises:
            WireError: What comes is no message.
        """
        assert self._session is not None  # noqa: S101  # for mypy
        try:
            while not (taken := self._received.take()):
                data = self._session.receive(deadline)
                if not data or time.monotonic() > deadline:
                    return None
                self._received.feed(data)
        except TimeoutError:
            return None
        kind, body = taken
        message = wire.parse(body)
        if kind == wire.STUDENT and message.keys() <= _STUDENT_KEYS:
            message["status"] = "student"
        elif kind != wire.DRIVER:
            raise wire.WireError("a message of no known kind")
        return message

    def _settle(self, reply: dict[str, Any]) -> None:
        """Raise what a reply says went wrong, if anything did."""
        match reply.get("status"):
            case "ok":
                return
            case "student":
                if "raised" in reply:
                    raise self._error(reply["raised"])
            case "timeout":
                raise self._too_long(_place(self._frames(_reported(reply).get("raised"))))
            case "died":
                raise self._died(reply)
            case "lacking":
                modules = " and no ".join(map(str, reply["modules"]))
                raise SandboxError(f"the sandbox has no {modules}, which the exercise requires: add it to the image")
            case _:
                raise self._violation()

    def _violation(self) -> Stopped:
        """Give up a sandbox that does not keep to the protocol."""
        self._lose()
        return Stopped(Verdict.ERROR, "The code interfered with the grader's own messages.")

    def _lose(self) -> Stopped:
        """Give up a sandbox that does not answer; return what is concluded."""
        self._losses += 1
        memory = False
        if self._session is not None:
            memory = self._session.memory_ran_out()
            self._session.close()
            self._session = None
        if memory:
            return self._too_large()
        return Stopped(Verdict.ERROR, "The code ended, or blocked, the sandbox it ran in.")

    def _died(self, reply: dict[str, Any]) -> Stopped:
        """Conclude from the end of a process, as far as the driver knows how it ended."""
        if reply.get("memory") is True:
            return self._too_large()
        how = "The process ended before it had answered"
        if reply.get("signal") == _SIGXCPU:
            return self._too_busy("")
        if isinstance(reply.get("signal"), int):
            return Stopped(Verdict.ERROR, f"{how}: it crashed (signal {reply['signal']}).")
        if isinstance(reply.get("exit"), int):
            return Stopped(Verdict.ERROR, f"{how}: it left with exit status {reply['exit']}.")
        return Stopped(Verdict.ERROR, f"{how}.")

    def _error(self, raised: object) -> StudentError | Stopped:
        """Conclude from what the student's process says of an exception, believing none of it."""
        told = raised if isinstance(raised, dict) else {}
        frames = self._frames(raised)
        limits = self.limits
        allowed = ""
        match told.get("limit"):
            case "wall":
                return self._too_long(_place(frames))
            case "cpu":
                return self._too_busy(_place(frames))
            case "memory":
                return self._too_large(_place(frames))
            case "processes":
                allowed = f" (at most {limits.processes} processes and threads at once are allowed)"
            case "files":
                allowed = f" (at most {limits.files_mib} MiB of files, and {limits.files} of them, are allowed)"
            case "descriptors":
                allowed = f" (at most {limits.descriptors} open files at once are allowed)"
        kind = _text(told.get("type"))[:_MAX_NAME]
        message = _text(told.get("message"))[:_MAX_MESSAGE] + allowed
        if not kind and not message:
            message = "an exception that cannot be read"
        return StudentError(message, kind=kind, frames=frames)

    def _frames(self, raised: object) -> list[Frame]:
        """Return the places in the student's files that an exception passed through, as far as they can be read."""
        names = self._names()
        files = names if self._submission.cells else ["", *names[1:]]
        frames = raised.get("frames") if isinstance(raised, dict) else None
        return [
            Frame(files[place], line, function[:_MAX_NAME], text[:_MAX_MESSAGE], times)
            for frame in (frames if isinstance(frames, list) else [])[:_MAX_FRAMES]
            if isinstance(frame, list) and list(map(type, frame)) == [int, int, str, str, int]
            for place, line, function, text, times in [frame]
            if place in range(len(files))
        ]


def _place(frames: Sequence[Frame]) -> str:
    """Say where the innermost frame is, to stand inside a sentence."""
    if not frames:
        return ""
    frame = frames[-1]
    if frame.function.isidentifier():
        where = f" in `{frame.function}()`, {frame.place}"
    else:
        where = f" {'in' if frame.file else 'at'} {frame.place}"
    return f"{where} (`{frame.text}`)" if frame.text else where


def _encoded(parts: Sequence[Part]) -> list[list[str]]:
    """Return parts of a submission as a load request has them."""
    return [[part.name, base64.b64encode(part.source).decode("ascii")] for part in parts]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _int(value: object) -> int:
    return value if isinstance(value, int) else -1


def _reported(reply: dict[str, Any]) -> dict[str, Any]:
    """Return a process's last words, if there are any: it could have written anything into them."""
    try:
        return wire.parse(_text(reply.get("report")).encode("ascii", "replace"))
    except wire.WireError:
        return {}
