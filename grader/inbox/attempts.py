"""Attempts: what somebody handed in at one time, whichever platform it came from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grader.intake import Entry, File, Folder, Ignored, written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from grader.roster import Person

_LITTER = {"__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini", "node_modules", "site-packages", "venv"}
"""What systems and tools leave behind, besides names that start with a dot."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody handed in at one time, still unread; lasts as long as what holds it is open.

    Attributes:
        people: Who handed it in: one student, or the members of a group.
        contents: What it consists of.
        order: Attempts of the same people came one after the other as these do.
        time: When it was handed in, if that is known; without an offset, in the time of the platform.
        late: Whether the platform says that it was late; None where it says nothing.
    """

    people: tuple[Person, ...]
    contents: Folder
    order: str = ""
    time: datetime | None = None
    late: bool | None = None


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


def litter(name: str) -> Ignored:
    """What is said of it: the name alone, for it lies everywhere, and says nothing of anybody."""
    return Ignored(written(name), "was left by a system or a tool")


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
