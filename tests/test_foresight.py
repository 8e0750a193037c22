"""What a check asks is found out once, where no answer changes it, and then asked of everybody in one message."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.checks import Checks
from grader.foresight import foresee
from grader.grading import grade
from grader.stand_in import Opaque
from grader.student import Student
from grader.submission import Submission
from grader.verdict import Report, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from grader.exercise import Exercise
    from grader.sandbox.unsafe import UnsafeSandbox
    from tests.conftest import TinyCourse

FIXED = '''\
import pytest


@pytest.mark.parametrize("x", [1.0, 2.0, -3.0])
def check_it(engine, x):
    """It holds."""
    value = engine.Value(x) + engine.Value(1.0)
    value.backward()
    return {"data": value.data, "grad": value.grad}
'''
DRAWN = FIXED.replace("engine, x", "engine, rng, x").replace("Value(1.0)", "Value(rng.random())")
TRIED_BEFORE = """
    def __add__(self, other):
        import os
        if os.path.exists("tried"):
            return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))
        open("tried", "w").close()
        {act}
"""


def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of drivers from now on."""
    seen: list[str] = []
    request = Student._request  # noqa: SLF001  # there is no other place where all of it passes

    def noted(self: Student, do: str, *arguments: Any, **more: Any) -> dict[str, Any]:
        seen.append(do)
        return request(self, do, *arguments, **more)

    monkeypatch.setattr(Student, "_request", noted)
    return seen


def graded(exercise: Exercise, sandbox: UnsafeSandbox, sources: Sequence[str]) -> list[Report]:
    """Grade several submissions with the same checks."""
    with Checks(exercise) as checks:
        return [
            grade(Submission(f"s{number}", "tiny", "value.py", source.encode()), checks, sandbox, b"secret")
            for number, source in enumerate(sources)
        ]


class TestForesee:
    """What a case asks is known, unless it asks for something before its end."""

    @pytest.mark.parametrize(
        "put",
        [
            lambda engine, _: 1.0 if engine.Value(1.0).data > 0 else 0.0,
            lambda engine, _: list(engine.Value(1.0).parents),
            lambda engine, _: float(engine.Value(1.0).data),
            lambda engine, _: engine.Value(1.0).data + 1,
            lambda _, program: program("1").stdout,
            lambda *_: 1 / 0,
            lambda *_: pytest.fail("no"),
            lambda engine, _: engine.Value(math).data,
            lambda *_: 1.0,
        ],
    )
    def test_what_depends_on_answers_is_not_foreseen(self, put: Callable[[Any, Any], object]) -> None:
        """A case that needs a value, runs the program, fails of itself or asks nothing cannot be asked ahead."""
        assert foresee(put, 1) is None

    def test_what_is_asked(self) -> None:
        """A case is its operations, whose objects have numbers of their own, and the values that it wants."""

        def put(engine: Any, _: object) -> object:
            x = engine.Value(3.0)
            return {"x": [x.data, x], "one": (1.0,)}

        question = foresee(put, 7)

        assert question is not None
        assert [
            ["global", 7, "Value"],
            ["call", 8, {"r": 7}, [{"f": "0x1.8000000000000p+1"}], {"d": []}],
            ["get", 9, {"r": 8}, "data"],
        ] == question.operations
        assert {8, 9} == set(question.wanted)
        answers = {9: {"f": "0x1.8p+1"}, 8: {"r": -1, "o": "Value"}}
        observed = question.read([answers[number] for number in question.wanted])
        assert {"x": [3.0, Opaque("Value")], "one": (1.0,)} == observed

    @given(st.lists(st.floats(allow_nan=False), max_size=5))
    def test_values_are_read_as_they_are(self, values: list[float]) -> None:
        """What is read is what was sent, to the bit."""

        def put(engine: Any, _: object) -> object:
            return [engine.x, (len(values),)]

        question = foresee(put, 1)

        assert question is not None
        assert [values, (len(values),)] == question.read([[{"f": value.hex()} for value in values]])


