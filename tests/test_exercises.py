"""The course's own exercises: they load, they can be solved, and their hidden inputs ask what they claim to ask."""

from __future__ import annotations

import importlib.util
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mpmath  # type: ignore[import-untyped]  # it ships no types
import pytest

from grader.checks import Checks
from grader.exercise import load_exercise
from grader.grading import grade
from grader.sandbox.unsafe import UnsafeSandbox
from grader.submission import Submission
from reference import engine, line_fit, neuron_fit
from reference.misconceptions import line_fit as wrong_line
from reference.misconceptions import neuron_fit as wrong_neuron
from reference.points import read_points

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import ModuleType

    from reference.points import Point

    Printed = tuple[str, ...]

ROOT = Path(__file__).resolve().parents[1]
EXERCISES = {"pow_relu": "value.py", "neuron_fit": "train_neuron.py", "line_fit": "line_fit.py"}
PROGRAMS = {
    "pow_relu": ("engine", "pow_relu"),
    "neuron_fit": ("engine", "points", "neuron_fit"),
    "line_fit": ("engine", "points", "line_fit"),
}
"""The reference modules that make up an answer, in one file in this order."""
SECRET = b"sixteen characters or more"


def load(path: Path) -> Any:
    """Import one file of the course by its path."""
    specification = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, module.__name__, module)  # a dataclass looks its own module up
        patch.setattr(sys, "dont_write_bytecode", True)  # the course's folders stay as they are
        specification.loader.exec_module(module)
    return module


def in_one_file(modules: Iterable[str]) -> bytes:
    """Put reference modules into one file, as students hand theirs in."""
    texts = [(ROOT / "reference" / f"{module}.py").read_text() for module in modules]
    text = re.sub(r"^(from __future__ .*|from reference.*)\n", "", "\n".join(texts), flags=re.MULTILINE)
    return f"from __future__ import annotations\n{text}".encode()


@pytest.mark.parametrize("name", EXERCISES)
class TestEveryExercise:
    """What holds for each of the exercises."""

    def test_loads(self, name: str) -> None:
        """An exercise loads, and its public and hidden checks are worth 25 XP together."""
        exercise = load_exercise(ROOT / "exercises" / name)

        assert EXERCISES[name] == exercise.submit
        assert 25 == exercise.xp == sum(check.xp for check in exercise.checks)
        assert {False, True} == {check.hidden for check in exercise.checks}

    def test_names(self, name: str) -> None:
        """What is asked of an engine is what the statement names, and the starter has it."""
        exercise = load_exercise(ROOT / "exercises" / name)

        assert ({"Value": ("data", "grad")} if name == "pow_relu" else {}) == exercise.names
        for names in exercise.names.values():
            assert all(f".{each}`" in (exercise.folder / "README.md").read_text(encoding="utf-8") for each in names)

    def test_reference_passes(self, name: str) -> None:
        """Handed in as a student's file, the reference earns everything."""
        exercise = load_exercise(ROOT / "exercises" / name)
        submission = Submission("reference", name, exercise.submit, in_one_file(PROGRAMS[name]))
        with UnsafeSandbox() as sandbox, Checks(exercise) as checks:
            report = grade(submission, checks, sandbox, SECRET)

        assert [] == [(result.check, result.what) for result in report.results if not result.passed]
        assert 25 == report.xp

    def test_starter_runs(self, name: str) -> None:
        """The starter runs as it is, and says something."""
        done = run(ROOT / "exercises" / name / "starter.py", "")

        assert "" == done.stderr
        assert "" != done.stdout

    def test_readme_tells_the_truth(self, name: str) -> None:
        """Each run that the README shows is what the reference prints about the input shown before it."""
        blocks = re.findall(
            r"^```\n(.*?)^```$", (ROOT / "exercises" / name / "README.md").read_text(), re.MULTILINE | re.DOTALL
        )
        inputs = [block for block in blocks if re.match(r"-?\d", block)]
        outputs = [re.sub(r"^\$ .*\n", "", block) for block in blocks if block not in inputs]
        shown = inputs if len(inputs) == len(outputs) else ["", *inputs]

        assert outputs == [run(f"reference.{name}", stdin).stdout for stdin in shown]

    def test_hidden_words_keep_the_inputs(self, name: str) -> None:
        """What a student reads of a hidden check holds no number but those of the README."""
        exercise = load_exercise(ROOT / "exercises" / name)
        words = " ".join(check.question + check.hint for check in exercise.checks if check.hidden)
        readme = set(re.findall(r"\d+(?:\.\d+)?", (exercise.folder / "README.md").read_text()))

        assert set() == set(re.findall(r"\d+(?:\.\d+)?", words)) - readme


