"""Notebook cells as Python: what is IPython's own is taken out, and every line keeps its number.

Standard library only. No text is taken for a magic that Python accepts: a cell is parsed first, and only a line that
cannot be Python is looked at.

https://ipython.readthedocs.io/en/stable/interactive/reference.html
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    import ast

_HARMLESS = {"capture", "time", "timeit"}
"""Magics of a cell that run the rest of it."""
_MAGIC = r"""(?x)
    %{1,2}[^\W\d]               # %matplotlib inline
    | !(?!=)                    # !pip install numpy
    | \?{1,2}\s*[%\w]           # ?print
    | %{0,2}[\w.*]+\?{1,2}$     # print?
    | [\w\s.,*\[\]]+=\s*[!%]    # files = !ls
    | (?:pip|conda)\s+install\b
"""
"""What begins a line that is a magic or for a shell. Compiling it takes long, and most submissions are no notebooks."""
_TIMED = r"%time(?:it)?(?=\s|$)(?:\s+-[nrp]\s*\d+|\s+-[a-z]\b)*\s*(.*)"
"""A statement that is timed, without what says how often."""


class Cell:
    """A cell that can be run.

    Attributes:
        tree: What is in it.
        ignored: How many of its lines are left out because they are magics or for a shell.
        magic: What says that all of it is no Python, such as `bash`; empty where nothing does.
    """

    __slots__ = ("ignored", "magic", "tree")

    def __init__(self, tree: ast.Module, ignored: int = 0, magic: str = "") -> None:
        self.tree = tree
        self.ignored = ignored
        self.magic = magic


def parse_cell(text: str, name: str) -> Cell:
    r"""Parse a cell.

    Args:
        text: The cell, whose lines end with `\n`.
        name: What tracebacks call it.

    Raises:
        SyntaxError: It is neither Python nor IPython's.
    """
    import ast  # noqa: PLC0415  # most submissions are no notebooks, and it takes long to import

    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if match := re.match(r"%%(\w+)", lines[first]):
        if match[1] not in _HARMLESS:
            return Cell(ast.Module([], []), magic=match[1])
        lines[first] = ""
    ignored = 0
    while True:
        try:
            return Cell(ast.parse("\n".join(lines), name), ignored)
        except SyntaxError as error:
            number = (error.lineno or 0) - 1
            if not (0 <= number < len(lines) and re.match(_MAGIC, lines[number].strip())):
                raise
        ignored += _take_out(lines, number)


def _take_out(lines: list[str], number: int) -> int:
    """Put Python in place of a magic, with the lines that go on with it; return whether something is lost by that."""
    line = lines[number]
    statement = line.strip()
    timed = re.match(_TIMED, statement)
    lines[number] = line[: len(line) - len(line.lstrip())] + (timed[1] if timed and timed[1] else "pass")
    if timed:
        return 0
    while statement.endswith("\\") and number + 1 < len(lines):
        number += 1
        statement, lines[number] = lines[number].rstrip(), ""
    return 1
