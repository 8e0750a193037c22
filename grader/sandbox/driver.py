"""The process inside the sandbox. Standard library only; this docstring is the protocol.

Three kinds of process run here. The *driver* is the first (process 1 of its namespace in an isolating sandbox), runs
no student code and alone holds the channel to the host. The *loaded* process is its child and runs the student's file
once. Each check gets a fork of the loaded process, and each program run a fork of the driver. A fork's crash, timeout
or leftover state touches nothing else, and whatever a fork leaves running is killed when its check ends.

The channel is standard input and output, in frames (see `wire`). The driver first says `{"ready": wire.PROTOCOL}`.
Then the host asks one thing at a time, each with an `id` that the reply repeats. What is for the student's process
alone follows on a line of its own, the *errand*, which the driver passes on unread:

    {"do": "load", "id", "module", "name", "parts", "siblings", "notebook", "execute", "forbid", "require", "wall_ms",
     "limits"}
        Take the student's file. `parts` are what is run, a Python file or the cells of a `notebook`, and `siblings` the
        Python files beside it: each a name and its bytes as base64. `name` is what the file is called, `module` what
        the module is that it makes. Compile it, and run it too if `execute`. Asked once. `forbid` are modules that it
        may not import, `require` those that the sandbox must have. `limits` are `cpu_seconds`, `memory_mib`,
        `files_mib` and `descriptors` of each process, and `output_bytes` of each stream.
    {"do": "begin", "id", "variant"}
        Fork a process for a check, loading the file again if the loaded process is gone. Another variant has its
        objects at other addresses.
    {"do": "apply", "id", "wall_ms"}
    {"id", "names"}
        Look in the check's process for classes, and for attributes of their instances: `names` has these by class.
    {"do": "apply", "id", "wall_ms"}
    {"id", "cases"}
        Carry out cases in the check's process, one after the other. A case is a list of operations, and a list of the
        objects whose values are then wanted.
    {"do": "end", "id"}
        Kill the check's process and whatever else student code left running.
    {"do": "run", "id", "stdin", "args", "wall_ms"}
        Run the file as a program, in a fork of its own.

A reply in a frame of kind `DRIVER` is what the driver saw. It has a `status`:

    "ok"         done
    "lacking"    the sandbox has not all the modules that it must have: `modules` are those it has not
    "timeout"    stopped at its limit; `report` as for a run's end, if the process could still say where it was
    "died"       the process is gone: `exit` or `signal` says how where that is known, `memory` whether memory was short
    "violation"  the process sent bytes that nobody had asked for
    "ended"      a run's end: `exit` or `signal`, `stdout`, `stderr`, `cut` (whether each was cut) and `report`: JSON
                 text written by the student's process, with `raised`, `notes` and `absent` as below, if there are any

A reply in a frame of kind `STUDENT` was written by the student's process and is passed on unread:

    {"id"}                     loaded, begun
    {"id", "values": [...]}    the values asked for, a list for each case, as `wire.encode` makes them; an object is
                               {"r": id, "o": its type}
    {"id", "raised": {...}}    an exception: `type`, `message`, `frames`, where it passed through the student's files
                               (the file's number, counting parts and then siblings; line, function, text, and how
                               often this repeats), and `limit`, the limit it is about: `wall`, `cpu`, `memory`,
                               `processes`, `files`, `descriptors` or none
    {"id", "missing": [...]}   classes that were looked for and are not there or lack something, each with what it
                               lacks; `classes`, then, are those that are there, each with its members

A report of how a file was loaded or run may also have `notes`, what was passed over in a notebook, and `absent`, the
modules that stand-ins took the place of. A note is the number of the part, a line, the kind, and a text: `failed`, a
statement that raised this; `syntax`, a cell that this is wrong with; `skipped`, a cell that is for this magic;
`ignored`, lines that are magics or for a shell, as many as the line says.

An operation is a list: its name, the id its result gets, and its arguments; an argument is a plain value as
`wire.encode` makes it, or {"r": id}. `global` NAME; `get` OBJECT NAME; `set` OBJECT NAME VALUE; `call` OBJECT ARGUMENTS
KEYWORDS; `list` OBJECT (its items); `isinstance` OBJECT CLASS; any other name is a function of the module `operator`
or one of the built-in functions in `_BUILTINS`. Ids that the host gives are positive; objects found inside a returned
list get negative ones.

A sandbox that cannot bound memory or the number of processes by itself asks for it in the driver's environment:
`GRADER_MEMORY_MIB`, of all processes together, looked at twenty times a second, and `GRADER_PROCESSES`. One that has no
process namespace names a user in `GRADER_USER`: student's processes become that user, and all that run as that user are
theirs. `GRADER_PLACES` are then the folders, separated by colons, where that user's files count as memory.

The host kills the sandbox from outside when the driver does not answer in time. The driver ends at the end of its
standard input.
"""

