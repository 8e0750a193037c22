"""What a student reads of an exercise, set for a terminal; apart from other screens, since it takes long to import."""

from __future__ import annotations

from rich.markdown import Markdown

from grader.reports.terminal import render
from grader.reports.text import visible

_WIDEST = 100
"""The widest, in columns, that running text is easy to read."""


def prompt_screen(prompt: str, *, width: int = 80, colour: bool = False) -> str:
    """Shows a prompt, which is Markdown."""
    text = Markdown(visible(prompt, limit=len(prompt) * 10 + 100), code_theme="ansi_dark")
    return render([text], min(width, _WIDEST), colour=colour)
