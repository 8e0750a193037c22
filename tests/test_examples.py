"""Where a public case goes wrong, a smaller one is looked for, which goes wrong alike and costs nobody a grade."""

from __future__ import annotations

import dataclasses
import itertools
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import examples
from grader.checks import Checks
from grader.errors import ExerciseError
from grader.exercise import load_exercise
from grader.grading import grade
from grader.sandbox.unsafe import UnsafeSandbox
from grader.submission import Submission
from grader.verdict import Verdict
from reference import corpus
from reference.engine import Value
from tests.typical_work import typical_work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from grader.exercise import Exercise
    from grader.verdict import Report, Result
    from tests.conftest import Command, Judge, TinyCourse

ROOT = Path(__file__).parents[1]
CHECK = '''\
import pytest


@pytest.fixture
def shift():
    return 0


@pytest.mark.parametrize(("number", "times"), [(1, 1), (50, 2), (99, 3)])
def check_it(engine, number, times, shift):
    """A value keeps its number."""
    x = engine.Value(number + shift)
    return {"x.data": x.data, "as often": [x.data for _ in range(times)]}
'''
FINE = '''\
def check_fine(engine):
    """A value keeps its number."""
    return {"x.data": engine.Value(3.0).data}
'''
SMALLER = '''\
from hypothesis import strategies as st


def smaller(number, times):
    """Numbers below one, as often or less often."""
    return {"number": st.integers(0, number - 1), "times": st.integers(1, times)}
'''


def shrinking(course: TinyCourse, smaller: str = SMALLER, checks: str = CHECK, **exercise: Any) -> Exercise:
    """An exercise that tells of smaller cases."""
    loaded = course.exercise(checks, **exercise)
    course.write("reference/smaller.py", smaller)
    manifest = loaded.folder / "exercise.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("xp = 5\nhint", 'xp = 5\nsmaller = "reference.smaller"\nhint'), encoding="utf-8")
    return load_exercise(loaded.folder)


def wrong(course: TinyCourse, data: str) -> str:
    """What a student hands in whose value holds something else."""
    return course.right.replace("self.data = data", f"self.data = {data}")


def only(report: Report) -> Result:
    """The result of the only check there is."""
    (result,) = report.results
    return result


def above(least: int, tried: list[int] | None = None) -> Callable[[Mapping[str, Any]], int | None]:
    """Finds numbers wrong that are above one, and notes what it is asked."""

    def attempt(drawn: Mapping[str, Any]) -> int | None:
        number: int = drawn["x"]
        if tried is not None:
            tried.append(number)
        return number if number > least else None

    return attempt