from __future__ import annotations

import contextlib
import fcntl
import math
import os
import select
import signal
import socket
import sys
import time

from grader.sandbox import wire
from grader.sandbox.replies import RAISED, Gone, how_it_ended, lacking
from grader.sandbox.runner import STATUS, TIME_IS_UP, become_student, load_main, program_main, set_dumpable

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_GRACE_SECONDS = 2.0
"""What our own code may take inside a process that student code has run in."""
_LAST_WORDS_SECONDS = 0.5
"""How long a process whose time is up has to say where it was."""
_SOON_SECONDS = 0.05
"""How long a process that was killed is waited for before others are looked for that may keep it from ending."""
_WATCH_SECONDS = 0.05
"""How often memory is looked at where nothing else bounds it."""
_FILE_BYTES = 1024
"""What the kernel keeps in memory for each file, even an empty one."""
_HOST_GONE = -1
_MEMORY_FULL = -2


class Driver:
    """The loop between the host and the student's processes; lasts as long as the sandbox."""

    def __init__(self, requests: int, replies: int) -> None:
        self._requests = requests
        self._replies = replies
        self._user = int(os.environ.get("GRADER_USER", "0"))
        self._places = os.environ.pop("GRADER_PLACES", "").split(":")
        # Root's signals reach everybody: whoever is root may not kill all that he can.
        self._isolated = os.getpid() == 1 or (self._user != 0 and 0 not in os.getresuid())
        self._load_request: dict[str, Any] = {}
        self._loaded_pid = 0
        self._control: socket.socket | None = None
        self._check: socket.socket | None = None
        self._check_pid = 0
        self._out_of_memory_kills = _out_of_memory_kills()
        self._memory_bytes = int(os.environ.pop("GRADER_MEMORY_MIB", "0")) << 20
        self._next_look = 0.0

    def serve(self) -> None:
        """Answer requests until the host closes the channel."""
        self._say({"ready": wire.PROTOCOL})
        received = wire.FrameBuffer(wire.MAX_REQUEST_BYTES)
        while data := self._requested():
            received.feed(data)
            while taken := received.take():
                self._answer(taken[1])
        self._stop_everything()

    def _requested(self) -> bytes:
        """Return bytes from the host, none when it is gone; student code may run and take memory meanwhile."""
        watch = select.poll()
        watch.register(self._requests, select.POLLIN)
        while not watch.poll(_WATCH_SECONDS * 1000 if self._memory_bytes else None):
            if self._memory_is_full():
                self._drop_loaded(None)
        return os.read(self._requests, 1 << 16)

    def _answer(self, body: bytes) -> None:
        request, errand = wire.parse_request(body)
        try:
            match request["do"]:
                case "load":
                    self._load_request = request
                    if missing := lacking(request["require"]):
                        self._say({"id": request["id"], "status": "lacking", "modules": missing})
                    else:
                        self._relay(self._load(request["id"]))
                case "begin":
                    self._relay(self._begin(request))
                case "apply":
                    self._relay(self._apply(errand, request))
                case "end":
                    self._end()
                    self._say({"id": request["id"], "status": "ok"})
                case "run":
                    self._say({"id": request["id"], **self._run(request)})
        except Gone as gone:
            self._say({"id": request["id"], **gone.reply})

    def _say(self, message: dict[str, object]) -> None:
        _write_all(self._replies, wire.frame(wire.DRIVER, message))

    def _relay(self, body: bytes) -> None:
        _write_all(self._replies, wire.reframe(wire.STUDENT, body))

    # The loaded process ---------------------------------------------------------------------------------------------

    def _load(self, nonce: str) -> bytes:
        """Start the loaded process and return its report."""
        request = {**self._load_request, "id": nonce}
        ours, theirs = socket.socketpair()
        self._loaded_pid = pid = os.fork()
        if pid == 0:
            become_student(request["limits"], theirs.fileno(), lambda: load_main(request, theirs))
        theirs.close()
        self._control = ours
        try:
            report = self.receive(
                ours, time.monotonic() + request["wall_ms"] / 1000, wire.FrameBuffer(wire.MAX_REPLY_BYTES)
            )
        except Gone as gone:
            self._ask_where(gone, ours, pid)
            self._drop_loaded(gone)
            raise
        if request["execute"]:
            self._kill_strays()
        else:
            self._drop_loaded(None)
        return report

    def _drop_loaded(self, gone: Gone | None) -> None:
        """Kill the loaded process and all of its kind; tell `gone` how it had ended by itself."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._loaded_pid:
            status = None
            if gone is not None and gone.reply["status"] == "died":
                status = _wait(self._loaded_pid, _GRACE_SECONDS)
            if gone is None or status is None:
                _kill_group(self._loaded_pid)
                _wait(self._loaded_pid, _GRACE_SECONDS)
            else:
                gone.reply.update(_how_it_ended(status), memory=gone.reply["memory"] or self._memory_ran_out())
            _kill_group(self._loaded_pid)
            self._loaded_pid = 0
        self._kill_strays()

    # A check's process ----------------------------------------------------------------------------------------------

    def _begin(self, request: dict[str, Any]) -> bytes:
        """Have the loaded process fork, and return the fork's greeting."""
        self._end()
        if self._control is not None:
            try:
                return self._fork_check(request)
            except (Gone, OSError):  # an earlier check killed or stopped the loaded process: load it again
                self._end()
                self._drop_loaded(None)
        report = self._load(request["id"])
        if RAISED in report:
            self._drop_loaded(None)  # it stands half-way: nothing is to be forked from it
            return report
        try:
            return self._fork_check(request)
        except OSError:
            raise Gone({"status": "died", "memory": self._memory_ran_out()}) from None

    def _fork_check(self, request: dict[str, Any]) -> bytes:
        if self._control is None:  # a file that left more running than could be found took its own process with it
            raise Gone({"status": "died", "memory": False})
        ours, theirs = socket.socketpair()
        self._check = ours
        deadline = time.monotonic() + _GRACE_SECONDS
        with theirs:
            socket.send_fds(self._control, [b"F"], [theirs.fileno()])
        self._check_pid = STATUS.unpack(_receive_exactly(self._control, STATUS.size, deadline))[0]
        ours.sendall(wire.frame(wire.REQUEST, {"id": request["id"], "variant": request["variant"]}))
        return self.receive(ours, deadline, wire.FrameBuffer(wire.MAX_REPLY_BYTES))

    def _apply(self, errand: bytes, request: dict[str, Any]) -> bytes:
        if self._check is None:
            raise Gone({"status": "died", "memory": False})
        deadline = time.monotonic() + request["wall_ms"] / 1000
        if _peek(self._check):
            raise Gone({"status": "violation"})
        received = wire.FrameBuffer(wire.MAX_REPLY_BYTES)
        try:
            _send_all(self._check, wire.reframe(wire.REQUEST, errand), deadline)
            reply = self.receive(self._check, deadline, received)
        except Gone as gone:
            self._ask_where(gone, self._check, self._check_pid)
            if gone.reply["status"] == "died" and self._control is not None:
                with contextlib.suppress(Gone):
                    ended = _receive_exactly(self._control, STATUS.size, time.monotonic() + _GRACE_SECONDS)
                    gone.reply.update(_how_it_ended(STATUS.unpack(ended)[0]))
                    self._check_pid = 0
                gone.reply["memory"] = gone.reply["memory"] or self._memory_ran_out()
            raise
        if len(received):
            raise Gone({"status": "violation"})
        return reply

    def _end(self) -> None:
        """Kill the check's process and what it left running."""
        if self._check is not None:
            self._check.close()
            self._check = None
        if self._check_pid:
            if self._check_pid != self._loaded_pid and self._is_students(self._check_pid):
                with contextlib.suppress(OSError):
                    os.kill(self._check_pid, signal.SIGKILL)
            self._check_pid = 0
            has_ended = self._is_told_of_end(_SOON_SECONDS)  # mostly there are no strays, and so nothing to wait for
            self._kill_strays()
            if self._control is not None and not has_ended and not self._is_told_of_end(_GRACE_SECONDS):
                self._drop_loaded(None)

    def _is_told_of_end(self, seconds: float) -> bool:
        """Whether the loaded process says in time that the check's process has ended."""
        if self._control is None:
            return False
        with contextlib.suppress(Gone):
            return bool(_receive_exactly(self._control, STATUS.size, time.monotonic() + seconds))
        return False

    def receive(self, channel: socket.socket, deadline: float, received: wire.FrameBuffer) -> bytes:
        """Return the body of the next frame on a channel to a student's process."""
        while True:
            try:
                taken = received.take()
            except wire.WireError:
                raise Gone({"status": "violation"}) from None
            if taken:
                return taken[1]
            self._wait_readable(channel, deadline)
            try:
                data = channel.recv(1 << 16)
            except ConnectionError:
                data = b""
            if not data:
                raise Gone({"status": "died", "memory": self._memory_ran_out()})
            received.feed(data)

    def _ask_where(self, gone: Gone, channel: socket.socket, pid: int) -> None:
        """Ask a process whose time is up where it is, and add its answer to what the host is told."""
        if gone.reply["status"] != "timeout" or not self._is_students(pid):
            return
        with contextlib.suppress(OSError, Gone):
            os.kill(pid, TIME_IS_UP)
            deadline = time.monotonic() + _LAST_WORDS_SECONDS
            body = self.receive(channel, deadline, wire.FrameBuffer(wire.MAX_REPLY_BYTES))
            gone.reply["report"] = body[: wire.MAX_REPLY_BYTES // 4].decode("ascii", "replace")

    def _is_students(self, pid: int) -> bool:
        """Whether a process id, which student code may have made up, is one that may be sent a signal."""
        try:
            return pid > 1 and pid != os.getpid() and os.getsid(pid) == self._loaded_pid
        except OSError:
            return False

    def _wait_readable(self, channel: socket.socket, deadline: float) -> None:
        """Wait for bytes on `channel`; end everything at once if the host goes away meanwhile."""
        watch = select.poll()
        watch.register(channel, select.POLLIN)
        watch.register(self._requests, 0)  # only its hang-up
        if channel is self._check and self._control is not None:
            # It says when the check's process has ended, which the channel does not while a child holds that open.
            watch.register(self._control, select.POLLIN)
        while True:
            remaining = max(0.0, deadline - time.monotonic())
            events = watch.poll(min(remaining, _WATCH_SECONDS if self._memory_bytes else remaining) * 1000)
            ready = {descriptor for descriptor, _ in events}
            if self._requests in ready:
                self._stop_everything()
                os._exit(0)
            if self._memory_is_full():
                self._drop_loaded(None)
                raise Gone({"status": "died", "memory": True})
            if not remaining:  # whoever goes on talking is late, too
                raise Gone({"status": "timeout"})
            if channel.fileno() in ready:
                return
            if ready and self._control is not None:
                if not _peek(self._control):
                    watch.unregister(self._control)  # the loaded process is gone, the check's may well live
                elif not _peek(channel):
                    raise Gone({"status": "died", "memory": self._memory_ran_out()})

    # A program run --------------------------------------------------------------------------------------------------

    def _run(self, request: dict[str, Any]) -> dict[str, object]:
        deadline = time.monotonic() + request["wall_ms"] / 1000
        load = self._load_request
        limit = load["limits"]["output_bytes"]
        names = ("stdin", "stdout", "stderr", "report")
        pipes = {name: os.pipe() for name in names}
        pid = os.fork()
        if pid == 0:
            theirs = {name: pipes[name][0 if name == "stdin" else 1] for name in names}
            for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
                os.dup2(theirs[name], descriptor)
            report = theirs["report"]
            become_student(load["limits"], report, lambda: program_main(load, request["args"], report))
        for name in names:
            os.close(pipes[name][0 if name == "stdin" else 1])
        ours = {pipes[name][1 if name == "stdin" else 0]: name for name in names}
        program = _Program(pid, ours, request["stdin"].encode("utf-8", "surrogatepass"), limit)
        with contextlib.closing(program):
            ended = program.attend(deadline, self._requests, self._memory_is_full)
            if ended is None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, TIME_IS_UP)
                program.attend(time.monotonic() + _LAST_WORDS_SECONDS, self._requests, self._memory_is_full)
        _kill_group(pid)
        if ended == _HOST_GONE:
            self._stop_everything()
            os._exit(0)
        self._kill_strays()
        _wait(pid, _GRACE_SECONDS)
        printed = program.printed
        reply: dict[str, object] = {
            **{name: bytes(printed[name][:limit]).decode("utf-8", "replace") for name in ("stdout", "stderr")},
            "cut": [len(printed[name]) > limit for name in ("stdout", "stderr")],
            "report": bytes(printed["report"]).decode("ascii", "replace"),
        }
        if ended is None:
            return {"status": "timeout", **reply}
        if ended == _MEMORY_FULL:
            return {"status": "died", "memory": True, **reply}
        return {"status": "ended", **_how_it_ended(ended), "memory": self._memory_ran_out(), **reply}

    # Ends -----------------------------------------------------------------------------------------------------------

    def _kill_strays(self) -> None:
        """Kill every process in the sandbox but the driver and the loaded one.

        A process that forks faster than it is found takes the loaded one with it, which is then loaded again.
        """
        if not self._isolated:
            return  # other processes are not ours to kill
        for _ in range(20):
            strays = _living_processes(self._user) - {self._loaded_pid}
            if not strays:
                break
            for pid in strays:
                with contextlib.suppress(ProcessLookupError, PermissionError):  # it has gone; another has its number
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.001)
        else:
            for _ in range(50):
                try:
                    os.kill(-1, signal.SIGKILL)
                except ProcessLookupError:
                    break
                self._reap()
                time.sleep(0.002)
            self._loaded_pid = 0
            if self._control is not None:
                self._control.close()
                self._control = None
        self._reap()

    def _reap(self) -> None:
        """Collect the orphans that ended; the loaded process is asked for by name."""
        with contextlib.suppress(ChildProcessError):
            while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if ended.si_pid == self._loaded_pid:
                    return
                os.waitpid(ended.si_pid, 0)

    def _stop_everything(self) -> None:
        self._end()
        self._drop_loaded(None)

    def _memory_is_full(self) -> bool:
        """Whether the student's processes together use more memory than they may, where that is the driver's to see."""
        now = time.monotonic()
        if not self._memory_bytes or now < self._next_look:
            return False
        self._next_look = now + _WATCH_SECONDS
        if self._user:
            files = sum(_bytes_of_user(self._user, place) for place in self._places)
        else:
            files = _file_bytes(os.environ.get("TMPDIR", "/"))
        pids = _living_processes(self._user)
        if files + sum(map(_mapped_bytes, pids)) <= self._memory_bytes:
            return False
        return files + sum(map(_owned_bytes, pids)) > self._memory_bytes

    def _memory_ran_out(self) -> bool:
        """Whether the kernel has killed a process for want of memory since this was last asked."""
        before, self._out_of_memory_kills = self._out_of_memory_kills, _out_of_memory_kills()
        return self._out_of_memory_kills > before


