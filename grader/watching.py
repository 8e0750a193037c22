"""Noticing that a file was saved, whatever editor did it and whatever file system it is on: by looking, often."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SECONDS = 0.3
"""Between two looks."""


def saves(file: Path) -> Iterator[None]:
    """Yields now, and then each time that the file, or a Python file beside it, was saved; never ends.

    Where a save comes in several steps, as when an editor empties the file first, the last one counts too. While the
    file is not there, nothing is yielded.
    """
    seen = _look(file)
    yield
    while True:
        now = _look(file)
        if now != seen and now.get(file.name):
            seen = now
            yield
        else:
            time.sleep(_SECONDS)


def _look(file: Path) -> dict[str, tuple[int, int, int]]:
    """What tells one state of the files from another."""
    found = {}
    for path in {file, *file.parent.glob("*.py")}:
        try:
            status = path.stat()
        except OSError:  # between two steps of a save, or a link to nothing
            continue
        found[path.name] = (status.st_mtime_ns, status.st_size, status.st_ino)
    return found