class TestGrading:
    """What is shown is the smallest that was found, or the case itself."""

    def test_smaller(self, course: TinyCourse, judge: Judge) -> None:
        """It goes wrong like the case, and is as small as can be."""
        result = only(judge(shrinking(course), wrong(course, "data + (data > 7)")))

        assert (Verdict.FAILED, "x.data: expected 8, got 9") == (result.verdict, result.what.splitlines()[0])
        assert "x = Value(8)\nx.data\nx.data" == result.code

    def test_none_smaller(self, course: TinyCourse, judge: Judge) -> None:
        """Where nothing smaller goes wrong, the case itself is shown."""
        result = only(judge(shrinking(course), wrong(course, "data + (data > 49)")))

        assert "x = Value(50)" == result.code.splitlines()[0]

    def test_same_verdict(self, course: TinyCourse, judge: Judge) -> None:
        """What ends otherwise is no smaller case of the same: an error is none of a wrong answer."""
        result = only(judge(shrinking(course), wrong(course, "data + 1 if data > 20 else data + (data < 2 or 1 / 0)")))
        error = only(judge(shrinking(course), wrong(course, "data if data < 20 else 1 / 0")))

        assert (Verdict.FAILED, "x.data: expected 0, got 1") == (result.verdict, result.what.splitlines()[0])
        assert (Verdict.ERROR, "x = Value(20)") == (error.verdict, error.code.splitlines()[0])

    @pytest.mark.parametrize(
        ("smaller", "checks"),
        [
            (
                SMALLER,
                CHECK.replace("@pytest.mark.parametrize", "#").replace(
                    "number, times, shift", "shift, number=50, times=1"
                ),
            ),
            (SMALLER.replace("return", "1 / 0; return"), CHECK),
            (SMALLER.replace("number - 1", "-1"), CHECK),
            (SMALLER.replace("return {", "return [").replace("}", "]").replace(": st", ", st"), CHECK),
            (SMALLER.replace("st.integers(0, number - 1)", "st.just(None)"), CHECK),
            (SMALLER.replace("st.integers(0, number - 1)", "st.nothing()"), CHECK),
        ],
        ids=["no parameters", "raises", "no numbers", "no strategies", "no case", "nothing"],
    )
    def test_trouble(self, course: TinyCourse, judge: Judge, smaller: str, checks: str) -> None:
        """What goes wrong in looking costs nobody a grade."""
        result = only(judge(shrinking(course, smaller, checks), wrong(course, "data + (data > 7)")))

        assert (Verdict.FAILED, "x = Value(50)") == (result.verdict, result.code.splitlines()[0])

    def test_hidden(self, course: TinyCourse, judge: Judge) -> None:
        """For a hidden check nothing is looked for."""
        exercise = shrinking(course)
        hidden = dataclasses.replace(exercise, checks=(dataclasses.replace(exercise.checks[0], hidden=True),))

        assert "x = Value(50)" == only(judge(hidden, wrong(course, "data + (data > 7)"))).code.splitlines()[0]

    @pytest.mark.parametrize(
        "act", ["while True: pass", "bytearray(1 << 40)", "import os; os.kill(os.getppid(), 9); os._exit(0)"]
    )
    def test_stopped(self, course: TinyCourse, judge: Judge, act: str) -> None:
        """A smaller case at which the code has to be stopped ends the search, and changes nothing."""
        source = wrong(course, "data + (data > 7)").replace(
            "        self.grad = 0.0\n", f"        self.grad = 0.0\n        if 1 < data < 50:\n            {act}\n"
        )
        result = only(judge(shrinking(course, limits={"check_seconds": 1}), source))

        assert (Verdict.FAILED, "x = Value(50)") == (result.verdict, result.code.splitlines()[0])

    @pytest.mark.parametrize(
        ("act", "verdict"), [("__import__('os')._exit(3)", Verdict.ERROR), ("bytearray(1 << 40)", Verdict.MEMORY)]
    )
    def test_gone(self, course: TinyCourse, judge: Judge, act: str, verdict: Verdict) -> None:
        """Where the case itself ends the process, there is nothing to ask, and what is next is asked as ever."""
        source = course.right.replace("self.grad = 0.0", f"self.grad = 0.0 if data != 50 else {act}")
        case, fine = judge(shrinking(course, checks=f"{CHECK}\n\n{FINE}"), source).results

        assert (verdict, "x = Value(50)") == (case.verdict, case.code.splitlines()[0].replace("a = ", "x = "))
        assert Verdict.PASSED == fine.verdict

    def test_given(self, course: TinyCourse, judge: Judge) -> None:
        """What Hypothesis draws anyway is made smaller anyway."""
        given_ = (
            CHECK.replace("import pytest", "import pytest\nfrom hypothesis import given, strategies as st")
            .replace(
                "def check_it(engine, number, times, shift):",
                "@given(more=st.integers(0, 9))\ndef check_it(engine, number, times, more):",
            )
            .replace("number + shift", "number + more")
        )
        result = only(judge(shrinking(course, checks=given_), wrong(course, "data + (data > 52)")))

        assert "x = Value(53)" == result.code.splitlines()[0]

    def test_flaky(self, course: TinyCourse, judge: Judge) -> None:
        """Nor is anything shown of code that does not answer the same twice."""
        source = f"calls = []\n{wrong(course, 'data + (data > 40 or calls.append(1) or len(calls) == 3)')}"
        result = only(judge(shrinking(course), source))

        assert (Verdict.FAILED, "x = Value(50)") == (result.verdict, result.code.splitlines()[0])

    def test_no_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where time runs out, the case itself is shown, however far the search was."""
        ticks = itertools.count()
        monkeypatch.setattr("grader.examples.time", SimpleNamespace(monotonic=lambda: float(next(ticks))))
        monkeypatch.setattr(examples, "SMALLER_SECONDS", 5.0)

        assert examples.find_smaller({"x": st.integers(0, 10**9)}, 1, above(10)) is None

    def test_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """No more are tried than it says, and what is found by then is shown."""
        monkeypatch.setattr(examples, "MOST_SMALLER", 5)
        tried: list[int] = []
        found = examples.find_smaller({"x": st.integers(0, 10**9)}, 1, above(10**6, tried))

        assert 10 == len(tried)
        assert found in tried

    def test_not_installed(self, course: TinyCourse) -> None:
        """Without Hypothesis the verdict is the same, and the case itself is shown."""
        exercise, source = shrinking(course), wrong(course, "data + (data > 7)")

        assert ["failed x = Value(8)"] == apart(exercise, source, "print(told)")
        assert ["failed x = Value(50)"] == apart(exercise, source, "print(told)", "sys.modules['hypothesis'] = None")

    def test_only_where_it_is_wrong(self, course: TinyCourse) -> None:
        """Hypothesis is not even imported where all is right, or where nothing tells of smaller cases."""
        said = "print('hypothesis' in sys.modules)"

        assert ["False"] == apart(course.exercise(CHECK), wrong(course, "data + 1"), said)
        assert ["False"] == apart(shrinking(course), course.right, said)
        assert ["True"] == apart(shrinking(course), wrong(course, "data + (data > 7)"), said)


def apart(exercise: Exercise, source: str, then: str, before: str = "") -> list[str]:
    """What is printed by a process of its own that grades a source, after some statement and before another."""
    script = f"""