class _Program:
    """A program that is fed and drained while it runs; lasts until it ends or its time is up.

    Args:
        pid: Its process, a child of this one.
        pipes: What the other ends of its pipes are: descriptor to `stdin`, `stdout`, `stderr` or `report`.
        stdin: What it may read.
        limit: What is kept of each stream, in bytes; one more shows that there was more.
    """

    def __init__(self, pid: int, pipes: dict[int, str], stdin: bytes, limit: int) -> None:
        self.printed = {name: bytearray() for name in pipes.values() if name != "stdin"}
        self._pid = pid
        self._pipes = pipes
        self._stdin = stdin
        self._limit = limit
        self._watch = select.poll()

        for descriptor, name in pipes.items():
            os.set_blocking(descriptor, False)
            self._watch.register(descriptor, select.POLLOUT if name == "stdin" else select.POLLIN)

    def attend(self, deadline: float, host: int, memory_is_full: Callable[[], bool]) -> int | None:
        """Return its wait status, None at the deadline, `_HOST_GONE` or `_MEMORY_FULL`.

        Args:
            deadline: When to stop attending, a reading of `time.monotonic`.
            host: The channel from the host, of which only the hang-up is of interest.
            memory_is_full: Whether all processes together use more than they may.
        """
        self._watch.register(host, 0)
        status: int | None = None
        pause = 0.001
        while (remaining := deadline - time.monotonic()) > 0:
            events = self._watch.poll(min(remaining, pause) * 1000)
            if status is not None and not events:
                break  # a process it left behind may hold the pipes for ever: nobody waits for that
            for descriptor, _ in events:
                if descriptor == host:
                    return _HOST_GONE
                self._serve(descriptor)
            if status is None:
                status = _wait(self._pid, 0)
            if memory_is_full():
                return _MEMORY_FULL
            pause = 0.001 if events or status is not None else min(2 * pause, _WATCH_SECONDS)
        return status

    def close(self) -> None:
        """Close what is left of the pipes."""
        for descriptor in self._pipes:
            os.close(descriptor)

    def _serve(self, descriptor: int) -> None:
        """Move what one pipe takes or holds; close it at its end."""
        name = self._pipes[descriptor]
        try:
            if name == "stdin":
                self._stdin = self._stdin[os.write(descriptor, self._stdin[: 1 << 16]) :] if self._stdin else b""
                more = bool(self._stdin)
            else:
                data = os.read(descriptor, 1 << 16)
                kept = self.printed[name]
                limit = wire.MAX_REPLY_BYTES // 2 if name == "report" else self._limit
                kept += data[: max(0, limit + 1 - len(kept))]
                more = bool(data)
        except BlockingIOError:
            return
        except BrokenPipeError:  # nobody reads it any more
            more = False
        if not more:
            self._watch.unregister(descriptor)
            del self._pipes[descriptor]
            os.close(descriptor)


