"""How a driver starts: at the same addresses every time, so that nothing a student's code does depends on them.

Standard library only, and little of it: where the system starts a program at other addresses, it is started twice.
"""

from __future__ import annotations

import ctypes
import os
import sys

_ADDR_NO_RANDOMIZE = 0x0040000  # <linux/personality.h>
_ASK = 0xFFFFFFFF


def fix_layout() -> int:
    """Have this process, or thread, start programs at the same addresses, where the system lets it.

    Returns:
        What `restore_layout` takes to undo that; -1 where there is nothing to undo.
    """
    if not sys.platform.startswith("linux"):
        return -1
    before = _personality(_ASK)
    if before < 0 or before & _ADDR_NO_RANDOMIZE or _personality(before | _ADDR_NO_RANDOMIZE) < 0:
        return -1
    return before


def restore_layout(before: int) -> None:
    """Undo what `fix_layout` did."""
    if before >= 0:
        _personality(before)


def start_again() -> None:
    """Start this program again at the same addresses as every time, unless it was or the system refuses; once."""
    if not os.environ.pop("GRADER_LAYOUT", "") and fix_layout() >= 0:
        os.environ["GRADER_LAYOUT"] = "fixed"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606  # itself


def _personality(persona: int) -> int:
    personality = ctypes.CDLL(None).personality
    personality.argtypes = [ctypes.c_ulong]  # or a filter of system calls sees a sign where the question has none
    return int(personality(persona))


if __name__ == "__main__":
    start_again()
    from grader.sandbox.driver import main

    main()
