"""What student code raised, as plain values: for the host to read, which believes none of it. Standard library only."""

from __future__ import annotations

import contextlib
import errno
import linecache

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeGuard

MAX_TEXT = 2_000
"""Characters kept of an exception's message and of a source line."""
_MAX_FRAMES = 20
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


class TimeIsUp(BaseException):
    """A limit of time was reached. Raised in the student's code, to learn where it was."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


def describe(error: BaseException, places: Mapping[str, int]) -> dict[str, object]:
    """Return an exception as plain values: type, message, its frames in the student's files, and the limit behind it.

    Args:
        error: What student code raised.
        places: What each of the student's files is called where it is compiled, and its number.
    """
    traceback = error.__traceback__  # before its text is asked for, which may raise it again
    message = ""
    with contextlib.suppress(BaseException):
        message = str(error)
    frames: list[list[object]] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename in places:
            text = linecache.getline(code.co_filename, traceback.tb_lineno).strip()
            frame = [places[code.co_filename], traceback.tb_lineno, code.co_name[:MAX_TEXT], text[:MAX_TEXT]]
            _add(frame, frames)
        traceback = traceback.tb_next
    if isinstance(error, SyntaxError) and isinstance(error.lineno, int) and _is_one_of(error.filename, places):
        message = error.msg
        text = error.text if type(error.text) is str else linecache.getline(error.filename, error.lineno)
        frames = [[places[error.filename], error.lineno, "", text.strip()[:MAX_TEXT], 1]]
    return {
        "type": type_name(error),
        "message": message[:MAX_TEXT] if type(message) is str else "",
        "frames": frames,
        "limit": limit_behind(error),
    }


def _is_one_of(name: str | None, places: Mapping[str, int]) -> TypeGuard[str]:
    return isinstance(name, str) and name in places


def _add(frame: list[object], frames: list[list[object]]) -> None:
    """Add a frame to a list of some; one that repeats the last is counted, and of very many those in the middle go."""
    if frames and frames[-1][:-1] == frame:
        frames[-1][-1] += 1  # type: ignore[operator]  # an int
        return
    frames.append([*frame, 1])
    if len(frames) > _MAX_FRAMES:
        del frames[_MAX_FRAMES // 2]


def limit_behind(error: BaseException) -> str:
    """Name the limit that an exception is about, if it is about one."""
    if isinstance(error, TimeIsUp):
        return error.limit
    if isinstance(error, MemoryError):
        return "memory"
    if type(error) is RuntimeError and error.args == ("can't start new thread",):
        return "processes"
    return _FULL.get(error.errno or 0, "") if isinstance(error, OSError) else ""


def type_name(value: object) -> str:
    """Return the name of a value's type."""
    name = type.__dict__["__name__"].__get__(type(value))  # past a metaclass that lies
    return str(name)[:100]
