"""What a driver says itself, with processes that fork or without. Standard library only."""

from __future__ import annotations

import importlib.util

RAISED = b'"raised":'
"""What stands in a student's process's report that its file raised something, and in no other that is honest."""


class Gone(Exception):  # noqa: N818  # a state of a process, not an error
    """A process does not answer any more; holds the reply that says so."""

    def __init__(self, reply: dict[str, object]) -> None:
        super().__init__(reply)
        self.reply = reply


def how_it_ended(code: int) -> dict[str, object]:
    """Return what is told of a process's end, by its exit code: a negative one is the number of a signal."""
    return {"exit": code} if code >= 0 else {"signal": -code}


def lacking(modules: list[str]) -> list[str]:
    """Return those of some modules that this interpreter does not have."""
    return [name for name in modules if importlib.util.find_spec(name) is None]
