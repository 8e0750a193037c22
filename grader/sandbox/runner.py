"""What runs in the student's processes: forks of the driver, in which nothing is trusted once student code has run.

Standard library only, like the driver, whose docstring says what is asked of these processes and what they answer.
"""

from __future__ import annotations

import atexit
import base64
import builtins
import contextlib
import ctypes
import errno
import io
import itertools
import json
import linecache
import operator
import os
import random
import signal
import socket
import struct
import sys
import threading
import tokenize
import types
from typing import TYPE_CHECKING, Any, NoReturn

from grader.sandbox import wire

with contextlib.suppress(ImportError):  # Windows has none, and no fork that would need it
    import resource

if TYPE_CHECKING:
    from collections.abc import Callable

STATUS = struct.Struct("!i")
"""How the loaded process tells the driver a fork's process id, and later its wait status."""

TIME_IS_UP: int = getattr(signal, "SIGUSR1", 0)  # Windows has none, and no fork to send it to
"""What the driver sends a process whose time is up, so that it can say where it was before it is killed."""

_MAX_TEXT = 2_000
"""Characters kept of an exception's message and of a source line."""
_MAX_FRAMES = 20
_MAX_ITERATION = 10_000
"""Items taken from an iterable; one with more, which may be endless, is no answer."""
_BUILTINS = frozenset({"len", "bool", "str", "repr"})
_OWN_MODULES = ("grader", "grader.sandbox", "grader.sandbox.wire", "grader.sandbox.driver", "grader.sandbox.runner")
_FULL = {
    errno.EMFILE: "descriptors",
    errno.ENFILE: "descriptors",
    errno.ENOSPC: "files",
    errno.EDQUOT: "files",
    errno.EFBIG: "files",
    errno.EAGAIN: "processes",
    errno.ENOMEM: "memory",
}
"""The limit behind an operating system's error."""


class _TimeIsUp(BaseException):
    """A limit of time was reached. Raised in the student's code, to learn where it was."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


def set_dumpable(whether: bool) -> None:  # noqa: FBT001  # it is all there is to say
    """Let processes of the same user look into this one, or not, where the system knows of it."""
    pr_set_dumpable = 4
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(pr_set_dumpable, int(whether), 0, 0, 0)


def become_student(limits: dict[str, int], keep: int, main: Callable[[], int]) -> NoReturn:
    """Turn this fork of the driver into a process of the student's, run `main` and leave with what it returns.

    Args:
        limits: As a load request has them.
        keep: The one descriptor that stays open, besides the standard streams.
        main: What to run.
    """
    code = 70
    try:
        os.setsid()
        set_dumpable(True)
        os.closerange(3, keep)
        os.closerange(keep + 1, 4096)
        _bound(limits)
        with contextlib.suppress(OSError):
            os.chdir(os.environ.get("TMPDIR", "/"))
        for name in _OWN_MODULES:
            sys.modules.pop(name, None)
        random.seed(0)  # an unseeded run would be another one each time
        code = main()
    finally:
        os._exit(code)


def _bound(limits: dict[str, int]) -> None:
    """Set the limits of this process; what bounds all of them together is up to the sandbox."""
    cpu, files = limits["cpu_seconds"], limits["files_mib"] << 20
    bounds = [
        (resource.RLIMIT_AS, limits["memory_mib"] << 20),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, files),
        (resource.RLIMIT_NOFILE, limits["descriptors"]),
    ]
    if processes := int(os.environ.pop("GRADER_PROCESSES", "0")):
        bounds.append((resource.RLIMIT_NPROC, processes))
    for limit, value in bounds:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(limit, (value, value))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, name in ((TIME_IS_UP, "wall"), (signal.SIGXCPU, "cpu")):
        signal.signal(number, lambda *_, name=name: _raise(_TimeIsUp(name)))
    with contextlib.suppress(OSError, ValueError):
        # The first is a signal that can be answered; who does not heed it is killed.
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 2))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "wb") as score:  # noqa: PTH123  # no pathlib here
        score.write(b"1000")  # when memory runs out, this process goes and not the driver


def _raise(error: BaseException) -> NoReturn:
    raise error


def _prepare(load: dict[str, Any], module: types.ModuleType) -> types.CodeType:
    """Compile the student's file and make `module` its module."""
    name = load["name"]
    source = base64.b64decode(load["source"])
    sys.argv = [name]
    sys.modules[module.__name__] = module
    module.__file__ = name
    text = _decode(source, name)
    linecache.cache[name] = (len(source), None, io.StringIO(text, newline=None).readlines(), name)
    return compile(text, name, "exec", dont_inherit=True)


