"""What every screen of the terminal is made with: text of a given width, and nothing that the environment decides."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

NARROWEST = 40
"""The least width, in columns, that is kept to."""


def render(parts: Iterable[RenderableType], width: int, *, colour: bool) -> str:
    """Writes the parts of a screen one below the other."""
    stream = io.StringIO()
    # All of these are given, the height too, since rich asks the environment for whatever is not.
    console = Console(
        file=stream,
        width=max(width, NARROWEST),
        height=25,
        color_system="standard" if colour else None,
        no_color=not colour,
        force_terminal=colour,
        force_interactive=False,
        force_jupyter=False,
        legacy_windows=False,
    )
    for part in parts:
        console.print(part)
    return "\n".join(line.rstrip() for line in stream.getvalue().split("\n"))


def table_of(*columns: Column, padding: int) -> Table:
    """Makes a table without a frame."""
    # The padding of outer columns with a fixed width differs between versions of rich.
    return Table(*columns, box=box.SIMPLE_HEAD, padding=(0, padding), show_edge=False, pad_edge=False, header_style="")


def folded(text: str, style: str = "") -> Text:
    """Makes text that is folded, not cut, where a word is too long for its line."""
    return Text(text, style, overflow="fold")
