"""The least that grading can take: the checks of an exercise on students' files, in one process that isolates nothing.

    python benchmarks/bare.py COURSE EXERCISE FILE...

It is what a hand-made runner does. Student code, hidden checks and right answers share the process, so it proves
nothing of what it grades; it is the floor that everything else is measured by. Needs nothing but the course.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import itertools
import math
import random
import runpy
import sys
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class Run(NamedTuple):
    """What a program did."""

    stdout: str
    stderr: str = ""
    status: int = 0


class _Mark:
    """As much of pytest's `mark` as the checks need, without the time that it takes to import."""

    def parametrize(self, names: str | Sequence[str], values: Sequence[Any]) -> Callable[[Any], Any]:
        """Keep what a check is to be called with."""
        split = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

        def keep(function: Any) -> Any:  # noqa: ANN401  # a check
            rows = [dict(zip(split, value if len(split) > 1 else [value], strict=True)) for value in values]
            function.cases = [one | other for one, other in itertools.product(rows, getattr(function, "cases", [{}]))]
            return function

        return keep


def checks_of(course: Path, exercise: str) -> Iterator[tuple[Callable[..., Any], dict[str, Any]]]:
    """Every case of every check of an exercise."""
    for file in sorted((course / "exercises" / exercise).glob("*/check_*.py")):
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec is not None  # noqa: S101  # there is such a file
        assert spec.loader is not None  # noqa: S101  # the same
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, function in vars(module).items():
            if name.startswith("check_"):
                yield from ((function, case) for case in getattr(function, "cases", [{}]))


def program_of(path: str) -> Callable[..., Run]:
    """What runs a file as a program."""

    def program(stdin: str = "", args: Sequence[str] = ()) -> Run:
        before, sys.stdin, sys.argv = (sys.stdin, sys.argv), io.StringIO(stdin), [path, *args]
        try:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                runpy.run_path(path, run_name="__main__")
        finally:
            sys.stdin, sys.argv = before
        return Run(printed.getvalue())

    return program


def answer(function: Callable[..., Any], case: dict[str, Any], engine: object, program: object) -> object:
    """What a check returns."""
    given = {"engine": engine, "program": program, "rng": random.Random(1)}  # noqa: S311  # repeatable on purpose
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return function(**{name: case.get(name, given.get(name)) for name in names})


def agree(expected: Any, observed: Any) -> bool:  # noqa: ANN401  # any plain value
    """Whether two answers are the same, but for roundings."""
    if isinstance(expected, dict):
        return agree(list(expected.values()), list(observed.values()))
    if isinstance(expected, list | tuple):
        return len(expected) == len(observed) and all(map(agree, expected, observed))
    return bool(math.isclose(expected, observed, rel_tol=1e-9, abs_tol=1e-12))


def main(course: str, exercise: str, *files: str) -> int:
    """Grade files, and return how many cases failed."""
    sys.path.insert(0, course)
    sys.modules["pytest"] = types.SimpleNamespace(mark=_Mark(), param=lambda *values, **_: values)  # type: ignore[assignment]
    engine = "reference.engine" if exercise == "pow_relu" else ""
    reference = importlib.import_module(engine) if engine else None
    reference_program = program_of(str(Path(course, "reference", f"{exercise}.py")))
    asked = [(*each, answer(*each, reference, reference_program)) for each in checks_of(Path(course), exercise)]
    failed = 0
    for file in files:
        module = types.ModuleType("submission")
        if engine:
            exec(compile(Path(file).read_bytes(), file, "exec"), module.__dict__)  # noqa: S102  # what it is for
        program = program_of(file)
        failed += sum(not agree(expected, answer(check, case, module, program)) for check, case, expected in asked)
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