class TestAskedAtOnce:
    """A check that is known ahead takes one message for each submission, and says what it would have said."""

    @pytest.mark.parametrize("source", [FIXED, DRAWN])
    def test_one_message(
        self, course: TinyCourse, unsafe: UnsafeSandbox, monkeypatch: pytest.MonkeyPatch, source: str
    ) -> None:
        """All cases of a check that passes go together."""
        exercise = course.exercise(source)
        seen = asked(monkeypatch)
        reports = graded(exercise, unsafe, [course.right, course.right])

        assert all(report.passed for report in reports)
        assert 2 * ["load", "begin", "apply", "end"] == seen

    def test_what_is_wrong_is_asked_again(
        self, course: TinyCourse, unsafe: UnsafeSandbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of a check that fails, the first case that does is shown, as if it had been asked alone."""
        exercise = course.exercise(FIXED)
        wrong = course.right.replace("self.data + other.data", "abs(self.data) + other.data")
        seen = asked(monkeypatch)
        (report,) = graded(exercise, unsafe, [wrong])

        assert "data: expected -2.0, got 4.0" == report.results[0].what
        assert (
            report.results[0].code.startswith("value = Value(-3.0) + Value(1.0)")
            or "Value(-3.0)" in report.results[0].code
        )
        assert ["load", "begin", "apply", "end", "begin", "apply", "apply", "apply", "end"] == seen

    def test_a_fixture_of_the_author_s_is_set_up_each_time(self, course: TinyCourse, unsafe: UnsafeSandbox) -> None:
        """Where a fixture takes part, pytest runs the check for every submission, and sets it up and tears it down."""
        log = course.root / "log"
        fixture = f'''
import pathlib
import pytest

@pytest.fixture
def one():
    with pathlib.Path({str(log)!r}).open("a") as log:
        log.write("up ")
        yield 1.0
        log.write("down ")

def check_it(engine, one):
    """It holds."""
    return engine.Value(one).data
'''
        reports = graded(course.exercise(fixture), unsafe, [course.right, course.wrong, course.right])

        assert all(report.passed for report in reports)
        assert "up down " * 3 in log.read_text()

    @pytest.mark.parametrize(
        ("act", "verdict", "says"),
        [
            ("return Value(7.0)", Verdict.FAILED, "expected 2.0, got 7.0"),
            ("raise RuntimeError('not yet')", Verdict.ERROR, "RuntimeError: not yet"),
            ("os._exit(3)", Verdict.ERROR, "it left with exit status 3"),
        ],
    )
    def test_no_second_chance(
        self, course: TinyCourse, unsafe: UnsafeSandbox, act: str, verdict: Verdict, says: str
    ) -> None:
        """Work that answers well only when it is asked again has not passed."""
        method = TRIED_BEFORE.format(act=act)
        start = course.right.index("    def __add__")
        end = course.right.index("    def relu")
        (report,) = graded(course.exercise(FIXED), unsafe, [course.right[:start] + method + course.right[end:]])

        assert verdict is report.results[0].verdict
        assert says in report.results[0].what
        assert not report.passed

    def test_what_takes_long_is_asked_one_by_one(
        self, course: TinyCourse, unsafe: UnsafeSandbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A check whose cases take longer together than one message may is no failure, and is not tried so again."""
        monkeypatch.setattr("grader.student.AHEAD_SECONDS", 0.2)
        slow = course.right.replace(
            "        self.data = data\n", "        self.data = data\n        __import__('time').sleep(0.05)\n"
        )
        both = FIXED + FIXED.replace("import pytest", "").replace("check_it", "check_that")
        seen = asked(monkeypatch)
        (report,) = graded(course.exercise(both), unsafe, [slow])

        assert report.passed
        assert 3 == seen.count("begin")

    def test_a_check_that_is_too_large_is_asked_one_by_one(
        self, course: TinyCourse, unsafe: UnsafeSandbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Cases that would be too much for one message are sent as they come."""
        monkeypatch.setattr("grader.checks.plugin.MOST_AHEAD", 100)
        seen = asked(monkeypatch)
        (report,) = graded(course.exercise(FIXED), unsafe, [course.right])

        assert report.passed
        assert 3 == seen.count("apply")

    def test_large_answers_are_asked_one_by_one(
        self, course: TinyCourse, unsafe: UnsafeSandbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Right answers that would be too much for one reply together come one by one, and pass."""
        many = """
import pytest

@pytest.mark.parametrize("n", range(4))
def check_it(engine, n):
    \"\"\"It holds.\"\"\"
    return engine.Value([float(n)] * 9_000).data
"""
        seen = asked(monkeypatch)
        (report,) = graded(course.exercise(many), unsafe, [course.right])

        assert report.passed
        assert 4 == seen.count("apply")

    def test_every_answer_tells_of_the_mistake(self, course: TinyCourse, unsafe: UnsafeSandbox) -> None:
        """Where the first case is wrong already, what is answered to the others counts in a diagnosis, each once."""
        with Checks(course.exercise(FIXED)) as checks:
            wrong = course.right.replace("self.data + other.data", "abs(self.data) + other.data + 1")
            grade(Submission("ada", "tiny", "value.py", wrong.encode()), checks, unsafe, b"secret")
            sightings = checks._sightings.public  # noqa: SLF001  # what a diagnosis is made from

        assert [False, False, False] == [each.right for each in sightings]