import sys
from pathlib import Path

{before}
from grader.checks import Checks
from grader.exercise import load_exercise
from grader.grading import grade
from grader.sandbox.unsafe import UnsafeSandbox
from grader.submission import Submission

with UnsafeSandbox() as sandbox, Checks(load_exercise(Path(sys.argv[1]))) as checks:
    (result,) = grade(Submission("ada", "tiny", "value.py", sys.argv[2].encode()), checks, sandbox).results
told = f"{{result.verdict}} {{result.code.partition(chr(10))[0]}}"
{then}
"""
    command = [sys.executable, "-c", script, str(exercise.folder), source]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()  # noqa: S603  # ourselves


class TestAuthors:
    """A module that tells of nothing is its author's mistake."""

    @pytest.mark.parametrize(
        ("smaller", "said"),
        [
            ("1 / 0", "check_it[50-2]: reference.smaller cannot be imported: ZeroDivisionError: division by zero"),
            ("", "check_it[50-2]: reference.smaller has no function 'smaller'; see docs/authors.md"),
        ],
    )
    def test_modules(self, course: TinyCourse, judge: Judge, smaller: str, said: str) -> None:
        """It is said when it is asked."""
        with pytest.raises(ExerciseError) as caught:
            judge(shrinking(course, smaller), wrong(course, "data + (data > 7)"))

        assert (said,) == caught.value.mistakes


# ---- The course's own expressions

MISTAKES = [name for name in typical_work("pow_relu") if not name.startswith("right__")]
"""Wrong work, of which some is what no known mistake explains."""


@pytest.fixture(scope="module")
def expressions() -> Exercise:
    """The exercise with its check of small expressions alone."""
    exercise = load_exercise(ROOT / "exercises" / "pow_relu")
    return dataclasses.replace(
        exercise, checks=tuple(check for check in exercise.checks if check.name == "check_expressions")
    )


@pytest.fixture(scope="module")
def checks(expressions: Exercise) -> Iterator[Checks]:
    """The same, collected."""
    with Checks(expressions) as collected:
        yield collected


def expression(code: str) -> str:
    """The line that a transcript is of: with calls in their places and without what is read."""
    return "; ".join(line for line in code.splitlines() if not line.endswith((".data", ".grad")))


