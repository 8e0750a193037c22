"""Sentences about what happened to a submission besides its checks, made of what its own process says of it.

None of that is believed. A forged note is a lie about the student's own file, told to the student.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeGuard

MOST = 20
"""How many sentences a report has room for."""
_MOST_SHOWN = 5
_MAX_TEXT = 300
_MAX_NAME = 50


def read_notes(told: Mapping[str, object], places: Sequence[str]) -> list[str]:
    """Read what a process notes of how the file was run.

    Args:
        told: What it says; `notes` and `absent` of that are read, as in the docstring of `driver`.
        places: What the parts of the submission are called.

    Returns:
        A sentence for each note that can be read, in order.
    """
    notes = [
        _sentence(places[note[0]], note[1], note[2], _one_line(note[3]))
        for note in _items(told.get("notes"))
        if isinstance(note, list) and list(map(type, note)) == [int, int, str, str] and note[0] in range(len(places))
    ]
    absent = [
        f"{name} is not installed where your code is graded; what you ask of it does nothing here."
        for name in _items(told.get("absent"))
        if _is_name(name)
    ]
    return [*filter(None, notes), *absent]


def merge_notes(notes: Sequence[str], more: Iterable[str]) -> list[str]:
    """Return some notes and more, each once, and no more than there is room for."""
    merged = list(dict.fromkeys([*notes, *more]))
    return merged if len(merged) <= MOST else [*merged[: MOST - 1], _MORE]


_MORE = "There is more of this kind, which is not shown."


def _sentence(place: str, line: int, kind: str, text: str) -> str:
    """Say what a note is about; nothing if it is of no known kind."""
    match kind:
        case "failed":
            return f"{place}, line {line} raised {text} and was passed over."
        case "syntax":
            return f"{place} was passed over, because line {line} is not Python: {text}."
        case "skipped":
            return f"{place} was passed over, because it is for %%{text}."
        case "ignored" if line == 1:
            return f"{place}: 1 magic or shell line was ignored."
        case "ignored":
            return f"{place}: {line} magic or shell lines were ignored."
    return ""


def describe_missing(file: str, names: Mapping[str, Sequence[str]], told: Mapping[str, object]) -> str:
    """Say what classes a file lacks, and which it has in their place.

    Args:
        file: The file's name.
        names: What the exercise asks for: classes, and the attributes of each.
        told: What a survey found; `missing` and `classes` of that are read, as in the docstring of `driver`.

    Returns:
        One sentence, such as "value.py defines `Scalar` with `v`; the exercise asks for `Value` with `data`."; empty
        where nothing is missing.
    """
    missing = {name: lacks for name, lacks in _pairs(told.get("missing")).items() if name in names}
    if not missing:
        return ""
    classes = _pairs(told.get("classes"))
    shown: dict[str, str] = {}
    asked = []
    for name, lacks in missing.items():
        closest = max(classes, key=lambda each: _likeness(each, classes[each], name, names[name]), default=None)
        if closest is None:
            asked.append(f"`{name}`")
            continue
        shown[closest] = _with(closest, classes[closest][:_MOST_SHOWN])
        there = [] if name == closest else classes[closest]
        asked.append(_with(name, [each for each in names[name] if each in lacks and each not in there]))
    defined = ", and ".join(shown.values()) or "no class"
    return f"{file} defines {defined}; the exercise asks for {', and for '.join(asked)}."


def _likeness(name: str, members: Sequence[str], wanted: str, attributes: Sequence[str]) -> tuple[bool, int, float]:
    """How close a class comes to one that is asked for."""
    likeness = difflib.SequenceMatcher(None, name.casefold(), wanted.casefold()).ratio()
    return name == wanted, len({*members} & {*attributes}), likeness


def _with(name: str, attributes: Sequence[str]) -> str:
    return f"`{name}`" + (f" with {_listed([f'`{each}`' for each in attributes])}" if attributes else "")


def _listed(items: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def _pairs(told: object) -> dict[str, list[str]]:
    """Read a list of pairs, each a name and a list of names."""
    pairs = [each for each in _items(told) if isinstance(each, list) and len(each) == 2]  # noqa: PLR2004  # a pair
    return {name: [each for each in _items(names) if _is_name(each)] for name, names in pairs if _is_name(name)}


def _items(told: object) -> list[object]:
    return told[: 3 * MOST] if isinstance(told, list) else []


def _is_name(told: object) -> TypeGuard[str]:
    return isinstance(told, str) and len(told) <= _MAX_NAME and told.isidentifier()


def _one_line(text: str) -> str:
    return " ".join(text[:_MAX_TEXT].split())
