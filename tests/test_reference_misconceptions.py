"""The known wrong rules: each shows in the checks, no two look alike, and typical wrong work follows them."""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import inspect
import io
import itertools
import random
import re
import runpy
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from grader.compare import agree
from grader.output import OutputMismatch
from reference import corpus
from reference.engine import Value
from reference.misconceptions import Misconception, Way, line_fit, neuron_fit, pow_relu
from reference.misconceptions.engines import DIALECTS, RIGHT_ORDERS, wrong
from reference.pow_relu import lines
from tests.typical_work import typical_work

if TYPE_CHECKING:
    from collections.abc import Callable

    Outcome = tuple[str, object]
    """An answer, or the manner in which there is none."""

ROOT = Path(__file__).parents[1]
KNOWN = {
    "pow_relu": pow_relu.MISCONCEPTIONS,
    "neuron_fit": neuron_fit.MISCONCEPTIONS,
    "line_fit": line_fit.MISCONCEPTIONS,
}
ALL = [(exercise, known) for exercise, misconceptions in KNOWN.items() for known in misconceptions]
SUBMISSIONS = [(exercise, name) for exercise in KNOWN for name in typical_work(exercise)]
DRAWS = range(2)
"""Students, so to speak: hidden inputs are drawn anew for each."""


def load(path: Path) -> Any:
    """Import a file by its path."""
    specification = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, module.__name__, module)  # a dataclass looks its own module up
        patch.setattr(sys, "dont_write_bytecode", True)
        specification.loader.exec_module(module)
    return module


def run(path: Path, stdin: str) -> str:
    """Run a file, or a module of the reference, as a program in this process, and return what it prints."""
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        patch.setattr(sys, "dont_write_bytecode", True)
        runpy.run_path(str(path), run_name="__main__")
    return printed.getvalue()


# ---- Running checks without a sandbox: everything here is our own


def plain(answer: Any) -> Any:
    """An answer as the harness gets it: of an object, the name of its type."""
    if isinstance(answer, dict):
        return {key: plain(value) for key, value in answer.items()}
    if isinstance(answer, list | tuple):
        return [plain(value) for value in answer]
    return answer if isinstance(answer, int | float) else type(answer).__name__


@dataclass(frozen=True, eq=False)
class Case:
    """One case of a check, with the numbers drawn for one student."""

    check: Callable[..., object]
    parameters: dict[str, object]
    draw: int

    def of(self, side: Way) -> Outcome:
        """What comes of it."""
        given = {
            "engine": side.engine,
            "program": lambda stdin="": SimpleNamespace(stdout=side.program(stdin)),
            "rng": random.Random(self.draw),
        }
        asked = inspect.signature(self.check).parameters.keys() & given.keys()
        try:
            return "answer", plain(self.check(**self.parameters, **{name: given[name] for name in asked}))
        except OutputMismatch as mismatch:
            return "printed", str(mismatch)
        except Exception:  # noqa: BLE001  # whatever a wrong engine raises
            return "raised", None


def alike(one: Outcome, other: Outcome) -> bool:
    """Whether two engines, or programs, have done the same with a case."""
    return one[0] == other[0] and not agree(one[1], other[1])


@functools.cache
def cases(exercise: str, draw: int) -> list[Case]:
    """Every case of every check of an exercise, as one student gets it."""
    found = []
    for file in sorted((ROOT / "exercises" / exercise).glob("*/check_*.py")):
        checks = [value for name, value in vars(load(file)).items() if name.startswith("check_")]
        for check in checks:
            sets = []
            for mark in getattr(check, "pytestmark", []):
                names, values = mark.args
                names = [names] if isinstance(names, str) else names
                sets.append([dict(zip(names, value if len(names) > 1 else [value], strict=True)) for value in values])
            found += [
                Case(check, {name: each[name] for each in chosen for name in each}, draw)
                for chosen in itertools.product(*sets)
            ]
    return found


