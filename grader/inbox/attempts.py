"""Attempts: what somebody handed in at one time, whichever platform it came from."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grader.intake import Entry, File, Folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from grader.intake import Ignored
    from grader.roster import Person

_LITTER = {"__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini", "node_modules", "site-packages", "venv"}
"""What systems and tools leave behind, besides names that start with a dot."""

_HUNG_ON = re.compile(r"(.+\.(?:py|ipynb))\.(?:txt|json)", re.IGNORECASE | re.DOTALL)
"""What Windows and browsers make of the name of a file that is text to them."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody handed in at one time, still unread; lasts as long as what holds it is open.

    Attributes:
        people: Who handed it in: one student, or the members of a group.
        contents: What it consists of.
        order: Attempts of the same people came one after the other as these do.
        time: When it was handed in, if that is known; without an offset, in the time of the platform.
        late: Whether the platform says that it was late; None where it says nothing.
        doubt: Why it may be somebody else's, to be read after the path of what is in it; empty where nothing says so.
    """

    people: tuple[Person, ...]
    contents: Folder
    order: str = ""
    time: datetime | None = None
    late: bool | None = None
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A folder as read in one layout.

    Attributes:
        attempts: What was handed in.
        fitting: How many entries of the folder are as the layout has them.
        misfits: How many are not.
        ignored: Those that belong to nobody.
    """

    attempts: Sequence[Attempt]
    fitting: int
    misfits: int = 0
    ignored: Sequence[Ignored] = ()


def is_litter(name: str) -> bool:
    """Whether something was left by a system or a tool."""
    return name.startswith(".") or name in _LITTER


def code_name(name: str) -> str:
    """The name of a Python file or notebook without what a system hung on it, such as in `value.py.txt`."""
    match = _HUNG_ON.fullmatch(name)
    return match[1] if match else name


def together(entries: Mapping[str, Entry], path: str = "") -> Folder:
    """A folder made of what was handed in side by side, by the names that the student gave it."""
    inside = {name: replace(entry, name=name) for name, entry in sorted(entries.items())}
    return Folder("", path, lambda: inside)


def split(folder: Folder) -> tuple[dict[str, Folder], dict[str, File]]:
    """What a folder holds, by name: folders, and files of whatever kind.

    Raises:
        OSError: This machine refuses to look into it.
    """
    inside = folder.inside()
    folders = {name: entry for name, entry in inside.items() if isinstance(entry, Folder)}
    return folders, {name: entry for name, entry in inside.items() if isinstance(entry, File)}
