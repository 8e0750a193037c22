"""An import finds the standard library, then the student's own files, and an inert stand-in where nothing is there."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from grader.sandbox.absent import AbsentModule, Inert

if TYPE_CHECKING:
    from tests.conftest import Load

# --------------------------------------------------------------------------------------------------------------------
# The student's other files


def defined(objects: Any) -> dict[str, Any]:
    """What a file that was loaded defines."""
    names: dict[str, Any] = objects._module.__dict__  # noqa: SLF001  # a check asks for each by its name
    return names


@pytest.mark.parametrize(
    "statement",
    [
        "from loss import mse",
        "from .loss import mse",
        "import loss; mse = loss.mse",
        "from . import loss; mse = loss.mse",
    ],
)
def test_a_file_that_lies_beside(loaded: Load, statement: str) -> None:
    """A file that was handed in beside another is a module, and is the same however it is imported."""
    siblings = {"loss.py": "def mse(): return __name__, __file__\n"}
    report, objects = loaded(f"{statement}\nimport loss\nsame = mse is loss.mse\n", siblings=siblings)

    assert {"id": "x"} == report
    assert (("loss", "loss.py"), True) == (defined(objects)["mse"](), defined(objects)["same"])


def test_a_file_that_imports_the_one_that_is_run(loaded: Load) -> None:
    """Files may import each other; what is run is the module of the exercise."""
    siblings = {"loss.py": "import loaded_here\nseen = loaded_here.early\n"}
    _, objects = loaded("early = 1\nimport loss\n", siblings=siblings)

    assert 1 == defined(objects)["loss"].seen


def test_a_file_named_as_one_of_the_standard_library(loaded: Load) -> None:
    """No file takes the place of a module of the standard library, whether that was imported before or not."""
    planted = dict.fromkeys(["math.py", "colorsys.py", "tkinter.py"], "planted = True\n")
    source = "import math, colorsys\ntry:\n    import tkinter\nexcept ImportError:\n    tkinter = math\n"
    _, objects = loaded(source, siblings=planted)

    assert not any(hasattr(defined(objects)[name], "planted") for name in ("math", "colorsys", "tkinter"))


def test_a_file_beside_that_fails(loaded: Load) -> None:
    """A file that does not load keeps the one that imports it from loading, and is told with its own lines."""
    report, _ = loaded("import loss\n", siblings={"loss.py": "x = 1\ny = 1 / 0\n"})
    syntax, _ = loaded("import odd\n", siblings={"odd.py": "x = = 1\n"})

    assert [[0, 1, "<module>", "import loss", 1], [1, 2, "<module>", "y = 1 / 0", 1]] == report["raised"]["frames"]
    assert ("invalid syntax", [[1, 1, "", "x = = 1", 1]]) == (syntax["raised"]["message"], syntax["raised"]["frames"])


# --------------------------------------------------------------------------------------------------------------------
# Modules that are not there


@pytest.mark.parametrize(
    ("source", "absent"),
    [
        ("import nowhere", ["nowhere"]),
        ("import nowhere.at.all as x, elsewhere", ["nowhere", "elsewhere"]),
        ("from nowhere.at import all", ["nowhere"]),
        ("from nowhere import *", ["nowhere"]),
        ("from .nowhere import x", ["nowhere"]),
        ("from . import nowhere", ["nowhere"]),
        ("__import__('nowhere')", ["nowhere"]),
        ("import importlib\nimportlib.import_module('nowhere.x')", ["nowhere"]),
        ("exec('import nowhere')", ["nowhere"]),
        ("def f():\n    import nowhere\nf()", ["nowhere"]),
        ("class A:\n    import nowhere", ["nowhere"]),
        ("try:\n    x = 1\nexcept ImportError:\n    pass\nimport nowhere", ["nowhere"]),
        ("try:\n    import nowhere\nexcept ValueError:\n    pass", ["nowhere"]),
        ("import beside", ["nowhere"]),
        ("import nowhere, nowhere.x\nfrom nowhere import y", ["nowhere"]),
    ],
)
def test_a_module_that_is_not_there(loaded: Load, source: str, absent: list[str]) -> None:
    """An import that nobody guards finds a stand-in, which is told, once for each module."""
    report, _ = loaded(source, siblings={"beside.py": "import nowhere\n"})

    assert {"id": "x", "absent": absent} == report
    assert isinstance(sys.modules[absent[0]], AbsentModule)


GUARDS = [
    "try:\n    import nowhere\nexcept ImportError:\n    found = None",
    "try:\n    import nowhere.x\nexcept (OSError, ModuleNotFoundError):\n    found = None",
    "try:\n    from nowhere import x\nexcept:\n    found = None",
    "def f():\n    import nowhere\n\ntry:\n    f()\nexcept Exception:\n    found = None",
    "try:\n    import beside\nexcept ImportError:\n    found = None",
    "import contextlib\nfound = None\nwith contextlib.suppress(ImportError):\n    import nowhere\n    found = 1",
    "import importlib.util\nfound = importlib.util.find_spec('nowhere')",
    "import pkgutil\nfound = pkgutil.find_loader('nowhere')",
    "from importlib import import_module\ntry:\n    import_module('nowhere')\nexcept ImportError:\n    found = None",
]


@pytest.mark.parametrize("source", GUARDS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_module_that_may_be_missing(loaded: Load, source: str) -> None:
    """Who is prepared for the absence of a module, or asks for it first, is told that it is not there."""
    report, objects = loaded(source, siblings={"beside.py": "import nowhere\n"})

    assert {"id": "x"} == report
    assert defined(objects)["found"] is None
    assert "nowhere" not in sys.modules


@pytest.mark.parametrize("source", GUARDS[:5])
def test_guards_in_cells(loaded: Load, source: str) -> None:
    """Cells are guarded as files are."""
    report, objects = loaded(cells=["%who", f"%who\n{source}"], siblings={"beside.py": "import nowhere\n"})

    assert "absent" not in report
    assert defined(objects)["found"] is None


@pytest.mark.parametrize("source", ["import os.nowhere", "import json.nowhere.x", "from json import nowhere"])
def test_a_part_of_what_is_there(loaded: Load, source: str) -> None:
    """A module that is there stands in for nothing: what it lacks is an error as usual."""
    report, _ = loaded(source)

    assert report["raised"]["type"] in {"ModuleNotFoundError", "ImportError"}


def test_the_standard_library_finds_no_stand_ins(loaded: Load) -> None:
    """Modules that the standard library can do without stay absent for it."""
    source = """