@functools.cache
def sides(exercise: str) -> dict[str, list[Way]]:
    """The ways of each misconception; those of `right` is the reference. A program is run once for each input."""
    if exercise == "pow_relu":
        reference = Way(lambda _: "\n".join(lines(Value)), SimpleNamespace(Value=Value))
    else:
        reference = Way(functools.partial(run, ROOT / f"reference/{exercise}.py"))
    ways = {"right": [reference]} | {known.id: [*known.ways] for known in KNOWN[exercise]}
    return {name: [Way(functools.cache(way.program), way.engine) for way in ways[name]] for name in ways}


@functools.cache
def outcomes(exercise: str, draw: int) -> dict[tuple[str, int], list[Outcome]]:
    """What each way answers to each case."""
    return {
        (name, number): [case.of(way) for case in cases(exercise, draw)]
        for name, ways in sides(exercise).items()
        for number, way in enumerate(ways)
    }


def explanations(exercise: str, draw: int, answer: Callable[[Case], Outcome]) -> set[str]:
    """What explains all that is seen of a student: of each check, the cases up to the first that does not pass."""
    possible = outcomes(exercise, draw)
    failed = None
    for index, case in enumerate(cases(exercise, draw)):
        if failed is not case.check:
            outcome = answer(case)
            failed = None if alike(outcomes(exercise, draw)["right", 0][index], outcome) else case.check
            possible = {way: theirs for way, theirs in possible.items() if alike(theirs[index], outcome)}
    return {name for name, _ in possible}


# ---- The known wrong rules


@pytest.mark.parametrize(("exercise", "known"), ALL, ids=lambda each: getattr(each, "id", each))
class TestEach:
    """What holds for each misconception."""

    def test_sentence(self, exercise: str, known: Misconception) -> None:
        """It has a name of its own, and one sentence that says what seems to be and where to look."""
        assert 1 == [each.id for each in KNOWN[exercise]].count(known.id)
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", known.id)
        assert re.fullmatch(r"[^.;]+ seems? [^;]+; (look|count) [^;]+\.", known.sentence)

    def test_has_ways(self, exercise: str, known: Misconception) -> None:
        """There is a way to make it, with an engine where the exercise asks for one."""
        assert known.ways
        assert {exercise == "pow_relu"} == {way.engine is not None for way in known.ways}


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize(("exercise", "known"), ALL, ids=lambda each: getattr(each, "id", each))
def test_is_told_from_all_others(exercise: str, known: Misconception, draw: int) -> None:
    """Whatever is drawn, each way of a misconception fails a check, and nothing else explains what is seen of it."""
    for number in range(len(known.ways)):
        seen = dict(zip(cases(exercise, draw), outcomes(exercise, draw)[known.id, number], strict=True))

        assert {known.id} == explanations(exercise, draw, seen.__getitem__), number


