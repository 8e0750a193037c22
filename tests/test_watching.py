"""A save is noticed, however it is done."""

from __future__ import annotations

import os
from threading import Timer
from typing import TYPE_CHECKING

import pytest

from grader.watching import saves

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def write(file: Path) -> None:
    """As most editors save."""
    file.write_text("y = 22")


def replace(file: Path) -> None:
    """As careful editors save."""
    (file.parent / "new").write_text("y = 2")
    os.replace(file.parent / "new", file)  # noqa: PTH105  # Path.replace would do the same


def beside(file: Path) -> None:
    """A file that it imports."""
    (file.parent / "helper.py").write_text("")


def away(file: Path) -> None:
    """As editors save that first move the old file away."""
    file.rename(file.with_suffix(".bak"))
    Timer(0.5, write, [file]).start()


@pytest.mark.parametrize("save", [write, replace, beside, away])
def test_saves(tmp_path: Path, save: Callable[[Path], None]) -> None:
    """There is something to do at once, and again after a save of the file or of a module beside it."""
    file = tmp_path / "value.py"
    file.write_text("y = 1")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere")
    watched = saves(file)
    next(watched)
    Timer(0.5, save, [file]).start()
    next(watched)

    assert file.exists()


def test_saved_meanwhile(tmp_path: Path) -> None:
    """What is saved while the checks run is not missed."""
    file = tmp_path / "value.py"
    file.write_text("y = 1")
    watched = saves(file)
    next(watched)
    write(file)

    assert next(watched) is None