def _decode(source: bytes, name: str) -> str:
    """Return a file's text: it is UTF-8, or in the encoding that its first lines declare.

    https://docs.python.org/3/reference/lexical_analysis.html#encoding-declarations

    Raises:
        SyntaxError: It is not, or it holds a null character, which no version of Python compiles.
    """
    at, problem, encoding, text = 0, "", "utf-8", ""
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(source).readline)[0]
    except SyntaxError as error:  # the first lines are not UTF-8, or declare what is no encoding
        problem = str(error)
    try:
        text = source.decode(encoding)
    except UnicodeDecodeError as error:
        at = error.start
        problem = f"not {encoding.removesuffix('-sig').upper()} (byte 0x{source[at]:02x})"
    except (LookupError, UnicodeError) as error:
        problem = str(error)
    if not problem and b"\0" in source:
        at, problem = source.index(b"\0"), "a null character (a file in UTF-16 is full of them: save it as UTF-8)"
    if problem:
        number = len((source[:at] + b"?").splitlines())
        line = (source.splitlines() or [b""])[number - 1].decode("utf-8", "replace")
        raise SyntaxError(problem, (name, number, None, line))
    return text


def load_module(load: dict[str, Any]) -> tuple[types.ModuleType, bytes]:
    """Run the student's file once; return its module, and a framed reply that says how it went."""
    sys.modules["__main__"] = types.ModuleType("__main__")
    module = types.ModuleType(load["name"].removesuffix(".py"))
    report: dict[str, object] = {"id": load["id"]}
    try:
        code = _prepare(load, module)
        if load["execute"]:
            exec(code, module.__dict__)  # noqa: S102  # this is what the sandbox is for
    except BaseException as error:  # noqa: BLE001  # whatever student code raises is an answer
        report["raised"] = describe(error, load["name"])
    return module, wire.frame(wire.STUDENT, report)


def load_main(load: dict[str, Any], control: socket.socket) -> int:
    """Be the loaded process: run the file once, say how it went, and fork for a check whenever the driver asks.

    Args:
        load: The load request.
        control: The driver's end sends one byte and the descriptor of a channel for each fork it wants; it gets the
            fork's process id and, when that has ended, its wait status.
    """
    os.dup2(os.open(os.devnull, os.O_RDWR), 2)
    module, report = load_module(load)
    control.sendall(report)
    while True:
        asked, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not asked:
            return 0
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass  # what the file left running, and the driver has killed, would still count as its processes
        drawn = random.getstate()
        pid = os.fork()
        if pid == 0:
            random.setstate(drawn)  # a fork would draw other numbers each time
            control.close()
            return _check_main(load["name"], module, socket.socket(fileno=descriptors[0]))
        os.close(descriptors[0])
        control.sendall(STATUS.pack(pid))
        control.sendall(STATUS.pack(os.waitpid(pid, 0)[1]))


def _check_main(name: str, module: types.ModuleType, channel: socket.socket) -> int:
    """Be the process of one check: carry out requests until the driver hangs up."""
    objects = Objects(name, module)
    received = wire.FrameBuffer(wire.MAX_REQUEST_BYTES)
    while data := channel.recv(1 << 16):
        received.feed(data)
        while taken := received.take():
            channel.sendall(objects.answer(json.loads(taken[1])))
    return 0


def _unreadable(why: str, operation: int) -> dict[str, object]:
    """The reply that stands for an answer that cannot be sent."""
    message = f"the answer cannot be read: {why}"
    return {"raised": {"type": "", "message": message, "frames": [], "limit": "", "op": operation}}


_ballast: list[object] = []