def _living_processes(user: int) -> set[int]:
    """The student's processes that have not ended: all that run as a user, if there is one, else all but the first."""
    pids = {int(name) for name in os.listdir("/proc") if name.isdigit()}  # noqa: PTH208  # pathlib is one more import
    return {pid for pid in pids if (_user_of(pid) == user if user else pid != 1) and not _is_zombie(pid)}


def _user_of(pid: int) -> int:
    """Whose process it is, really; -1 for one that is gone."""
    try:
        with open(f"/proc/{pid}/status", "rb") as status:  # noqa: PTH123  # the same
            return next(int(line.split()[1]) for line in status if line.startswith(b"Uid:"))
    except OSError:
        return -1


def _mapped_bytes(pid: int) -> int:
    """Memory that a process uses, but for that of files, in bytes; what it shares with others is counted in full."""
    return _sum_of_sizes(f"/proc/{pid}/task/{_a_thread(pid)}/status", (b"RssAnon:", b"RssShmem:"))


def _owned_bytes(pid: int) -> int:
    """The same, with a fair part of what is shared; slower, and a process that hides is not believed to share."""
    rollup = f"/proc/{pid}/task/{_a_thread(pid)}/smaps_rollup"
    return _sum_of_sizes(rollup, (b"Pss_Anon:", b"Pss_Shmem:")) or _mapped_bytes(pid)