def run(program: Path | str, stdin: str) -> subprocess.CompletedProcess[str]:
    """Run a file, or a module of the reference."""
    named = [str(program)] if isinstance(program, Path) else ["-m", program]
    return subprocess.run(  # noqa: S603  # our own interpreter runs our own file
        [sys.executable, *named], cwd=ROOT, input=stdin, capture_output=True, text=True, check=True
    )


# ---- pow_relu


class Exact:
    """A number of 60 digits with the operations of the random graphs."""

    def __init__(self, number: Any) -> None:
        self.number = number

    def __add__(self, other: Any) -> Exact:
        return Exact(self.number + getattr(other, "number", other))

    def __sub__(self, other: Any) -> Exact:
        return Exact(self.number - getattr(other, "number", other))

    def __mul__(self, other: Any) -> Exact:
        return Exact(self.number * getattr(other, "number", other))

    def __pow__(self, exponent: float) -> Exact:
        return Exact(self.number**exponent)

    def __neg__(self) -> Exact:
        return Exact(-self.number)

    def tanh(self) -> Exact:
        """Return the hyperbolic tangent."""
        return Exact(mpmath.tanh(self.number))

    def relu(self) -> Exact:
        """Return the number, or 0 for a negative one."""
        return Exact(max(self.number, mpmath.mpf(0)))


@pytest.fixture(scope="module")
def graphs() -> Any:
    """The hidden checks of pow_relu."""
    return load(ROOT / "exercises/pow_relu/hidden/check_more_values.py")


@pytest.mark.parametrize("seed", range(20))
def test_random_graphs_are_well_conditioned(graphs: Any, seed: int) -> None:
    """The reference answers every random graph as 60 digits and central differences do, up to a few roundings."""
    answers = graphs.check_random_graphs(engine, random.Random(seed))
    rng = random.Random(seed)
    for exponent, (data, gradients) in zip(graphs.EXPONENTS, answers, strict=True):
        steps = graphs.draw_steps(rng)
        leaves = [rng.choice([-1, 1]) * rng.uniform(0.5, 2.0) for _ in range(graphs.LEAVES)]

        def value(*numbers: Any, steps: Any = steps, exponent: float = exponent) -> Any:
            nodes = [Exact(number) for number in numbers]
            for kind, newest, other in steps:
                nodes.append(graphs.apply(kind, nodes[newest], nodes[other], exponent))
            return nodes[-1].number

        with mpmath.workdps(60):
            exact = [mpmath.mpf(leaf) for leaf in leaves]
            nudge = mpmath.mpf(10) ** -20
            slopes = []
            for index in range(graphs.LEAVES):
                up = [leaf + nudge * (at == index) for at, leaf in enumerate(exact)]
                down = [leaf - nudge * (at == index) for at, leaf in enumerate(exact)]
                slopes.append(float((value(*up) - value(*down)) / (2 * nudge)))

            assert float(value(*exact)) == pytest.approx(data, rel=1e-13)
            assert slopes == pytest.approx(gradients, rel=1e-13, abs=1e-13)