def _shuffle_addresses(variant: int) -> dict[str, object]:
    """Have what is made from now on lie elsewhere than in another variant: use up places, and free some of them."""
    places = random.Random(variant)  # noqa: S311  # repeatable on purpose
    _ballast.extend(bytearray(places.randrange(8, 500)) for _ in range(2_000 * variant))
    places.shuffle(_ballast)
    del _ballast[len(_ballast) // 2 :]
    return {}


class Objects:
    """What one check has made in the student's process; lasts as long as the check.

    Args:
        name: Name of the student's file.
        module: The module made of it.
    """

    def __init__(self, name: str, module: types.ModuleType) -> None:
        self._name = name
        self._module = module
        self._objects: dict[int, object] = {}
        self._found = 0

    def answer(self, request: dict[str, Any]) -> bytes:
        """Begin a check, or carry out what it asks for; return the framed reply."""
        reply = self.apply(request) if "ops" in request else _shuffle_addresses(request["variant"])
        framed = wire.frame(wire.STUDENT, {"id": request["id"], **reply})
        if len(framed) > wire.MAX_REPLY_BYTES:
            reply = _unreadable(f"it takes {len(framed)} bytes", len(request["ops"]))
            framed = wire.frame(wire.STUDENT, {"id": request["id"], **reply})
        return framed

    def apply(self, request: dict[str, Any]) -> dict[str, object]:
        """Carry out a request's operations and return the values it asks for, or what was raised."""
        index = 0
        try:
            for index, (name, result, *arguments) in enumerate(request["ops"]):  # noqa: B007  # told when one raises
                self._objects[result] = self._operate(name, [self._decode(argument) for argument in arguments])
            index = len(request["ops"])
            values = [wire.encode(self._objects[wanted], self._refer) for wanted in request["fetch"]]
        except wire.WireError as error:
            return _unreadable(str(error), index)
        except BaseException as error:  # noqa: BLE001  # whatever student code raises is an answer
            return {"raised": {**describe(error, self._name), "op": index}}
        return {"values": values}

    def _decode(self, argument: object) -> object:
        return wire.decode(argument, lambda reference: self._objects[reference["r"]])  # type: ignore[index]  # an int

    def _refer(self, value: object) -> object:
        self._found -= 1
        self._objects[self._found] = value
        return {"r": self._found, "o": _type_name(value)}

    def _operate(self, name: str, arguments: list[Any]) -> object:
        match name:
            case "global":
                try:
                    return self._module.__dict__[arguments[0]]
                except KeyError:
                    raise NameError(f"{self._name} defines no name {arguments[0]!r}") from None
            case "get":
                return getattr(arguments[0], arguments[1])
            case "set":
                setattr(*arguments)
                return None
            case "call":
                return arguments[0](*arguments[1], **arguments[2])
            case "list":
                items = list(itertools.islice(arguments[0], _MAX_ITERATION + 1))
                if len(items) > _MAX_ITERATION:
                    raise wire.WireError(f"it has more than {_MAX_ITERATION} items")
                return items
            case "isinstance":
                return isinstance(*arguments)
            case _ if name in _BUILTINS:
                return getattr(builtins, name)(*arguments)
            case _:
                return getattr(operator, name)(*arguments)


def program_main(load: dict[str, Any], args: list[str], report: int) -> int:
    """Run the student's file as `python FILE ARGS` would, and return the exit status.

    Args:
        load: The load request.
        args: The program's arguments.
        report: A descriptor; `{}`, or what was raised, is written to it as JSON.
    """
    for descriptor, (stream, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        opened = open(descriptor, mode, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115  # lasts
        setattr(sys, stream, opened)
        setattr(sys, f"__{stream}__", opened)
    module = types.ModuleType("__main__")
    found: dict[str, object] = {}
    status = 0
    try:
        code = _prepare(load, module)
        sys.argv = [load["name"], *args]
        exec(code, module.__dict__)  # noqa: S102  # this is what the sandbox is for
    except SystemExit as leaving:
        status = _exit_status(leaving)
    except BaseException as error:  # noqa: BLE001  # whatever student code raises is an answer
        found["raised"] = describe(error, load["name"])
        status = 1
    with contextlib.suppress(OSError):  # it may have closed all descriptors, like a daemon
        os.write(report, json.dumps(found).encode("ascii"))
    # What an interpreter does before it leaves: threads are waited for, exit handlers run, buffers are written.
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001  # there is no public name for it
    atexit._run_exitfuncs()  # noqa: SLF001  # there is no public name for it
    for name in ("stdout", "stderr", "__stdout__", "__stderr__"):
        with contextlib.suppress(Exception):
            getattr(sys, name).flush()
    return status


def _exit_status(leaving: SystemExit) -> int:
    """The exit status that an interpreter makes of `sys.exit`'s argument."""
    if leaving.code is None:
        return 0
    if isinstance(leaving.code, int):
        return leaving.code & 0xFF
    with contextlib.suppress(Exception):
        sys.stderr.write(f"{leaving.code}\n")
    return 1


def describe(error: BaseException, name: str) -> dict[str, object]:
    """Return an exception as plain values: type, message, its frames in the student's file, and the limit behind it.

    Args:
        error: What student code raised.
        name: Name of the student's file.
    """
    traceback = error.__traceback__  # before its text is asked for, which may raise it again
    message = ""
    with contextlib.suppress(BaseException):
        message = str(error)
    frames: list[list[object]] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == name:
            text = linecache.getline(name, traceback.tb_lineno).strip()
            frames.append([traceback.tb_lineno, code.co_name[:_MAX_TEXT], text[:_MAX_TEXT]])
            if len(frames) > _MAX_FRAMES:
                del frames[_MAX_FRAMES // 2]
        traceback = traceback.tb_next
    if isinstance(error, SyntaxError) and error.filename == name and isinstance(error.lineno, int):
        message = error.msg
        text = error.text if type(error.text) is str else linecache.getline(name, error.lineno)
        frames = [[error.lineno, "", text.strip()[:_MAX_TEXT]]]
    return {
        "type": _type_name(error),
        "message": message[:_MAX_TEXT] if type(message) is str else "",
        "frames": frames,
        "limit": _limit_behind(error),
    }


def _limit_behind(error: BaseException) -> str:
    """Name the limit that an exception is about, if it is about one."""
    if isinstance(error, _TimeIsUp):
        return error.limit
    if isinstance(error, MemoryError):
        return "memory"
    if type(error) is RuntimeError and error.args == ("can't start new thread",):
        return "processes"
    return _FULL.get(error.errno or 0, "") if isinstance(error, OSError) else ""


def _type_name(value: object) -> str:
    name = type.__dict__["__name__"].__get__(type(value))  # past a metaclass that lies
    return str(name)[:100]
