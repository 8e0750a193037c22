r"""Files and folders as they were handed in: looked at and read up to a bound; nothing is followed, run or written.

What lies on this machine is read here, what lies in an archive in `inbox.archives`: both become a `Folder` of
`File`s. A name is kept as the system has it, and shown as text: bytes of it that are not UTF-8 become `\xff`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NoReturn, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

LINK = "a symbolic link"

_KINDS = {
    stat.S_IFLNK: LINK,
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
}


class ProblemError(Exception):
    """Why something that was handed in cannot be read, through a fault of its own; to be read after its name."""


@dataclass(frozen=True, slots=True, order=True)
class Ignored:
    """Something among what was handed in that nothing is done with.

    Attributes:
        path: Where it lies in what was handed in.
        reason: Why it is ignored, to be read after the path.
    """

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class File:
    """What was handed in under a name, which may turn out to be no regular file; lasts as long as what holds it.

    Attributes:
        name: Its name, as the student had it.
        path: Where it lies in what was handed in, as text.
        reader: Returns its first bytes, as many as asked for.
        odd: What it is, where it is no regular file: `a symbolic link`.
    """

    name: str
    path: str
    reader: Callable[[int], bytes]
    odd: str = ""

    def read(self, most_bytes: int) -> bytes:
        """Reads it as a whole.

        Raises:
            ProblemError: It is no regular file, has more than these bytes, or is damaged.
            OSError: This machine refuses to read it.
        """
        if self.odd:
            raise ProblemError(f"is {self.odd}, not a regular file")
        data = self.reader(most_bytes + 1)
        if len(data) > most_bytes:
            raise ProblemError(f"is larger than {most_bytes >> 20} MiB")
        return data


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that was handed in, or was made of what was; lasts as long as what holds it.

    Attributes:
        name: Its name; what it was handed in as has none.
        path: Where it lies in what was handed in, as text.
        lister: Returns what it holds, by name in order.
    """

    name: str
    path: str
    lister: Callable[[], Mapping[str, Entry]]

    def inside(self) -> Mapping[str, Entry]:
        """Looks into it.

        Raises:
            OSError: This machine refuses to.
        """
        return self.lister()


Entry: TypeAlias = File | Folder


def written(name: str) -> str:
    r"""A name as text that can be written anywhere: bytes of it that are not UTF-8 become `\xff`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def below(path: str, name: str) -> str:
    """The path, as text, of what lies under a name in the folder of a path."""
    return f"{path}/{written(name)}" if path else written(name)


def folder_on_disk(folder: Path, path: str = "") -> Folder:
    """A folder of this machine, which may be a link only if it is the one that was named, which has no path."""
    return _folder(folder.name, path, os.fspath(folder))


def file_on_disk(file: Path, path: str, odd: str = "") -> File:
    """A file of this machine. To open a device or a pipe can have effects, or last: neither is opened."""
    return File(file.name, path, partial(_first_bytes, os.fspath(file)), odd)


# A class is thousands of folders: what each of them holds is small, and no `Path` is made, which keeps names for ever.


def _folder(name: str, path: str, place: str) -> Folder:
    return Folder(name, path, partial(_inside, path, place))


def _inside(path: str, place: str) -> Mapping[str, Entry]:
    if path and stat.S_ISLNK(_mode(place)):
        refuse_link()
    with os.scandir(place) as entries:
        return dict(sorted((entry.name, _entry(entry, below(path, entry.name))) for entry in entries))


def _entry(entry: os.DirEntry[str], path: str) -> Entry:
    if entry.is_dir(follow_symlinks=False):
        return _folder(entry.name, path, entry.path)
    odd = ""
    if not entry.is_file(follow_symlinks=False):
        with contextlib.suppress(OSError):  # it has just gone
            odd = kind(entry.stat(follow_symlinks=False).st_mode)
    return File(entry.name, path, partial(_first_bytes, entry.path), odd)


def _mode(place: str) -> int:
    return os.lstat(place).st_mode


def _first_bytes(place: str, most_bytes: int) -> bytes:
    _refuse_odd(_mode(place))
    follow_nothing = sum(getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK"))  # Windows has neither
    descriptor = os.open(place, os.O_RDONLY | follow_nothing)
    with os.fdopen(descriptor, "rb") as opened:
        _refuse_odd(os.fstat(descriptor).st_mode)  # what was looked at need not be what was opened
        return opened.read(most_bytes)


def refuse_link() -> NoReturn:
    """Says that a link is not followed to the folder that it may lead to, as this machine would."""
    raise OSError(errno.ELOOP, "it is a symbolic link, and none is followed")


def kind(mode: int) -> str:
    """What a file is, by its mode; empty for a regular one."""
    return "" if stat.S_ISREG(mode) else _KINDS.get(stat.S_IFMT(mode), "a device")


def _refuse_odd(mode: int) -> None:
    if odd := kind(mode):
        raise ProblemError(f"is {odd}, not a regular file")
