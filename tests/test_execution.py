"""A Python file is run as a whole, a notebook statement by statement: what fails is noted, and the rest goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Load


def defined(objects: Any) -> dict[str, Any]:
    """What a file that was loaded defines."""
    names: dict[str, Any] = objects._module.__dict__  # noqa: SLF001  # a check asks for each by its name
    return names


def test_statements_go_on(loaded: Load) -> None:
    """What a statement raises is noted with its cell and the line that raised it; the next statement is run."""
    cells = [
        "x = 1\ny = undefined\nz = 3",
        "for n in (1, 0):\n    w = n\n    1 / n\nimport sys; sys.exit(2)\nraise KeyboardInterrupt",
        "def f():\n    return g()\n\ndef g():\n    raise ValueError('no')\n\nf()\nlast = x + z",
    ]
    report, objects = loaded(cells=cells)

    assert [
        [0, 2, "failed", "NameError: name 'undefined' is not defined"],
        [1, 3, "failed", "ZeroDivisionError: division by zero"],
        [1, 4, "failed", "SystemExit: 2"],
        [1, 5, "failed", "KeyboardInterrupt"],
        [2, 7, "failed", "ValueError: no"],
    ] == report["notes"]
    assert (4, 0) == (defined(objects)["last"], defined(objects)["w"])


def test_what_is_raised_elsewhere_is_noted_where_it_began(loaded: Load) -> None:
    """What a function of another cell raises is noted for the statement that called it."""
    report, _ = loaded(cells=["def f():\n    return 1 / 0", "x = 1\nf()"])

    assert [[1, 2, "failed", "ZeroDivisionError: division by zero"]] == report["notes"]


def test_cells_that_are_no_python(loaded: Load) -> None:
    """A cell that is no Python is noted and passed over, and so is one in another language."""
    cells = ["x = = 1\nraise", "%%bash\nls", "%who\n!ls\ny = 2", "x = '\ud800'", "return 3", "x = 1\0"]
    report, objects = loaded(cells=cells)

    assert [
        [0, 1, "syntax", "invalid syntax"],
        [1, 1, "skipped", "bash"],
        [2, 2, "ignored", ""],
        [3, 1, "syntax", "not UTF-8 (byte 0xed)"],
        [4, 1, "failed", "SyntaxError: 'return' outside function"],
        [5, 1, "syntax", "a null character (a file in UTF-16 is full of them: save it as UTF-8)"],
    ] == report["notes"]
    assert 2 == defined(objects)["y"]


@pytest.mark.parametrize(("raised", "limit"), [("MemoryError", "memory"), ("OSError(12, 'no')", "memory")])
def test_a_limit_ends_a_notebook(loaded: Load, raised: str, limit: str) -> None:
    """At a limit of time or memory a notebook ends, and where it was is told."""
    report, objects = loaded(cells=["1 / 0", f"x = 1\nraise {raised}\n", "x = 2"])

    assert (limit, [[1, 2, "<module>", f"raise {raised}", 1]]) == (
        report["raised"]["limit"],
        report["raised"]["frames"],
    )
    assert (1, 1) == (len(report["notes"]), defined(objects)["x"])


def test_other_limits_do_not(loaded: Load) -> None:
    """A file that is too large, say, is a mistake like others."""
    report, objects = loaded(cells=["raise OSError(28, 'full')", "x = 2"])

    assert [[0, 1, "failed", "OSError: [Errno 28] full"]] == report["notes"]
    assert 2 == defined(objects)["x"]


def test_awaiting_at_the_top(loaded: Load) -> None:
    """A cell may wait for something outside of a function, in any kind of statement."""
    cells = [
        "import asyncio\nasync def f(x):\n    await asyncio.sleep(0)\n    return x",
        "x = await f(3)\nasync with asyncio.Lock():\n    y = [await f(n) for n in (1, 2)]\nawait f(1) / 0",
    ]
    report, objects = loaded(cells=cells)

    assert [[1, 4, "failed", "ZeroDivisionError: division by zero"]] == report["notes"]
    assert (3, [1, 2]) == (defined(objects)["x"], defined(objects)["y"])


def test_features_of_the_future_last(loaded: Load) -> None:
    """What a cell imports from the future is in force in the cells that follow."""
    cells = ["x: Nothing = 1", "from __future__ import annotations", "def f(x: Nothing): ...\ny = 1"]
    report, objects = loaded(cells=cells)

    assert [[0, 1, "failed", "NameError: name 'Nothing' is not defined"]] == report["notes"]
    assert {"x": "Nothing"} == defined(objects)["f"].__annotations__


def test_what_a_notebook_finds(loaded: Load) -> None:
    """There is an IPython that does nothing; the name is the module's, and the last definition counts."""
    cells = [
        "get_ipython().run_line_magic('matplotlib', 'inline')\ndisplay(1, 2, metadata={})",
        "name = __name__\nclass Value: n = 1",
        "class Value: n = 2\nhas_file = '__file__' in globals()",
    ]
    report, objects = loaded(cells=cells)
    names = defined(objects)

    assert {"id": "x"} == report
    assert ("loaded_here", 2, False) == (names["name"], names["Value"].n, names["has_file"])


def test_notes_without_number(loaded: Load) -> None:
    """Of very many notes the first are kept, and of a long one the beginning."""
    report, objects = loaded(cells=["raise ValueError('x' * 1000)\n" * 3000 + "done = 1"])

    assert (50, 300) == (len(report["notes"]), len(report["notes"][-1][3]))
    assert 1 == defined(objects)["done"]


def test_a_notebook_that_is_only_compiled(loaded: Load) -> None:
    """Where nothing is to be run, nothing is noted."""
    assert {"id": "x"} == loaded(cells=["x = = 1", "1 / 0"], execute=False)[0]


def test_a_file_is_run_as_a_whole(loaded: Load) -> None:
    """A Python file ends at the first thing that it raises, and notes nothing."""
    report, objects = loaded("x = 1\nraise SystemExit(3)\nx = 2\n")

    assert "SystemExit" == report["raised"]["type"]
    assert "notes" not in report
    assert 1 == defined(objects)["x"]
