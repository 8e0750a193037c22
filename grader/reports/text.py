"""Making text that somebody else wrote safe to show, whatever the format."""

from __future__ import annotations

import re

LIMIT = 10_000
"""How long a shown text may be unless asked otherwise, in characters: a long traceback, but no flood."""

SHORTEST_LIMIT = 80
"""The least `limit` that leaves room for the remark that a text was shortened."""

_COMMAND = re.compile(r"::(?=[A-Za-z])|##(?=\w*\[)")
"""How a line of a log becomes a command to the CI system that reads it: `::error::`, `##[error]`, `##teamcity[...]`.

https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions,
https://learn.microsoft.com/en-us/azure/devops/pipelines/scripts/logging-commands,
https://www.jetbrains.com/help/teamcity/service-messages.html
"""


def visible(text: str, *, limit: int = LIMIT, keep: str = "\n\t") -> str:
    r"""Writes out every character that does not show, and cuts the middle of what is too long.

    Whatever `str.isprintable` refuses becomes the escape that `repr` gives it, such as `\x1b` or `\u202e`:
    control characters, bidirectional overrides, zero-width and other format characters, surrogates,
    noncharacters, unusual spaces. So does the first character of what a CI system would take for a command to
    itself, wherever on a line it stands, because lines may be folded: `\x3a:error::`. A backslash stays as it is,
    so what is shown can be shown again unchanged.

    Args:
        text: Anything a `str` can hold.
        limit: The most characters to return, at least `SHORTEST_LIMIT`. Both ends of a longer text are kept:
            a traceback ends with its reason.
        keep: Characters that stay as they are although they do not show.

    Returns:
        Text that UTF-8 can encode and that XML 1.0 allows, provided that it allows `keep`.
    """
    shown = text if text.isprintable() else "".join(c if c.isprintable() or c in keep else _escape(c) for c in text)
    shown = _COMMAND.sub(lambda command: f"\\x{ord(command[0][0]):02x}{command[0][1]}", shown)
    if len(shown) <= limit:
        return shown
    remark = f" [... shortened from {len(shown)} characters ...] "
    tail = (limit - len(remark)) // 3
    head = limit - len(remark) - tail
    return shown[:head] + remark + shown[-tail:]


def one_line(text: str) -> str:
    r"""Makes a text visible on a single line: a line feed shows as `\n`."""
    return visible(text, keep="")


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
