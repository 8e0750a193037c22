"""How a driver starts: where the system would place programs anywhere, at the same addresses every time."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from grader.sandbox import start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def random_layout() -> Iterator[int]:
    """A process that starts programs anywhere; what the system says of it."""
    personality = ctypes.CDLL(None).personality
    before = personality(0xFFFFFFFF)
    personality(before & ~0x0040000)
    yield before & ~0x0040000
    personality(before)


def where() -> str:
    """Return where a new interpreter has something."""
    told = subprocess.run(  # ours
        [sys.executable, "-I", "-S", "-c", "print(id(object()))"], capture_output=True, text=True, check=True
    )
    return told.stdout


def test_programs_start_at_the_same_addresses(random_layout: int) -> None:
    """A program that is started meanwhile has the same addresses every time, and after that none has."""
    before = start.fix_layout()
    assert random_layout == before
    assert 1 == len({where() for _ in range(3)})
    assert -1 == start.fix_layout()  # there is nothing to do, and so nothing to undo

    start.restore_layout(before)
    assert 1 < len({where() for _ in range(8)})
    start.restore_layout(-1)
    assert 1 < len({where() for _ in range(8)})


@pytest.mark.usefixtures("random_layout")
def test_a_program_starts_again_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process starts itself again to have the same addresses every time, once."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    monkeypatch.delenv("GRADER_LAYOUT", raising=False)
    with pytest.raises(FileNotFoundError):  # there is no interpreter to become
        start.start_again()
    assert "fixed" == os.environ["GRADER_LAYOUT"]
    start.start_again()
    assert "GRADER_LAYOUT" not in os.environ
    start.start_again()
    assert "GRADER_LAYOUT" not in os.environ


def test_other_systems_start_programs_as_they_like(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no such setting, nothing is set."""
    monkeypatch.setattr(sys, "platform", "darwin")

    assert -1 == start.fix_layout()