def agrees(expected: object, observed: object) -> bool:
    """Whether a student's engine answers as the reference does."""
    return bool(pytest.approx(flat(expected), rel=1e-11, abs=1e-12) == flat(observed))


def flat(answer: object) -> list[float]:
    """Put all the numbers of an answer into one list."""
    if isinstance(answer, list | tuple):
        return [number for item in answer for number in flat(item)]
    assert isinstance(answer, int | float)
    return [answer]


@pytest.mark.parametrize("student", ["ada", "blaise", "dorothy", "fay", "jun"])
def test_random_graphs_let_right_work_pass(graphs: Any, student: str) -> None:
    """Whatever is drawn for a student, right work passes, and what is wrong at 0 alone is no matter."""
    theirs = load(ROOT / "submissions" / student / "value.py")

    assert all(
        agrees(
            graphs.check_random_graphs(engine, random.Random(seed)),
            graphs.check_random_graphs(theirs, random.Random(seed)),
        )
        for seed in range(100)
    )


@pytest.mark.parametrize("student", ["felix", "grace", "hana", "ivo", "kira", "lena", "milo", "rosa"])
def test_random_graphs_catch_every_mistake(graphs: Any, student: str) -> None:
    """Whatever is drawn for a student, each mistake shows."""
    theirs = load(ROOT / "submissions" / student / "value.py")

    assert not any(
        agrees(
            graphs.check_random_graphs(engine, random.Random(seed)),
            graphs.check_random_graphs(theirs, random.Random(seed)),
        )
        for seed in range(100)
    )


# ---- The pools of the program exercises.


def edge(number: float, decimals: int) -> float:
    """How far a number is from where its last printed digit changes."""
    unit = 10.0**-decimals
    return abs(abs(number) % unit - unit / 2)


def prints(module: Any, **changes: Any) -> Callable[[Sequence[Point]], Printed]:
    """What is printed of points by the recipe that an exercise asks for, with some changes; in plain numbers."""

    def train(points: Sequence[Point]) -> Printed:
        stdin = "".join(f"{x} {y}\n" for x, y in points)
        return tuple(re.findall(r"-?\d+\.\d+", module.program(module.ASKED.but(**changes), stdin)))

    return train


def closed_form(points: Sequence[Point]) -> Printed:
    """Find the best line by its formula; there is none where all points have the same x."""
    xs, ys = zip(*points, strict=True)
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - middle_x) ** 2 for x in xs)
    if spread == 0:
        return ("no line",)
    w = sum((x - middle_x) * (y - middle_y) for x, y in points) / spread
    return f"{w:.2f}", f"{middle_y - w * middle_x:.2f}"


NEURON_MISTAKES: dict[str, Callable[[Sequence[Point]], Printed]] = {
    "one step more": prints(wrong_neuron, steps=302),
    "one step fewer": prints(wrong_neuron, steps=300),
    "half the rate": prints(wrong_neuron, rates=(0.1, 0.1)),
    "the mean": prints(wrong_neuron, share=lambda count: 1 / count),
    "no reset": prints(wrong_neuron, kept=(1.0, 1.0)),
}
LINE_MISTAKES: dict[str, Callable[[Sequence[Point]], Printed]] = {
    "one step more": prints(wrong_line, steps=501),
    "one step fewer": prints(wrong_line, steps=499),
    "a fifth of the rate": prints(wrong_line, rates=(0.01, 0.01)),
    "twice the rate": prints(wrong_line, rates=(0.1, 0.1)),
    "the sum": prints(wrong_line, share=lambda _: 1.0),
    "no reset": prints(wrong_line, kept=(1.0, 1.0)),
    "w before b": prints(wrong_line, turns=((0,), (1,))),
    "the formula": closed_form,
}


def pools(path: str) -> Iterator[tuple[str, list[Point]]]:
    """Each case of each pool of a check file, with the pool's name."""
    module: ModuleType = load(ROOT / "exercises" / path)
    for name, pool in vars(module).items():
        if name.isupper() and name != "FORM":
            for case in pool:
                yield name, read_points(case.splitlines()) if isinstance(case, str) else case