@pytest.mark.parametrize("name", MISTAKES[::3])
def test_never_larger(checks: Checks, expressions: Exercise, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """What is shown of wrong work goes wrong, is not larger than what the list has, and is the same each time."""
    submission = Submission("ada", expressions.id, "value.py", typical_work("pow_relu")[name].encode())
    with UnsafeSandbox() as sandbox:
        report = grade(submission, checks, sandbox)
        first, again = only(report), only(grade(submission, checks, sandbox))
        with monkeypatch.context() as patch:
            patch.setattr(examples, "is_possible", lambda: False)
            with Checks(expressions) as without:
                plain = grade(submission, without, sandbox)

    listed = only(plain)
    assert first == again
    assert (report.xp, report.diagnosis) == (plain.xp, plain.diagnosis)
    assert first.verdict is listed.verdict is not Verdict.PASSED
    assert corpus.effort(expression(first.code)) <= corpus.effort(expression(listed.code))


@pytest.mark.parametrize("name", ["order-too-early__classes", "none__relu_with_a_ceiling"])
def test_other_processes(checks: Checks, command: Command, tmp_path: Path, name: str) -> None:
    """In another process, with other modules in it, the same is found; and it is smaller than what the list has."""
    file = tmp_path / "value.py"
    file.write_text(typical_work("pow_relu")[name], encoding="utf-8")
    with UnsafeSandbox() as sandbox:
        found = only(grade(Submission("ada", "pow_relu", "value.py", file.read_bytes()), checks, sandbox))

    assert textwrap.indent(found.code, "    ") in command("check", "pow_relu", file, cwd=ROOT).stdout
    assert expression(found.code) in {
        "x = Value(2.0); p = x - 1; y = p * (p - 1); y.backward()",
        "x = Value(3.0); y = x.relu(); y.backward()",
    }


def closed_below_one(x: Value, result: Value) -> None:
    """A relu that takes all below 1 for not positive."""
    if x.data < 1:
        result.slopes = (0.0,)


def flat_far_out(x: Value, result: Value) -> None:
    """A tanh that is flat where it is nearly 1."""
    if abs(x.data) > 2.2:
        result.slopes = (0.0,)


@pytest.mark.parametrize(
    ("name", "spoil", "found"),
    [
        ("relu", closed_below_one, "x = Value(0.5); y = x.relu(); y.backward()"),
        ("tanh", flat_far_out, "x = Value(3.0); y = x.tanh(); y.backward()"),
    ],
)
def test_unforeseen(name: str, spoil: Callable[[Value, Value], None], found: str) -> None:
    """Of a mistake that nobody thought of, the smallest example is found from the larger one that is listed."""

    def method(self: Value) -> Value:
        result: Value = getattr(Value, name)(self)
        spoil(self, result)
        return result

    engine = type("Value", (Value,), {name: method})

    def attempt(drawn: Mapping[str, Any]) -> str | None:
        line: str = drawn["expression"]
        return line if corpus.response(engine, line) != corpus.response(Value, line) else None

    listed = next(line for line in LISTED if attempt({"expression": line}))

    assert corpus.size(listed) > corpus.size(found)
    assert found == examples.find_smaller(corpus.smaller(listed), 1, attempt)


LISTED = (ROOT / "exercises/pow_relu/checks/expressions.txt").read_text(encoding="utf-8").splitlines()


@settings(max_examples=200)
@given(st.data())
def test_smaller_expressions(data: st.DataObject) -> None:
    """What is drawn to be smaller than an expression is, and asks only what the exercise says."""
    line = data.draw(st.sampled_from(LISTED[40:]))
    drawn = data.draw(corpus.smaller(line)["expression"])

    assert corpus.effort(drawn) < corpus.effort(line)
    assert corpus.is_suitable(drawn)
    signs = [set(re.findall(r"relu|tanh|\*\*|[-+*](?= )|-(?=[a-z(])", each)) for each in (drawn, line)]
    assert signs[0] <= signs[1]
