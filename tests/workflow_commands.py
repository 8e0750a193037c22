"""Reads what a step prints as the runner of GitHub Actions does: which of its lines are commands, and what they say.

Written after the runner's `ActionCommand.cs` (https://github.com/actions/runner), not after what writes commands here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

KNOWN = {"debug", "notice", "warning", "error", "group", "endgroup", "add-mask", "set-output", "set-env", "add-path"}
KNOWN |= {"save-state", "stop-commands", "echo", "add-matcher", "remove-matcher", "internal-set-repo-path"}


@dataclass(frozen=True, slots=True)
class WorkflowCommand:
    """One command; lasts as long as its test."""

    name: str
    message: str
    properties: dict[str, str] = field(default_factory=dict)


def workflow_commands(log: str) -> list[WorkflowCommand]:
    """All commands of a log, in order."""
    return [command for line in log.split("\n") if (command := _new_form(line) or _old_form(line))]


def _new_form(line: str) -> WorkflowCommand | None:
    """`::name key=value,key=value::message`, with nothing but space before it."""
    head, colons, message = line.lstrip().removeprefix("::").partition("::")
    name, _, pairs = head.partition(" ")
    if not (line.lstrip().startswith("::") and colons and name.lower() in KNOWN):
        return None
    parts = [pair.partition("=") for pair in pairs.strip().split(",") if "=" in pair]
    properties = {key: _unescaped(value, "\r\n:,%") for key, _, value in parts}
    return WorkflowCommand(name, _unescaped(message, "\r\n%"), properties)


def _old_form(line: str) -> WorkflowCommand | None:
    """`##[name key=value;key=value]message`, wherever it stands."""
    _, start, rest = line.partition("##[")
    head, end, message = rest.partition("]")
    name = head.partition(" ")[0]
    if not (start and end and name.lower() in KNOWN):
        return None
    return WorkflowCommand(name, _unescaped(message, ";\r\n]%"))


def _unescaped(text: str, characters: str) -> str:
    for character in characters:  # the percent sign last, or `%250A` would become a line feed
        text = text.replace(f"%{ord(character):02X}", character)
    return text