def _a_thread(pid: int) -> str:
    """A thread of a process that has not ended; not always the first, whose memory is gone when it is."""
    try:
        return max(os.listdir(f"/proc/{pid}/task"), key=int)  # noqa: PTH208  # the same
    except (OSError, ValueError):
        return str(pid)


def _sum_of_sizes(path: str, names: tuple[bytes, ...]) -> int:
    """Add up lines such as `RssAnon:  12 kB` of one of the kernel's files, in bytes."""
    try:
        with open(path, "rb") as sizes:  # noqa: PTH123  # the same
            return sum(int(line.split()[1]) << 10 for line in sizes if line.startswith(names))
    except OSError:
        return 0


def _file_bytes(folder: str) -> int:
    """Memory of a file system that is held in memory, in bytes: what is in its files, and the files themselves."""
    counts = os.statvfs(folder)
    used = (counts.f_blocks - counts.f_bfree) * counts.f_frsize
    return used + (counts.f_files - counts.f_ffree) * _FILE_BYTES


def _bytes_of_user(user: int, place: str) -> float:
    """What a user's files in a folder take, in bytes, the files themselves included; infinite if it cannot be told."""
    found = 0
    pending = [place]
    while pending:
        folder = pending.pop()
        try:
            for entry in _entries(folder):
                with contextlib.suppress(FileNotFoundError):
                    status = entry.stat(follow_symlinks=False)
                    if status.st_uid == user:
                        found += status.st_blocks * 512 + _FILE_BYTES
                        if entry.is_dir(follow_symlinks=False):
                            pending.append(entry.path)
        except FileNotFoundError:
            continue
        except OSError:  # a path too long to be looked into, or one that is closed as fast as it is opened
            return math.inf
    return found


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder, which is opened again if it is ours and was closed."""
    try:
        return list(os.scandir(folder))
    except PermissionError:
        os.chmod(folder, 0o700)  # noqa: PTH101  # the same
        return list(os.scandir(folder))


def _is_zombie(pid: int) -> bool:
    """Whether a process has ended; one whose first thread alone has ended looks the same and still runs."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123  # pathlib would be one more import to start with
            state, *fields = stat.read().rpartition(b")")[2].split()
    except OSError:
        return True
    threads = int(fields[16])
    return state in (b"Z", b"X") and threads <= 1


