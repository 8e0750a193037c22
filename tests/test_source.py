"""What a load request brings becomes text and code, and what of it imports what can be told without running it."""

from __future__ import annotations

import ast
import base64
from typing import TYPE_CHECKING

import pytest

from grader.sandbox.source import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.conftest import Load


def source(text: str = "", *, cells: Sequence[str] = (), **siblings: str) -> Source:
    """What is made of a file, or of the cells of a notebook, and of files beside it."""
    parts = {f"cell {number}": cell for number, cell in enumerate(cells, start=1)} or {"value.py": text}

    def encoded(files: dict[str, str]) -> list[list[str]]:
        return [[name, base64.b64encode(content.encode()).decode()] for name, content in files.items()]

    beside = encoded({f"{name}.py": content for name, content in siblings.items()})
    load = {"name": "value.py", "module": "value", "notebook": bool(cells), "parts": encoded(parts), "siblings": beside}
    return Source(load)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"\xff", "not UTF-8 (byte 0xff)"),
        (b"x = 1\n# \xe9\n", "not UTF-8 (byte 0xe9)"),
        (b"# coding: nonsense\n", "unknown encoding: nonsense"),
        (b"# coding: undefined\nx = 1", "decoding with 'undefined' codec failed"),
        (b"# coding: ascii\nx = '\xe9'\n", "not ASCII (byte 0xe9)"),
        (b"x = 1\0", "a null character (a file in UTF-16 is full of them: save it as UTF-8)"),
    ],
)
def test_bytes_that_are_no_text(loaded: Load, text: bytes, told: str) -> None:
    """A file that cannot be read is a mistake in its syntax, and what is wrong is said."""
    report, _ = loaded(text)

    assert ("SyntaxError", True) == (report["raised"]["type"], report["raised"]["message"].startswith(told))


def test_a_cell_declares_no_encoding() -> None:
    """A notebook is text, whatever the first line of a cell says of encodings."""
    tree = source(cells=("# coding: latin-1\nx = 'é'\n",)).cell(0).tree

    assert "x = 'é'" == ast.unparse(tree)


def test_places() -> None:
    """Parts are counted first, then siblings; a file that is no notebook can be imported by its module's name."""
    file, notebook = source("", loss="", engine=""), source(cells=("", ""), loss="")

    assert {"value.py": 0, "loss.py": 1, "engine.py": 2} == file.places
    assert {"value": 0, "loss": 1, "engine": 2} == file.modules
    assert {"cell 1": 0, "cell 2": 1, "loss.py": 2} == notebook.places
    assert {"loss": 2} == notebook.modules
    assert "loss.py" == notebook.name_of(2)


@pytest.mark.parametrize(
    ("relative", "absolute"),
    [
        ("from .loss import mse", "from loss import mse"),
        ("from.loss import mse as m", "from loss import mse as m"),
        ("from . import loss, engine as e", "import loss, engine as e"),
        ("from \\\n    .loss import mse", "from \\\n    loss import mse"),
        ("from ..pkg.loss import *", "from pkg.loss import *"),
        ("if x:\n    from . import loss", "if x:\n    import loss"),
        ("if x:\n    y\nelse:\n    from . import engine", "if x:\n    y\nelse:\n    import engine"),
        ("try:\n    x\nexcept E:\n    from . import b", "try:\n    x\nexcept E:\n    import b"),
        ("try:\n    x\nfinally:\n    from . import b", "try:\n    x\nfinally:\n    import b"),
        ("match x:\n    case 1:\n        from . import loss", "match x:\n    case 1:\n        import loss"),
    ],
)
def test_relative_imports(relative: str, absolute: str) -> None:
    """A relative import is one of a file that lies beside, wherever it stands."""
    expected, code = source(absolute).code(0), source(relative).code(0)

    assert (expected.co_names, expected.co_consts) == (code.co_names, code.co_consts)
    assert (expected.co_code, [*expected.co_lines()]) == (code.co_code, [*code.co_lines()])


@pytest.mark.parametrize("text", ["", "f(", "x = 'from .'", "# from . import x\nx = 1"])
def test_code(text: str) -> None:
    """A file is compiled whole, under its name, and a mistake in it is told with that."""
    try:
        name = source(text).code(0).co_filename
    except SyntaxError as error:
        name = str(error.filename)

    assert "value.py" == name


GUARDED = """\
import a
try:
    import b
    import c
except ImportError:
    import d
else:
    import e
try: import f
except (OSError, builtins.ModuleNotFoundError): pass
try:
    import g
except ValueError:
    import h
except:
    import i
try:
    import j
except OSError:
    pass
with suppress(ImportError):
    import k
with open(x), contextlib.suppress(OSError, Exception) as y:
    def import_later():
        import l
with suppress(OSError):
    import m
async def n():
    async with suppress(BaseException):
        import n
    try:
        import o
    except* Exception as group:
        pass
"""


def test_guards() -> None:
    """A line is guarded where an error of an import on it would be caught: in the body of a `try` or `suppress`."""
    found = source(GUARDED)
    lines = [line.partition("import ")[2][:1] for line in GUARDED.splitlines() if "import " in line]
    numbers = [number for number, line in enumerate(GUARDED.splitlines(), start=1) if "import " in line]
    guarded = [name for name, number in zip(lines, numbers, strict=True) if found.is_guarded(0, number)]

    assert [*"bcfgklno"] == guarded
    assert source(cells=("x = 1", "%who\ntry:\n    import b\nexcept: pass")).is_guarded(1, 3)


@pytest.mark.parametrize(
    ("text", "siblings", "expected"),
    [
        ("", {}, None),
        ("import math, numpy.linalg as n", {}, ("value.py", 1, "numpy")),
        ("def f():\n    from numpy import *", {}, ("value.py", 2, "numpy")),
        ("x = 'import numpy'\n# import numpy\nimport numpyx", {}, None),
        ("from . import numpy", {}, ("value.py", 1, "numpy")),
        (
            "import loss",
            {"loss": "import engine", "engine": "\nimport torch", "odd": "import numpy"},
            ("engine.py", 2, "torch"),
        ),
        ("import loss", {"loss": "import loss, value"}, None),
        ("import loss", {"loss": "import = numpy"}, None),
    ],
)
def test_imports_of_some_modules(text: str, siblings: dict[str, str], expected: tuple[str, int, str] | None) -> None:
    """An import is found wherever it stands, also in a file that is imported, but in no other."""
    assert expected == source(text, **siblings).find_import({"numpy", "torch"})


def test_imports_of_notebooks() -> None:
    """The cells of a notebook are looked through, but for those that are no Python."""
    cells = ("import = numpy", "%who\nimport loss", "import torch")

    assert ("cell 3", 1, "torch") == source(cells=cells, loss="import numpy").find_import({"torch", "numpy"})
    assert ("loss.py", 1, "numpy") == source(cells=cells, loss="import numpy").find_import({"numpy"})
