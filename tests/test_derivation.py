"""A student whose public answer is wrong is told how the right one comes about; of hidden checks nobody is."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from grader import frozen_ways
from grader.checks import Checks, reference
from grader.derivation import derivation_of
from grader.diagnosis import Answer, Manner
from grader.errors import ExerciseError
from grader.exercise import load_exercise
from grader.frozen import FILE_NAME, freeze
from grader.seeding import public_seed
from grader.verdict import Verdict
from tests.conftest import CHECKS

if TYPE_CHECKING:
    from grader.exercise import Exercise
    from grader.verdict import Report
    from tests.conftest import Judge, TinyCourse

DERIVE = '''\
def derive(code):
    """Tell of each line that reads something which lines there were before it."""
    lines = code.splitlines()
    return {line: "\\n".join(lines[:at]) for at, line in enumerate(lines) if "." in line and "(" not in line}
'''
OPEN = "1.0 if self.data > 0 else 0.0"


def deriving(course: TinyCourse, checks: str = CHECKS, hidden: str = "", derive: str = DERIVE) -> Exercise:
    """An exercise that can tell how answers come about."""
    loaded = course.exercise(checks, hidden)
    course.write("reference/telling.py", derive)
    manifest = loaded.folder / "exercise.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("[reference]", '[reference]\nderivation = "reference.telling"'), encoding="utf-8")
    return load_exercise(loaded.folder)


def check(body: str, arguments: str = "engine") -> str:
    """The source of a check."""
    return f'import pytest\n\n\ndef check_it({arguments}):\n    """It holds."""\n    {body}\n'


def told(report: Report) -> dict[str, str]:
    """What is told of each check."""
    return {result.check: result.derivation for result in report.results}


class TestGrading:
    """The account of the course is shown where a public check has a wrong answer that it tells of."""

    def test_wrong(self, course: TinyCourse, judge: Judge) -> None:
        """It is about what the check did, in the same words; of a check that passed there is none."""
        exercise = deriving(course)
        report = judge(exercise, course.right.replace(OPEN, "1.0"))

        assert {"check_value": "", "check_relu": "x = Value(-2.0)\ny = x.relu()\ny.backward()\ny.data"} == told(report)
        assert report.results[1].code == f"{report.results[1].derivation}\nx.grad"

    def test_hidden(self, course: TinyCourse, judge: Judge) -> None:
        """Of a hidden check that is just as wrong there is none."""
        exercise = deriving(course, CHECKS, check('x = engine.Value(3.0)\n    return {"x.data": x.data}'))
        report = judge(exercise, course.right.replace("self.data = data", "self.data = data + 1"))

        assert [Verdict.FAILED] * 3 == [result.verdict for result in report.results]
        assert [True, True, False] == [result.derivation != "" for result in report.results]

    def test_fewest_steps(self, course: TinyCourse, judge: Judge) -> None:
        """Of several wrong answers, the one that takes the fewest steps is told of, and no right one."""
        exercise = deriving(course)
        report = judge(exercise, course.right.replace(OPEN, "1.0").replace("max(self.data, 0.0)", "self.data"))

        assert "x = Value(-2.0)\ny = x.relu()\ny.backward()" == told(report)["check_relu"]

    @pytest.mark.parametrize(
        ("source", "verdict"),
        [
            (check("return engine.Value(3.0).data"), Verdict.FAILED),
            (check('assert engine.Value(3.0).data == 3.0\n    return {"x.data": 1.0}'), Verdict.FAILED),
            (check('x = engine.Value(3.0)\n    return {"the number": x.data}'), Verdict.FAILED),
            (check('x = engine.Value(3.0)\n    return {"x.data": float(x.data)}'), Verdict.FAILED),
            (check('x = engine.Value(3.0)\n    return {"x.data": x.data}'), Verdict.ERROR),
            (
                check('run, x = program(), engine.Value(3.0)\n    return {"x.data": x.data}', "engine, program"),
                Verdict.FAILED,
            ),
        ],
        ids=["no label", "assert", "other label", "value on the way", "error", "program"],
    )
    def test_nothing_to_tell(self, course: TinyCourse, judge: Judge, source: str, verdict: Verdict) -> None:
        """Where the wrong answer has no name of its own, or hangs on more than the engine, nothing is told."""
        wrong = "self.data = data + 1" if verdict is Verdict.FAILED else "self.data = data.nothing"
        report = judge(deriving(course, source), course.right.replace("self.data = data", wrong))

        assert [(verdict, "")] == [(result.verdict, result.derivation) for result in report.results]

    def test_without(self, course: TinyCourse, judge: Judge) -> None:
        """An exercise that has no such module tells nothing."""
        report = judge(course.exercise(), course.right.replace(OPEN, "1.0"))

        assert {"check_value": "", "check_relu": ""} == told(report)

    def test_long(self, course: TinyCourse, judge: Judge) -> None:
        """Of a long account both ends are kept."""
        exercise = deriving(course, derive='def derive(code): return {"x.grad": "\\n".join(map(str, range(100)))}')
        lines = told(judge(exercise, course.right.replace(OPEN, "1.0")))["check_relu"].splitlines()

        assert (31, "0", "... (70 more lines)", "99") == (len(lines), lines[0], lines[15], lines[-1])

    @pytest.mark.parametrize(
        "derive",
        [
            "def derive(code): raise SystemExit",
            "def derive(code): return 1 / 0",
            "def derive(code): return None",
            "def derive(code):\n    while True: pass",
        ],
    )
    def test_trouble(self, course: TinyCourse, judge: Judge, monkeypatch: pytest.MonkeyPatch, derive: str) -> None:
        """What goes wrong in telling costs nobody a grade, nor does telling that never ends."""
        monkeypatch.setattr(reference, "DERIVATION_SECONDS", 0.2)
        report = judge(deriving(course, derive=derive), course.right.replace(OPEN, "1.0"))

        assert [Verdict.PASSED, Verdict.FAILED] == [result.verdict for result in report.results]
        assert {"check_value": "", "check_relu": ""} == told(report)

    def test_only_where_it_is_wrong(self, course: TinyCourse, judge: Judge) -> None:
        """The account is not asked for where all is right."""
        log = course.root / "log"
        exercise = deriving(
            course, derive=f"from pathlib import Path\n\ndef derive(code): Path({str(log)!r}).touch(); return {{}}"
        )
        judge(exercise, course.right)
        assert not log.exists()

        judge(exercise, course.right.replace(OPEN, "1.0"))
        assert log.exists()


class TestAuthors:
    """A module that cannot tell is found before anything is graded."""

    @pytest.mark.parametrize(
        ("derive", "said"),
        [
            ("1 / 0", "reference.telling cannot be imported: ZeroDivisionError: division by zero"),
            ("derive = 1", "reference.telling has no function 'derive'; see docs/authors.md"),
            ("", "reference.telling has no function 'derive'; see docs/authors.md"),
        ],
    )
    def test_modules(self, course: TinyCourse, derive: str, said: str) -> None:
        """What is wrong with it is said."""
        with pytest.raises(ExerciseError) as caught:
            Checks(deriving(course, derive=derive))

        assert (said,) == caught.value.mistakes


class TestStudentsCopies:
    """A copy without the reference tells the same."""

    def test_the_same(self, course: TinyCourse, judge: Judge) -> None:
        """What is recorded is what the whole course tells, whoever is wrong in whatever way."""
        exercise = deriving(course)
        sources = [course.right.replace(OPEN, "1.0"), course.right.replace("self.data = data", "self.data = -data")]
        whole = [judge(exercise, source).results for source in sources]
        with Checks(exercise) as checks:
            found = [get(lambda check: public_seed("tiny", check.name)) for get in (checks.answers, checks.derivations)]
        (exercise.folder / FILE_NAME).write_bytes(freeze(exercise, *found))  # type: ignore[arg-type]  # one of each
        (exercise.folder / frozen_ways.FILE_NAME).write_bytes(frozen_ways.freeze(exercise, {}, {}))
        shutil.rmtree(course.root / "reference")

        assert whole == [judge(exercise, source).results for source in sources]
        assert all(any(result.derivation for result in results) for results in whole)

    @pytest.mark.parametrize("changed", [[], {"check_it": []}, {"check_it": {"x.grad": 1}}, None])
    def test_damaged(self, course: TinyCourse, changed: Any) -> None:
        """A record whose texts are none is refused."""
        exercise = course.exercise()
        record = json.loads(freeze(exercise, {}, {}))
        (exercise.folder / FILE_NAME).write_text(json.dumps(record | {"derivations": changed}))
        shutil.rmtree(course.root / "reference")
        with pytest.raises(ExerciseError, match="is not as it was written"):
            Checks(exercise)


@pytest.mark.parametrize(
    ("expected", "answer", "said"),
    [
        ({"x.grad": 1.0, "w.grad": 2.0}, {"x.grad": 0.0, "w.grad": 0.0}, "two\nlines"),
        ({"x.grad": 1.0, "w.grad": 2.0}, {"x.grad": 0.0, "w.grad": 2.0}, "three\nlong\nlines"),
        ({"x.grad": 1.0, "y.data": 2.0}, {"x.grad": 1.0, "y.data": 0.0}, ""),
        ({"x.grad": 1.0}, {"y.grad": 1.0}, ""),
        ({"x.grad": 1.0}, (1.0,), ""),
        ((1.0,), (2.0,), ""),
    ],
)
def test_what_is_told(expected: object, answer: object, said: str) -> None:
    """Something is told of a wrong answer that has the name of one that there is something to tell of."""
    texts = {"x.grad": "three\nlong\nlines", "w.grad": "two\nlines"}

    assert said == derivation_of(expected, Answer(Manner.ANSWERED, answer), texts)
    assert "" == derivation_of(expected, Answer(Manner.REFUSED), texts)