def _wait(pid: int, seconds: float) -> int | None:
    """Return a child's wait status, or None if it still runs after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            done, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            return 0
        if done:
            return status
        if time.monotonic() >= deadline:
            return None
        time.sleep(0.001)


def _kill_group(pid: int) -> None:
    """Kill a process that leads a group, and the group."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _how_it_ended(status: int) -> dict[str, object]:
    try:
        code = os.waitstatus_to_exitcode(status)
    except ValueError:  # no end at all: the loaded process, which told us, made it up
        return {}
    return how_it_ended(code)


def _out_of_memory_kills() -> int:
    """The kernel's own count of kills for want of memory in this control group; 0 where it does not show one."""
    for path in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        with contextlib.suppress(OSError, ValueError), open(path, "rb") as counters:  # noqa: PTH123  # the same
            for line in counters:
                name, _, count = line.partition(b" ")
                if name == b"oom_kill":
                    return int(count)
    return 0


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _send_all(channel: socket.socket, data: bytes, deadline: float) -> None:
    channel.settimeout(max(0.001, deadline - time.monotonic()))
    try:
        channel.sendall(data)
    except TimeoutError:
        raise Gone({"status": "timeout"}) from None
    except OSError:
        raise Gone({"status": "died", "memory": False}) from None
    finally:
        channel.settimeout(None)


def _peek(channel: socket.socket) -> bool:
    """Whether there are bytes to be received; there are none from one who has hung up."""
    try:
        return bool(channel.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
    except OSError:
        return False


def _receive_exactly(channel: socket.socket, size: int, deadline: float) -> bytes:
    data = b""
    try:
        while len(data) < size:
            channel.settimeout(max(0.001, deadline - time.monotonic()))
            more = channel.recv(size - len(data))
            if not more:
                raise Gone({"status": "died", "memory": False})
            data += more
    except OSError:
        raise Gone({"status": "died", "memory": False}) from None
    finally:
        channel.settimeout(None)
    return data


def main() -> None:
    """Take the channel away from the standard streams and serve it."""
    requests, replies = (fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3) for descriptor in (0, 1))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one signal that an interpreter would heed as process 1
    set_dumpable(False)  # so no student's process reads or writes this one
    home = os.environ.pop("PYTHONPATH", "")
    sys.path[:] = [place for place in sys.path if place != home]
    Driver(requests, replies).serve()
