"""What student code raised is told as plain values, with its places in the student's files alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from grader.sandbox import runner
from grader.sandbox.raised import TimeIsUp, describe

if TYPE_CHECKING:
    from tests.conftest import Load


def test_frames_that_repeat(loaded: Load) -> None:
    """A line that an exception passes through many times in a row is told once, with how often."""
    report, _ = loaded("def f(n):\n    if n: f(n - 1)\n    else: raise ValueError\n\nf(50)\n")

    assert [
        [0, 5, "<module>", "f(50)", 1],
        [0, 2, "f", "if n: f(n - 1)", 50],
        [0, 3, "f", "else: raise ValueError", 1],
    ] == report["raised"]["frames"]


def test_frames_without_end(loaded: Load) -> None:
    """Of many frames that differ the first and the last are told."""
    source = "def f(n):\n    if n: g(n)\n    else: raise ValueError\n\ndef g(n):\n    f(n - 1)\n\nf(50)\n"
    report, _ = loaded(source)
    frames = report["raised"]["frames"]

    assert [[0, 8, "<module>", "f(50)", 1], [0, 3, "f", "else: raise ValueError", 1], 20] == [
        frames[0],
        frames[-1],
        len(frames),
    ]


def test_frames_in_several_files(loaded: Load) -> None:
    """Each frame is told with the number of its file: the parts come first, then the siblings."""
    files = {"one.py": "", "two.py": "def halve(x):\n    return x / 0\n"}
    report, _ = loaded("import two\ntwo.halve(1)\n", siblings=files)

    assert [[0, 2, "<module>", "two.halve(1)", 1], [2, 2, "halve", "return x / 0", 1]] == report["raised"]["frames"]


@pytest.mark.parametrize(
    ("raised", "limit"),
    [
        ("MemoryError", "memory"),
        ("OSError(28, '')", "files"),
        ("OSError", ""),
        ('RuntimeError("can\'t start new thread")', "processes"),
        ("RuntimeError", ""),
    ],
)
def test_the_limit_behind_an_exception(loaded: Load, raised: str, limit: str) -> None:
    """An exception is told with the limit that it is about."""
    report, _ = loaded(f"raise {raised}")

    assert limit == report["raised"]["limit"]


def test_time_that_is_up_is_a_limit() -> None:
    """A limit of time is told by its name."""
    with pytest.raises(BaseException, match="cpu") as caught:
        runner._raise(TimeIsUp("cpu"))  # noqa: SLF001  # what a signal does

    assert "cpu" == describe(caught.value, {})["limit"]


@pytest.mark.parametrize("named", ["'loaded_here.py'", "'elsewhere.py'", "7", "None"])
def test_a_syntax_error_of_the_student_s_own_making(loaded: Load, named: str) -> None:
    """A syntax error is told with the line it names, if that is in one of the student's files."""
    report, _ = loaded(f"x = 1\nraise SyntaxError('odd', ({named}, 1, 1, 'their = text'))\n")
    raise_line = [0, 2, "<module>", f"raise SyntaxError('odd', ({named}, 1, 1, 'their = text'))", 1]

    assert ([[0, 1, "", "their = text", 1]] if "loaded" in named else [raise_line]) == report["raised"]["frames"]
