"""The walls between the rooms, as docs/architecture.md draws them."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from grader.sandbox.process import DRIVER_FILES

ROOT = Path(__file__).parents[1]
BESIDE = ("grader.sandbox.replies", "grader.sandbox.start", "grader.sandbox.wire")
"""What runs inside the sandbox and outside too."""
INSIDE = tuple(f"grader.sandbox.{name.removesuffix('.py')}" for name in (*DRIVER_FILES, "as_user", "solo"))
"""What runs inside the sandbox."""
RUNS_CODE = {"subprocess", "multiprocessing", "pebble", "pytest", "docker", "importlib", "runpy"}
RUNS_CODE |= {f"grader.{name}" for name in ("batch", "checks", "grading", "sandbox", "stand_in", "student")}


def modules(folder: str) -> dict[str, ast.Module]:
    """Every module below a folder, by its name."""
    found = {}
    for path in (ROOT / folder).rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imported(tree: ast.Module, *, for_types: bool = True) -> set[str]:
    """Every module that a module imports, wherever it does; of `from a import b` both `a` and `a.b`."""
    found = set()
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) if not for_types:
                pending += node.orelse
            case ast.Import(names=names):
                found |= {name.name for name in names}
            case ast.ImportFrom(module=str(module), names=names):
                found |= {module, *(f"{module}.{name.name}" for name in names)}
            case _:
                pending += ast.iter_child_nodes(node)
    return found


GRADER = modules("grader")
REFERENCE = modules("reference")
ALL = GRADER | REFERENCE | modules("exercises")


def below(names: set[str], *tops: str) -> set[str]:
    """The names that are one of some modules, or lie in one of them."""
    return {name for name in names for top in tops if name == top or name.startswith(f"{top}.")}


@pytest.mark.parametrize("name", INSIDE)
def test_standard_library_inside(name: str) -> None:
    """What runs inside the sandbox needs nothing but the standard library and the rest of what runs there."""
    foreign = {each for each in imported(GRADER[name]) if each.partition(".")[0] not in sys.stdlib_module_names}

    assert set() == foreign - {"grader.sandbox"} - below(foreign, *INSIDE)


def test_nothing_outside_imports_what_runs_inside() -> None:
    """Of what runs inside, the wire is used outside too, and how drivers start, or reply without forks."""
    users = {name for name, tree in GRADER.items() if below(imported(tree), *(set(INSIDE) - set(BESIDE)))}

    assert users <= set(INSIDE)


def test_click() -> None:
    """Only the command line knows of click."""
    users = {name for name, tree in GRADER.items() if below(imported(tree), "click")}

    assert users == below(users, "grader.cli")


def test_dask() -> None:
    """Only what grades on other machines needs Dask, and only a command that is asked for that imports it."""
    users = {name for name, tree in GRADER.items() if below(imported(tree), "distributed", "dask")}
    importers = {name for name, tree in GRADER.items() if below(imported(tree, for_types=False), *users)}

    assert {"grader.batch.dask_client", "grader.batch.dask_worker"} == users
    assert {"grader.cli.place_options"} == importers - users


def test_cli_is_on_top() -> None:
    """Nothing but the entry point knows of the command line."""
    users = {name for name, tree in GRADER.items() if below(imported(tree), "grader.cli")}

    assert {"grader.__main__"} == users - below(users, "grader.cli")


@pytest.mark.parametrize("name", sorted(below(set(GRADER), "grader.reports")))
def test_reports_run_nothing(name: str) -> None:
    """Reports import nothing that runs code, opens a file or asks the system."""
    tree = GRADER[name]
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}

    assert set() == below(imported(tree), *RUNS_CODE)
    assert set() == calls & {"open", "exec", "eval", "print", "input", "compile", "__import__"}
    assert set() == below(imported(tree, for_types=False), "os", "pathlib", "shutil", "socket", "tempfile")


def test_reference_and_grader() -> None:
    """The harness serves any course: neither of the two knows of the other."""
    assert set() == {name for name, tree in GRADER.items() if below(imported(tree), "reference", "exercises")}
    assert set() == {name for name, tree in REFERENCE.items() if below(imported(tree), "grader", "exercises")}


def test_exercises_use_little() -> None:
    """A check uses nothing of the harness but what reads printed answers."""
    used = {each for tree in modules("exercises").values() for each in below(imported(tree), "grader", "reference")}

    assert used <= {"grader.output", "grader.output.printed"}


def test_no_pickle() -> None:
    """Nothing is unpickled anywhere: not what came out of a sandbox, nor anything else."""
    modules_ = ("pickle", "marshal", "shelve", "dill", "cloudpickle")

    assert set() == {name for name, tree in GRADER.items() if below(imported(tree), *modules_)}


def test_nothing_is_executed_outside() -> None:
    """Only what runs inside the sandbox executes source text."""
    users = {
        name
        for name, tree in GRADER.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"exec", "eval"}
    }

    assert {"grader.sandbox.execution", "grader.sandbox.imports"} == users


def test_no_circles() -> None:
    """Imports go one way: no module needs itself, however far round."""
    needs = {
        name: below(imported(tree, for_types=False), "grader") & set(GRADER) - {name} for name, tree in GRADER.items()
    }
    while ready := {name for name, needed in needs.items() if not needed & set(needs)}:
        for name in ready:
            del needs[name]

    assert {} == needs


@pytest.mark.parametrize("name", sorted(ALL))
def test_docstrings(name: str) -> None:
    """Every module says what it is."""
    assert ast.get_docstring(ALL[name]) or name.endswith("starter")


def test_rooms_have_names() -> None:
    """There is no drawer for what has no place."""
    parts = {part for name in ALL for part in name.split(".")}

    assert set() == parts & {
        "utils",
        "util",
        "helpers",
        "common",
        "core",
        "base",
        "misc",
        "models",
        "manager",
        "managers",
    }
