"""The documentation says what the program does."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from grader.cli import cli
from grader.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parents[1] / "docs"


def commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    """Every command below a group that does something itself, with what is typed to call it."""
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


COMMANDS = dict(commands(cli, "grader"))


@pytest.mark.parametrize("called", COMMANDS)
def test_commands(called: str) -> None:
    """Each command has a section, which names each of its options and each choice that an option leaves."""
    chapters = re.split(r"^## ", (DOCS / "cli.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    section = next((chapter for chapter in chapters if re.match(rf"`{called}[` ]", chapter)), "")
    options = [option for option in COMMANDS[called].params if isinstance(option, click.Option)]
    names = {name for option in options for name in option.opts}
    names |= {choice for option in options if isinstance(option.type, click.Choice) for choice in option.type.choices}

    assert section
    assert set() == {name for name in names if name not in section}


def test_commands_that_are_gone() -> None:
    """No section is about a command that does not exist."""
    sections = re.findall(r"^## `(grader[a-z ]*[a-z])", (DOCS / "cli.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(COMMANDS) == sorted(sections)


def test_limits() -> None:
    """The table of limits has each one, with its default."""
    rows = re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", (DOCS / "authors.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert dataclasses.asdict(Limits()) == {name: float(value) for name, value in rows}