NEURON_POOLS = list(pools("neuron_fit/hidden/check_other_training.py"))
LINE_POOLS = list(pools("line_fit/hidden/check_other_lines.py"))
NEURON_SHOWN = {
    "NEURONS": {"one step fewer", "the mean", "no reset"},
    "NOISY": {"one step fewer", "the mean", "no reset"},
    "MANY": {"one step fewer", "the mean", "no reset"},
    "PAIRS": {"one step fewer", "the mean", "no reset"},
    "SINGLES": {"one step fewer", "no reset"},
    "UNCONVERGED": set(NEURON_MISTAKES),
}
"""The mistakes that each pool shows, in every case of it. With one step fewer, a line is missing."""
LINE_SHOWN = {
    "LINES": {"no reset"},
    "NOISY": {"no reset"},
    "MANY": {"no reset"},
    "PAIRS": {"no reset"},
    "SINGLES": {"no reset", "w before b", "the formula"},
    "STACKED": {"no reset", "w before b", "the formula"},
    "UNTIDY": {"no reset"},
    "UNCONVERGED": set(LINE_MISTAKES),
}


@pytest.mark.parametrize(("pool", "points"), NEURON_POOLS)
def test_neuron_pools(pool: str, points: list[Point]) -> None:
    """Every case has losses that sink, prints no number near a rounding edge, and shows the mistakes it is for."""
    losses, w, b = neuron_fit.fit(points)
    printed = prints(wrong_neuron)(points)
    shown = {mistake for mistake, wrong in NEURON_MISTAKES.items() if wrong(points) != printed}

    assert (*(f"{losses[step]:.4f}" for step in (0, 100, 200, 300)), f"{w:.2f}", f"{b:.2f}") == printed
    assert sorted(printed[:4], reverse=True) == list(printed[:4])
    assert min(edge(losses[step], 4) for step in (0, 100, 200, 300)) > 1e-6
    assert min(edge(w, 2), edge(b, 2)) > 1e-6
    assert NEURON_SHOWN[pool] == shown


@pytest.mark.parametrize(("pool", "points"), LINE_POOLS)
def test_line_pools(pool: str, points: list[Point]) -> None:
    """Every case stays bounded, prints no number near a rounding edge, and shows the mistakes it is for."""
    w, b = line_fit.fit(points)
    printed = prints(wrong_line)(points)
    shown = {mistake for mistake, wrong in LINE_MISTAKES.items() if wrong(points) != printed}

    assert (f"{w:.2f}", f"{b:.2f}") == printed
    assert max(abs(w), abs(b)) < 100
    assert min(edge(w, 2), edge(b, 2)) > 1e-6
    assert LINE_SHOWN[pool] == shown


@pytest.mark.parametrize(
    ("module", "points"),
    [
        (module, points)
        for module, cases in ((wrong_neuron, NEURON_POOLS), (wrong_line, LINE_POOLS))
        for pool, points in cases
        if pool == "MANY"
    ],
)
def test_many_points(module: Any, points: list[Point]) -> None:
    """Where there are many points, it shows if only the first eight count, or two decimals of each."""
    printed = prints(module)(points)

    assert prints(module, read=lambda lines: read_points(lines)[:8])(points) != printed
    assert prints(module, read=lambda lines: [(x, round(y, 2)) for x, y in read_points(lines)])(points) != printed


@pytest.mark.parametrize("points", [points for pool, points in LINE_POOLS if pool == "UNCONVERGED"])
def test_unconverged_lines_are_far_from_the_best(points: list[Point]) -> None:
    """Where a fit has not arrived, the formula's answer differs by more than a digit or two."""
    w, _ = line_fit.fit(points)

    assert abs(w - float(closed_form(points)[0])) > 1