import unittest
try:
    unittest.TestLoader().loadTestsFromName("nowhere.x")
except Exception as error:
    raised = error
"""
    report, _ = loaded(source)

    assert {"id": "x"} == report
    assert "nowhere" not in sys.modules


def test_an_import_of_nobody_s(loaded: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no student's code imports, as where a thread does nothing else, there is no stand-in."""
    raised: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", raised.append)
    source = """
import _thread, importlib, time
_thread.start_new_thread(importlib.import_module, ("nowhere",))
time.sleep(0.5)
"""
    report, _ = loaded(source)

    assert {"id": "x"} == report
    assert [ModuleNotFoundError] == [each.exc_type for each in raised]


def test_what_a_stand_in_gives(loaded: Load) -> None:
    """What is in a stand-in stands in as well, whether it is imported or looked up."""
    source = (
        "import nowhere.plot as p, nowhere\nfrom nowhere.plot import show\nfrom nowhere import plot\nn = nowhere.x.y"
    )
    _, objects = loaded(source)
    names = defined(objects)

    assert (AbsentModule, Inert, AbsentModule, Inert) == tuple(type(names[name]) for name in ("p", "show", "plot", "n"))
    assert names["plot"] is names["p"]


def test_absent_modules_without_number(loaded: Load) -> None:
    """Of very many absent modules the first are told."""
    report, _ = loaded("for n in range(1000): __import__(f'nowhere{n}')")

    assert [f"nowhere{n}" for n in range(20)] == report["absent"]


# --------------------------------------------------------------------------------------------------------------------
# Modules that are forbidden


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("x = 1\nif x > 1:\n    import colorsys", "loaded_here.py, line 3 imports colorsys"),
        ("try:\n    import math\nexcept ImportError: pass", "loaded_here.py, line 2 imports math"),
        ("import beside", "beside.py, line 1 imports nowhere"),
        ("x = 1\n__import__('math')", "loaded_here.py, line 2 imports math"),
        ("import importlib\nimportlib.import_module('nowhere.x')", "loaded_here.py, line 2 imports nowhere"),
        ("exec('import colorsys')", "loaded_here.py, line 1 imports colorsys"),
        ("__import__('beside')", "beside.py, line 1 imports nowhere"),
    ],
)
def test_a_module_that_is_forbidden(loaded: Load, source: str, sentence: str) -> None:
    """A file that imports what is forbidden does not load; it is told before it is run, if that can be seen in it."""
    siblings = {"beside.py": "import nowhere\n", "unused.py": "import math\n"}
    report, _ = loaded(source, siblings=siblings, forbid=["math", "colorsys", "nowhere"])
    raised = report["raised"]

    assert ("ImportError", f"{sentence}, which this exercise forbids") == (raised["type"], raised["message"])


def test_forbidden_modules_are_looked_for_first(loaded: Load) -> None:
    """Nothing of a file is run that imports what is forbidden; also where it is only to be compiled."""
    for execute in (True, False):
        report, objects = loaded("x = 1\nimport nowhere\n", forbid=["nowhere"], execute=execute)

        assert "ImportError" == report["raised"]["type"]
        assert "x" not in defined(objects)


def test_what_is_forbidden_is_there_for_others(loaded: Load) -> None:
    """The standard library may use what a submission may not."""
    report, objects = loaded("import statistics\nmean = statistics.fmean([1, 2])\n", forbid=["math", "sys", "builtins"])

    assert {"id": "x"} == report
    assert 1.5 == defined(objects)["mean"]