@pytest.mark.parametrize("order", RIGHT_ORDERS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_engine_without_mistake(dialect: Any, order: Any) -> None:
    """An engine in which no rule is replaced is right, however it is built and in whatever order it goes back."""
    side = wrong(dialect, order=order)

    assert {"right"} == explanations("pow_relu", 0, lambda case: case.of(side))


@pytest.mark.parametrize("module", [neuron_fit, line_fit])
@pytest.mark.parametrize("draw", DRAWS)
def test_recipe_without_mistake(module: Any, draw: int) -> None:
    """The recipe that is asked for, in plain numbers, prints what the reference does with its engine."""
    exercise = module.__name__.rpartition(".")[2]
    side = Way(functools.partial(module.program, module.ASKED))

    assert {"right"} == explanations(exercise, draw, lambda case: case.of(side))


@pytest.mark.parametrize("manner", line_fit.MANNERS)
def test_manners_are_right(manner: Any) -> None:
    """What differs in nothing but roundings prints the same, where the steps lead somewhere."""
    side = Way(functools.partial(line_fit.program, line_fit.ASKED.but(**manner)))

    assert {"right"} == explanations("line_fit", 0, lambda case: case.of(side))


@pytest.mark.parametrize(("exercise", "name"), SUBMISSIONS)
def test_typical_work(exercise: str, name: str, tmp_path: Path) -> None:
    """Typical wrong work is explained by the mistake it makes and by no other; two mistakes at once by none."""
    declared = name.partition("__")[0]
    (path := tmp_path / f"{name}.py").write_text(typical_work(exercise)[name], "utf-8")
    program = functools.partial(run, path)

    @functools.cache
    def side(_: object) -> Way:  # for each check, the file is loaded anew
        return Way(program, load(path) if exercise == "pow_relu" else None)

    assert {declared} - {"none"} == explanations(exercise, 0, lambda case: case.of(side(case.check)))


def test_enough_typical_work() -> None:
    """There is wrong work of many kinds in many styles, and right work in unusual ones."""
    declared = [name.partition("__")[0] for _, name in SUBMISSIONS]
    ids = {known.id for _, known in ALL}

    assert set(declared) <= {*ids, "right", "none"}
    assert declared.count("right") >= 8
    assert declared.count("none") >= 4
    assert len([each for each in declared if each in ids]) >= 30


# ---- The small expressions


EXPRESSIONS = (ROOT / "exercises/pow_relu/checks/expressions.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("known", pow_relu.MISCONCEPTIONS, ids=lambda known: known.id)
def test_small_counterexamples(known: Misconception) -> None:
    """Each wrong engine fails an expression of at most four values, and the first it fails is about the smallest."""
    for way in known.ways:
        assert way.engine is not None
        failed = [
            line for line in EXPRESSIONS if corpus.response(way.engine.Value, line) != corpus.response(Value, line)
        ]

        assert failed
        assert corpus.size(failed[0]) <= 4


def test_expressions_are_in_order() -> None:
    """There are two hundred different ones, ever larger, and each asks only what the exercise says."""
    assert 200 == len(set(EXPRESSIONS)) == len(EXPRESSIONS)
    assert sorted(EXPRESSIONS, key=corpus.effort) == EXPRESSIONS
    assert all(map(corpus.is_suitable, EXPRESSIONS))


def test_drawing(capsys: pytest.CaptureFixture[str]) -> None:
    """Drawing again gives the same lines: what tells engines apart, and others of every size."""
    command = [sys.executable, "-m", "reference.corpus", "300", "60"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603  # our own
    corpus.main(draws=300, lines=60)
    printed = capsys.readouterr().out

    assert done.stdout == printed
    assert 60 == len(set(printed.splitlines()))
    assert corpus.telling(printed.splitlines()) == corpus.telling(corpus.drawn(300))


def test_sizes_take_turns() -> None:
    """As long as there are any, every size comes up as often as the others."""
    small, large = "x = Value(2.0); y = -x; y.backward()", "x = Value(2.0); y = -x + 1; y.backward()"

    assert [2, 3] == [corpus.size(small), corpus.size(large)]
    assert [small, large, small, small] == corpus.evenly([small, small, small, large])


@pytest.mark.parametrize(
    ("line", "suitable"),
    [
        ("x = Value(0.0); y = x.relu(); y.backward()", True),
        ("x = Value(0.0); y = x ** 1; y.backward()", True),
        ("x = Value(0.0); y = x ** 0.5; y.backward()", False),
        ("x = Value(0.0); y = x ** 0; y.backward()", False),
        ("x = Value(-2.0); y = x ** 3.0; y.backward()", True),
        ("x = Value(-2.0); y = x ** 0.5; y.backward()", False),
        ("x = Value(0.0); y = x.tanh().relu(); y.backward()", False),
        ("x = Value(3.0); y = (x ** 0.5 * x ** 0.5 - 3).relu(); y.backward()", False),
        ("x = Value(3.0); y = (x * 3) ** 3; y.backward()", False),
        ("x = Value(0.5); y = x ** -3 * x ** -3; y.backward()", True),
        ("x = Value(0.5); y = (x * 0.5) ** -3 + (x * 0.5) ** -3; y.backward()", False),
        ("x = Value(2.0); y = x - x; y.backward()", False),
        ("x = Value(2.0); y = x.relu().relu(); y.backward()", False),
    ],
)
def test_suitable(line: str, suitable: bool) -> None:  # noqa: FBT001  # a table
    """What the exercise leaves open is not asked, nor what hangs on a rounding, nor what nobody would write."""
    assert suitable == corpus.is_suitable(line)
