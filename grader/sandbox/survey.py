"""What classes a module has, and what their instances have, looked at before any check. Standard library only."""

from __future__ import annotations

import contextlib

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from types import ModuleType

_MAX_CLASSES = 8
_MAX_MEMBERS = 12
_MAX_NAME = 50


def survey(module: ModuleType, names: Mapping[str, Sequence[str]], homes: Collection[str]) -> dict[str, object]:
    """Look for classes, and for attributes that an instance made of 1.0 has, at the latest when it has been used.

    Args:
        module: The student's module.
        names: The classes to look for, and the attributes of each.
        homes: The modules whose classes are the student's.

    Returns:
        `missing`, the classes that are not there or lack something, each with what it lacks; and if there are any,
        `classes`, those that are there, each with its public members.

    Raises:
        BaseException: The student's code raises something where nobody can tell whether that is a mistake.
    """
    missing = []
    for name, attributes in names.items():
        if name not in module.__dict__:
            missing.append([name, [*attributes]])
        elif attributes and (lacking := _lacking(module.__dict__[name], attributes)):
            missing.append([name, lacking])
    if not missing:
        return {"missing": []}
    found = {
        name: value
        for name, value in module.__dict__.items()
        if issubclass(type(value), type) and value.__module__ in homes and not issubclass(value, BaseException)
    }
    return {
        "missing": missing,
        "classes": [[name[:_MAX_NAME], _members(found[name], names)] for name in [*found][:_MAX_CLASSES]],
    }


def _lacking(make: object, attributes: Sequence[str]) -> list[str]:
    """The attributes that an instance never has."""
    instance = make(1.0)  # type: ignore[operator]  # or it raises
    lacking = [name for name in attributes if not hasattr(instance, name)]
    if lacking and hasattr(instance, "backward"):
        both = instance + instance  # one that passes something back may only then have what it keeps that in
        both.backward()
        lacking = [name for name in lacking if not hasattr(instance, name) and not hasattr(both, name)]
    return lacking


def _members(found: type, names: Mapping[str, Sequence[str]]) -> list[str]:
    """The public attributes of a class's instances, then of the class itself, with those first that are looked for."""
    attributes: list[str] = []
    with contextlib.suppress(Exception):
        attributes += vars(found(1.0))
    wanted = {attribute for attributes in names.values() for attribute in attributes}
    methods = sorted(vars(found), key=lambda name: name not in wanted)
    members = [name[:_MAX_NAME] for name in dict.fromkeys([*attributes, *methods]) if not name.startswith("_")]
    return members[:_MAX_MEMBERS]
