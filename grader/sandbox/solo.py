"""A student's process that was started afresh, for one check or one program run. Standard library only.

    python -m grader.sandbox.solo           a check: requests and replies go by standard input and output
    python -m grader.sandbox.solo FOLDER    a run: FOLDER/request says of what, FOLDER/report what was raised

`spawn` starts it where a process cannot fork. The first request of a check is to load the file; those that follow are
what the driver asks of its forks. Nothing here needs more than Windows has: this process bounds itself, by a thread
that ends it when its time is up. Nothing else of it is bounded.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import sys
import threading
import types
from typing import TYPE_CHECKING, Any

from grader.sandbox import wire
from grader.sandbox.execution import Execution
from grader.sandbox.objects import Objects
from grader.sandbox.raised import describe
from grader.sandbox.runner import load_module, program_main
from grader.sandbox.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


def main(arguments: list[str]) -> int:
    """Be a check's process or a run's, and return the exit status."""
    home = os.environ.pop("PYTHONPATH", "")
    sys.path[:] = [place for place in sys.path if place != home]
    for name in [name for name in sys.modules if name.partition(".")[0] == "grader"]:
        del sys.modules[name]
    random.seed(0)  # an unseeded run would be another one each time
    return _run(arguments[0]) if arguments else _check()


def _check() -> int:
    # A file object is what puts a descriptor into binary mode on Windows.
    with open(os.dup(0), "rb", buffering=0) as requests, open(os.dup(1), "wb") as replies:  # noqa: PTH123  # no paths
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        execution: Execution | None = None
        objects: Objects | None = None
        received = wire.FrameBuffer(wire.MAX_REQUEST_BYTES)
        while data := requests.read(1 << 16):
            received.feed(data)
            while taken := received.take():
                request = json.loads(taken[1])
                execution = execution or Execution(request, request["module"])

                def tell(raised: dict[str, object], nonce: str = request["id"]) -> None:
                    replies.write(wire.frame(wire.STUDENT, {"id": nonce, "raised": raised}))
                    replies.flush()

                with _at_most(request["wall_ms"], execution.source.places, tell):
                    if objects is None:
                        reply = load_module(execution, request)
                        objects = Objects(execution)
                    else:
                        reply = objects.answer(request)
                replies.write(reply)
                replies.flush()
    return 0


def _run(folder: str) -> int:
    with open(os.path.join(folder, "request"), "rb") as file:  # noqa: PTH118, PTH123  # pathlib is one more import
        request: dict[str, Any] = json.load(file)
    path = os.path.join(folder, "report")  # noqa: PTH118  # the same

    def tell(raised: dict[str, object]) -> None:
        with open(path, "w", encoding="ascii") as report:  # noqa: PTH123  # the same
            json.dump({"raised": raised}, report)

    report = os.open(path, os.O_WRONLY | os.O_CREAT)
    with _at_most(request["wall_ms"], Source(request["load"]).places, tell):
        return program_main(request["load"], request["args"], report)


@contextlib.contextmanager
def _at_most(milliseconds: int, places: Mapping[str, int], tell: Callable[[dict[str, object]], None]) -> Iterator[None]:
    """Bound what the main thread does meanwhile; when its time is up, tell where it was, and end the process.

    Args:
        milliseconds: How long it may take.
        places: The names of the student's files, and their numbers.
        tell: Is given an exception, as `describe` makes it, that was raised nowhere but would have come from there.
    """
    turn = threading.Lock()  # who takes it replies, and keeps it
    student = threading.get_ident()

    def ring() -> None:
        if turn.acquire(blocking=False):
            try:
                traceback = _traceback(sys._current_frames()[student])  # noqa: SLF001  # there is no public name for it
                tell(describe(TimeoutError().with_traceback(traceback), places) | {"limit": "wall"})
            finally:
                os._exit(1)

    timer = threading.Timer(milliseconds / 1000, ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        turn.acquire()
        timer.cancel()


def _traceback(frame: types.FrameType | None) -> types.TracebackType | None:
    """The traceback of an exception that had been raised in `frame`."""
    found = None
    while frame is not None:
        found = types.TracebackType(found, frame, frame.f_lasti, frame.f_lineno)
        frame = frame.f_back
    return found


if __name__ == "__main__":
    code = 70
    try:
        code = main(sys.argv[1:])
    finally:
        os._exit(code)
