"""What runs in the student's processes: forks of the driver, in which nothing is trusted once student code has run.

Standard library only, like the driver, whose docstring says what is asked of these processes and what they answer.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import os
import random
import signal
import socket
import struct
import sys
import threading
import types

from grader.sandbox import wire
from grader.sandbox.execution import Execution
from grader.sandbox.objects import Objects
from grader.sandbox.raised import TimeIsUp, describe

with contextlib.suppress(ImportError):  # Windows has none, and no fork that would need it
    import resource

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

STATUS = struct.Struct("!i")
"""How the loaded process tells the driver a fork's process id, and later its wait status."""

TIME_IS_UP: int = getattr(signal, "SIGUSR1", 0)  # Windows has none, and no fork to send it to
"""What the driver sends a process whose time is up, so that it can say where it was before it is killed."""


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
        if user := int(os.environ.pop("GRADER_USER", "0")):
            os.setresuid(user, user, user)
        set_dumpable(True)
        os.closerange(3, keep)
        os.closerange(keep + 1, 4096)
        _bound(limits)
        with contextlib.suppress(OSError):
            os.chdir(os.environ.get("TMPDIR", "/"))
        for name in [name for name in sys.modules if name.partition(".")[0] == "grader"]:
            del sys.modules[name]
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
        signal.signal(number, lambda *_, name=name: _raise(TimeIsUp(name)))
    with contextlib.suppress(OSError, ValueError):
        # The first is a signal that can be answered; who does not heed it is killed.
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 2))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "wb") as score:  # noqa: PTH123  # no pathlib here
        score.write(b"1000")  # when memory runs out, this process goes and not the driver


def _raise(error: BaseException) -> NoReturn:
    raise error


def load_module(execution: Execution, load: dict[str, Any]) -> bytes:
    """Run the student's file once; return a framed reply that says how it went."""
    sys.modules["__main__"] = types.ModuleType("__main__")
    report: dict[str, object] = {"id": load["id"]}
    try:
        execution.run(execute=load["execute"])
    except BaseException as error:  # noqa: BLE001  # whatever student code raises is an answer
        report["raised"] = describe(error, execution.source.places)
    return wire.frame(wire.STUDENT, report | execution.told())


def load_main(load: dict[str, Any], control: socket.socket) -> int:
    """Be the loaded process: run the file once, say how it went, and fork for a check whenever the driver asks.

    Args:
        load: The load request.
        control: The driver's end sends one byte and the descriptor of a channel for each fork it wants; it gets the
            fork's process id and, when that has ended, its wait status.
    """
    os.dup2(os.open(os.devnull, os.O_RDWR), 2)
    execution = Execution(load, load["module"])
    control.sendall(load_module(execution, load))
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
            return _check_main(execution, socket.socket(fileno=descriptors[0]))
        os.close(descriptors[0])
        control.sendall(STATUS.pack(pid))
        control.sendall(STATUS.pack(os.waitpid(pid, 0)[1]))


def _check_main(execution: Execution, channel: socket.socket) -> int:
    """Be the process of one check: carry out requests until the driver hangs up."""
    objects = Objects(execution)
    received = wire.FrameBuffer(wire.MAX_REQUEST_BYTES)
    while data := channel.recv(1 << 16):
        received.feed(data)
        while taken := received.take():
            channel.sendall(objects.answer(json.loads(taken[1])))
    return 0


def program_main(load: dict[str, Any], args: list[str], report: int) -> int:
    """Run the student's file as `python FILE ARGS` would, and return the exit status.

    Args:
        load: The load request.
        args: The program's arguments.
        report: A descriptor; what there is to tell of how it went is written to it as JSON.
    """
    for descriptor, (stream, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        opened = open(descriptor, mode, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115  # lasts
        setattr(sys, stream, opened)
        setattr(sys, f"__{stream}__", opened)
    execution = Execution(load, "__main__")
    found: dict[str, object] = {}
    status = 0
    try:
        execution.run(args)
    except SystemExit as leaving:
        status = _exit_status(leaving)
    except BaseException as error:  # noqa: BLE001  # whatever student code raises is an answer
        found["raised"] = describe(error, execution.source.places)
        status = 1
    with contextlib.suppress(OSError):  # it may have closed all descriptors, like a daemon
        os.write(report, json.dumps(found | execution.told()).encode("ascii"))
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
