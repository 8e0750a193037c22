"""Checks run on both sides, and only what differs between them is the student's."""

from __future__ import annotations

import gc
import os
import py_compile
import random
import sys
import textwrap
import threading
import time
from typing import TYPE_CHECKING

import pytest

from grader.checks import Checks, plugin, reference, session
from grader.errors import ExerciseError
from grader.grading import grade
from grader.student import Student
from grader.submission import Submission
from grader.verdict import Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from grader.exercise import Exercise
    from grader.sandbox.unsafe import UnsafeSandbox
    from grader.verdict import Report, Result
    from tests.conftest import Judge, TinyCourse

GIVEN = '''\
from hypothesis import assume, example, given, settings, strategies as st
import pytest


@given(st.floats(-10, 10))
def check_relu(engine, x):
    """Relu passes on what is positive, wherever that is."""
    leaf = engine.Value(x)
    leaf.relu().backward()
    return {"leaf.grad": leaf.grad}
'''


def verdicts(report: Report) -> dict[str, Verdict]:
    """The verdict of each check."""
    return {result.check: result.verdict for result in report.results}


def only(report: Report) -> Result:
    """The result of the only check there is."""
    (result,) = report.results
    return result


def check(body: str, arguments: str = "engine", before: str = "") -> str:
    """The source of a check."""
    head = f'import math\nimport sys\n\nimport pytest\n\n\n{before}\ndef check_it({arguments}):\n    """It holds."""\n'
    return head + textwrap.indent(body, "    ")


IS_RIGHT = "return engine.Value(1.0).data"
IS_FINE = check(IS_RIGHT).replace("check_it", "check_fine")
PRINTED = 'run = program(stdin="21\\n4", args=("-v",))\nreturn printed(run.stdout, "twice {:d}", "twice {:d}")'
WRONG_DATA = "class Value:\n    def __init__(self, data):\n        self.data = data + 1"


def submission(source: str) -> Submission:
    """What Ada hands in."""
    return Submission("ada", "tiny", "value.py", source.encode())


def mistakes(exercise: Exercise, judge: Judge, source: str) -> str:
    """What the author of a broken check is told."""
    with pytest.raises(ExerciseError) as caught:
        judge(exercise, source)
    assert exercise.id == caught.value.exercise
    return "\n".join(caught.value.mistakes)


class TestBothSides:
    """A check runs with the reference and with the student's work, and what it returns is compared."""

    def test_right(self, course: TinyCourse, judge: Judge) -> None:
        """Work that answers as the reference does passes."""
        report = judge(course.exercise(), course.right)

        assert {"check_value": Verdict.PASSED, "check_relu": Verdict.PASSED} == verdicts(report)
        assert ["", ""] == [result.what + result.code for result in report.results]

    def test_wrong(self, course: TinyCourse, judge: Judge) -> None:
        """Another answer fails; the student reads which value differs, and what the check did."""
        result = only(judge(course.exercise(check('return {"x.data": engine.Value(3.0).data}')), WRONG_DATA))

        assert (Verdict.FAILED, 5, 0, "It holds.", "Look again.") == (
            result.verdict,
            result.worth,
            result.xp,
            result.question,
            result.hint,
        )
        assert "x.data: expected 3.0, got 4.0" == result.what
        assert "x = Value(3.0)\nx.data" == result.code

    def test_order(self, course: TinyCourse, unsafe: UnsafeSandbox) -> None:
        """Results come in the order of the exercise, and each is told as it comes."""
        exercise = course.exercise()
        told: list[Result] = []
        with Checks(exercise) as checks:
            report = grade(submission(course.wrong), checks, unsafe, on_result=told.append)

        assert [each.name for each in exercise.checks] == [result.check for result in report.results]
        assert list(report.results) == told

    def test_public(self, course: TinyCourse, judge: Judge) -> None:
        """Of an exercise without its hidden checks the public ones run, and no others."""
        exercise = course.exercise(
            check("return engine.Value(1.0).data"), check(IS_RIGHT).replace("check_it", "check_that")
        )

        assert ["check_it"] == list(verdicts(judge(exercise.public, course.right)))
        assert ["check_it", "check_that"] == list(verdicts(judge(exercise, course.right)))

    def test_program(self, course: TinyCourse, judge: Judge) -> None:
        """`program` runs the reference's module and the student's file, with the same input."""
        source = check(PRINTED, "program", "from grader.output import printed")
        right = 'import sys\nfor line in sys.stdin: print("twice", int(line) + int(line))'
        answers = {
            right: (Verdict.PASSED, ""),
            right.replace("+", "-"): (
                Verdict.FAILED,
                "line 1: twice: expected 42, got 0\nline 2: twice: expected 8, got 0",
            ),
            right.replace("twice", "2x"): (
                Verdict.OUTPUT,
                "Line 1: `2x·42` should look like `twice·?`. (· is a space; ? is any digit)",
            ),
            "raise ValueError('no')": (Verdict.ERROR, "ValueError: no\n  line 1: raise ValueError('no')"),
        }
        exercise = course.exercise(source)

        for program, (verdict, what) in answers.items():
            result = only(judge(exercise, program))
            assert (verdict, what) == (result.verdict, result.what)
            assert result.passed or result.code == "python value.py -v   # with these lines on standard input:\n21\n4"

    def test_reference_program_once(self, course: TinyCourse, judge: Judge) -> None:
        """The reference program runs once for the same input, however often it is asked."""
        counted = (
            f"import sys\nwith open({str(course.root / 'runs')!r}, 'a') as runs: runs.write('run ')\nprint(input())"
        )
        source = check('return [program("a").stdout, program("a").stdout, program("b").stdout]', "program")
        result = only(judge(course.exercise(source, program=counted), "print(input())"))

        assert Verdict.PASSED == result.verdict
        assert "run run " == (course.root / "runs").read_text()

    def test_long_check(self, course: TinyCourse, judge: Judge) -> None:
        """Of a check that does a lot, both ends are shown."""
        body = "for n in range(100):\n    engine.Value(n).data + 0\nreturn engine.Value(3.0).data"
        lines = only(judge(course.exercise(check(body)), WRONG_DATA)).code.splitlines()

        assert 31 == len(lines)
        assert "more lines)" in lines[15]


class TestPytest:
    """What pytest offers its users works in checks."""

    def test_parametrize(self, course: TinyCourse, judge: Judge) -> None:
        """All cases must pass, and the first that does not is told."""
        before = '@pytest.mark.parametrize("x", [1.0, 0.0, -0.0])'
        body = 'leaf = engine.Value(x)\nleaf.relu().backward()\nreturn {"leaf.grad": leaf.grad}'
        exercise = course.exercise(check(body, "engine, x", before))
        result = only(judge(exercise, course.wrong))

        assert Verdict.PASSED == only(judge(exercise, course.right)).verdict
        assert (Verdict.FAILED, "leaf.grad: expected 0.0, got 1.0") == (result.verdict, result.what)
        assert "leaf = Value(0.0)" == result.code.splitlines()[0]

    def test_fixtures(self, course: TinyCourse, judge: Judge) -> None:
        """An author's fixtures are made and torn down, whatever their scope."""
        log = course.root / "log"
        before = (
            f"def note(what):\n    with open({str(log)!r}, 'a') as log:\n        log.write(what)\n\n"
            '@pytest.fixture(scope="module")\ndef numbers():\n    return [1.0, 2.0]\n\n'
            "@pytest.fixture\ndef number(numbers):\n    note('(')\n    yield numbers[1]\n    note(')')\n"
        )
        result = only(judge(course.exercise(check(IS_RIGHT, "engine, number", before)), course.right))

        assert Verdict.PASSED == result.verdict
        assert "()" == log.read_text()

    def test_own_conftest(self, course: TinyCourse, judge: Judge) -> None:
        """A `conftest.py` beside the checks is the author's, and counts."""
        course.write(
            "exercises/tiny/checks/conftest.py", "import pytest\n\n@pytest.fixture\ndef two():\n    return 2.0\n"
        )
        result = only(judge(course.exercise(check("return engine.Value(two).data", "engine, two")), course.right))

        assert Verdict.PASSED == result.verdict


class TestRandomNumbers:
    """`rng` gives both sides the same numbers, and the next student others only where they are hidden."""

    SOURCE = check('return {"number": rng.random() + engine.Value(0.0).data}', "engine, rng")

    def drawn(self, judge: Judge, exercise: Exercise, student: str) -> str:
        """What the check expected, from what it says of wrong work."""
        result = judge(exercise, WRONG_DATA, student).results[-1]
        assert Verdict.FAILED == result.verdict
        return result.what

    def test_both_sides(self, course: TinyCourse, judge: Judge) -> None:
        """The student's side gets what the reference's got."""
        assert Verdict.PASSED == only(judge(course.exercise(self.SOURCE), course.right)).verdict

    def test_public(self, course: TinyCourse, judge: Judge) -> None:
        """A public check draws the same numbers for everybody."""
        exercise = course.exercise(self.SOURCE)

        assert self.drawn(judge, exercise, "ada") == self.drawn(judge, exercise, "blaise")

    def test_hidden(self, course: TinyCourse, judge: Judge) -> None:
        """A hidden check draws others for each student, and the same for each attempt."""
        exercise = course.exercise(IS_FINE, self.SOURCE)
        ada, again, blaise = (self.drawn(judge, exercise, student) for student in ("ada", "ada", "blaise"))

        assert ada == again
        assert ada != blaise

    def test_nobody_elses(self, course: TinyCourse, judge: Judge) -> None:
        """The process's own random numbers are left as they were."""
        random.seed(1)
        expected = random.random()
        random.seed(1)
        judge(course.exercise(self.SOURCE), course.right)

        assert expected == random.random()


class TestHypothesis:
    """`@given` draws examples for both sides at once, and shrinks what it finds."""

    def test_right(self, course: TinyCourse, judge: Judge) -> None:
        """Right work passes, with no word of health checks or returned values."""
        assert Verdict.PASSED == only(judge(course.exercise(GIVEN), course.right)).verdict

    def test_shrinks(self, course: TinyCourse, judge: Judge) -> None:
        """A wrong relu is shown at the smallest number it is wrong at."""
        result = only(judge(course.exercise(GIVEN), course.wrong))

        assert (Verdict.FAILED, "leaf.grad: expected 0.0, got 1.0") == (result.verdict, result.what)
        assert "leaf = Value(0.0)\na = leaf.relu()\na.backward()\nleaf.grad" == result.code

    def test_again(self, course: TinyCourse, unsafe: UnsafeSandbox) -> None:
        """The next student gets the same check, untouched by the one before."""
        with Checks(course.exercise(GIVEN)) as checks:
            found = [only(grade(submission(source), checks, unsafe)).verdict for source in (course.wrong, course.right)]

        assert [Verdict.FAILED, Verdict.PASSED] == found

    def test_same_examples(self, course: TinyCourse, judge: Judge) -> None:
        """Examples are drawn from the check's seed: grading again draws them again."""
        exercise = course.exercise(GIVEN.replace("-10, 10", "1, 10"))
        wrong = course.right.replace("1.0 if self.data > 0", "1.0 if self.data < 7.3")

        assert only(judge(exercise, wrong)) == only(judge(exercise, wrong))

    def test_with_everything(self, course: TinyCourse, judge: Judge) -> None:
        """`@settings`, `@example`, `assume`, parametrize, fixtures and slow examples go together."""
        log = course.root / "log"
        source = GIVEN.replace(
            "@given(st.floats(-10, 10))\ndef check_relu(engine, x):",
            '@pytest.fixture\ndef shift():\n    return 0.0\n\n@pytest.mark.parametrize("factor", [1, 2])\n'
            "@settings(max_examples=7)\n@example(x=5.0)\n@given(st.floats(-10, 10))\n"
            "def check_relu(engine, factor, shift, x):",
        ).replace(
            "    leaf =",
            "    assume(x > 0)\n    x = x * factor + shift\n"
            f"    with open({str(log)!r}, 'a') as log: log.write('.')\n    leaf =",
        )
        result = only(judge(course.exercise(source), course.right))

        assert (Verdict.PASSED, "") == (result.verdict, result.what)
        assert 2 * 2 * (7 + 1) >= len(log.read_text())

    def test_author_cannot_be_satisfied(self, course: TinyCourse, judge: Judge) -> None:
        """A check whose examples are all assumed away is its author's mistake."""
        exercise = course.exercise(GIVEN.replace("    leaf =", "    assume(False)\n    leaf =", 1))

        assert "check_relu" in mistakes(exercise, judge, course.right)

    def test_flaky(self, course: TinyCourse, judge: Judge) -> None:
        """Work that answers otherwise when it is asked again has failed, and is told why."""
        flaky = f"calls = []\n{course.right}".replace(
            "1.0 if self.data > 0 else 0.0", "1.0 if self.data > 0 or calls.append(1) or len(calls) == 5 else 0.0"
        )
        result = only(judge(course.exercise(GIVEN), flaky))

        assert Verdict.FAILED == result.verdict
        assert "The same input gave different answers when it was tried again." == result.what
        assert "leaf.relu()" in result.code

    def test_exception(self, course: TinyCourse, judge: Judge) -> None:
        """What the student's code raises is shrunk as well."""
        result = only(judge(course.exercise(GIVEN), course.acting("1 / (self.data <= 0)", when="True")))

        assert Verdict.ERROR == result.verdict
        assert "ZeroDivisionError: division by zero" == result.what.splitlines()[0]
        assert "leaf = Value(1.0)" == result.code.splitlines()[0]

    def test_timeout(self, course: TinyCourse, judge: Judge) -> None:
        """An example that takes too long ends the check at once: it is not tried again to be made smaller."""
        exercise = course.exercise(GIVEN, limits={"check_seconds": 1})
        started = time.monotonic()
        result = only(judge(exercise, course.acting("while True: pass", when="True")))

        assert Verdict.TIMEOUT == result.verdict
        assert result.what.startswith("Stopped after 1 s in `relu()`")
        assert 5 > time.monotonic() - started

    def test_no_time_to_shrink(self, course: TinyCourse, judge: Judge) -> None:
        """Time that runs out while an example is made smaller takes nothing away from the example."""
        slow = course.acting("import time; time.sleep(0.15)", course.right.replace("else 0.0", "else 0.5"), "True")
        result = only(judge(course.exercise(GIVEN, limits={"check_seconds": 2}), slow))

        assert (Verdict.FAILED, "leaf.grad: expected 0.0, got 0.5") == (result.verdict, result.what)

    def test_memory(self, course: TinyCourse, judge: Judge) -> None:
        """Nor is one that takes too much memory."""
        greedy = course.acting("bytearray(1 << 40)", when="True")

        assert Verdict.MEMORY == only(judge(course.exercise(GIVEN), greedy)).verdict

    def test_lost(self, course: TinyCourse, judge: Judge) -> None:
        """Nor is one that ends the sandbox."""
        ending = course.acting("import os; os.kill(os.getppid(), 9); os._exit(0)", when="True")

        assert Verdict.ERROR == only(judge(course.exercise(GIVEN), ending)).verdict


class TestSurroundings:
    """Nothing that lies about takes part in grading."""

    @pytest.mark.parametrize("folder", ["", "exercises/"])
    def test_files_above(self, course: TinyCourse, judge: Judge, folder: str) -> None:
        """Neither a `conftest.py` nor the settings of a folder above count."""
        for name in ("conftest.py", "pytest.ini", "tox.ini", "setup.cfg", "sitecustomize.py"):
            course.write(folder + name, "raise SystemExit('[pytest]')")

        assert [Verdict.PASSED] * 2 == list(verdicts(judge(course.exercise(), course.right)).values())

    def test_files_here(self, course: TinyCourse, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nor do those of the folder one happens to be in."""
        course.write("conftest.py", "raise SystemExit('conftest')")
        course.write("pytest.ini", "[pytest]\naddopts = --nonsense\n")
        monkeypatch.chdir(course.root)

        assert [Verdict.PASSED] * 2 == list(verdicts(judge(course.exercise(), course.right)).values())

    def test_environment(self, course: TinyCourse, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
        """Pytest's variables do not count, and are there again afterwards."""
        monkeypatch.setenv("PYTEST_ADDOPTS", "--nonsense")
        monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")

        assert [Verdict.PASSED] * 2 == list(verdicts(judge(course.exercise(), course.right)).values())
        assert ("--nonsense", "no_such_plugin") == (os.environ["PYTEST_ADDOPTS"], os.environ["PYTEST_PLUGINS"])

    @pytest.mark.parametrize("name", ["exercises/tiny/checks/check_public.py", "reference/engine.py"])
    def test_stale_bytecode(self, course: TinyCourse, judge: Judge, name: str) -> None:
        """What is beside the source is not run in its place, nor is anything put there."""
        exercise = course.exercise()
        path = course.root / name
        source = path.read_text()
        path.write_text("raise SystemExit('stale')".ljust(len(source)))
        stamp = path.stat()
        stale = py_compile.compile(str(path), doraise=True)
        path.write_text(source)
        os.utime(path, (stamp.st_atime, stamp.st_mtime))

        assert [Verdict.PASSED] * 2 == list(verdicts(judge(exercise, course.right)).values())
        assert [stale] == [str(each) for each in course.root.rglob("*.pyc")]


class TestAuthorsMistakes:
    """A check that cannot be used is an error for its author, whose text names the check; never a verdict."""

    @pytest.mark.parametrize(
        ("source", "said"),
        [
            (check("return 1 / 0"), "ZeroDivisionError"),
            (check("return engine.Valeu(1.0).data"), "no attribute 'Valeu'"),
            (check("assert engine.Value(1.0).data == 2.0"), "AssertionError (check_public.py, line 10)"),
            (check("sys.exit()"), "SystemExit"),
            (check("pytest.fail('no')"), "no"),
            (check("return engine.Value(1.0)"), "returns an object of type Value; return numbers"),
            (check("return {'x': [engine]}"), "x[0]: it returns an object of type module"),
            (check("return engine.Value(print).data"), "builtin_function_or_method"),
            (check("pytest.skip('not today')"), "skipped"),
            (check(IS_RIGHT, before="@pytest.mark.skip"), "skipped"),
            (check(IS_RIGHT, before="@pytest.mark.skipif(True, reason='no')"), "skipped"),
            (check(IS_RIGHT, "engine, x", "@pytest.mark.parametrize('x', [])"), "skipped"),
            (check(IS_RIGHT, "engine, x", "@pytest.fixture\ndef x():\n    raise OSError('no x')\n"), "no x"),
            (check(IS_RIGHT, "engine, x", "@pytest.fixture\ndef x():\n    yield\n    raise OSError('no x')\n"), "no x"),
            (check(IS_RIGHT, "engine, x"), "fixture 'x' not found (check_public.py, line 8)"),
            (check("return program().stdout", "program"), "reference.program failed: "),
        ],
    )
    def test_in_a_check(self, course: TinyCourse, judge: Judge, source: str, said: str) -> None:
        """Whatever the check does wrong, its name and what is wrong stand on one line."""
        exercise = course.exercise(source, program="raise ValueError('broken')")
        told = mistakes(exercise, judge, course.right)

        assert "check_it" in told.partition(":")[0]
        assert said in told
        assert 1 == len(told.splitlines())

    @pytest.mark.parametrize(
        ("source", "said"),
        [
            (f"import no_such_module\n{check('return 1')}", "No module named 'no_such_module'"),
            (f"raise ValueError('unfinished')\n{check('return 1')}", "ValueError: unfinished"),
            (
                f"import pytest\npytest.skip('later', allow_module_level=True)\n{check('return 1')}",
                "check_it has no cases",
            ),
            (check("return 1", before="@pytest.mark.parametrize('x')"), "checks/check_public.py: "),
            (check("return 1", "engine, x", "@pytest.mark.parametrize('y', [1])"), "check_it"),
        ],
    )
    def test_in_collecting(self, course: TinyCourse, source: str, said: str) -> None:
        """What cannot be collected is refused before anybody is graded."""
        with pytest.raises(ExerciseError, match=r"^tiny: ") as caught:
            Checks(course.exercise(source))

        assert said in str(caught.value)

    @pytest.mark.parametrize("engine", ["import no_such_module", "raise ValueError('unfinished')", "x = = 1"])
    def test_reference_that_cannot_be_imported(self, course: TinyCourse, engine: str) -> None:
        """So is a reference that cannot be imported."""
        with pytest.raises(ExerciseError, match=r"^tiny: reference.engine cannot be imported: \w+Error: "):
            Checks(course.exercise(engine=engine))

    def test_reference_that_hangs(self, course: TinyCourse, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
        """A reference program that does not end is stopped."""
        for module in (plugin, reference, session):
            monkeypatch.setattr(module, "REFERENCE_SECONDS", 0.5)
        exercise = course.exercise(check("return program().stdout", "program"), program="while True: pass")

        assert "check_it: reference.program took more than 0.5 s" == mistakes(exercise, judge, course.right)

    def test_others_go_on(self, course: TinyCourse, judge: Judge) -> None:
        """A mistake in one exercise says nothing about the next."""
        broken = course.exercise(check("return 1 / 0"), name="broken", submit="other.py")

        assert "ZeroDivisionError" in mistakes(broken, judge, course.right)
        assert [Verdict.PASSED] * 2 == list(verdicts(judge(course.exercise(), course.right)).values())


class TestStudentsFaults:
    """What the reference's side does not raise is the student's, whoever raises it."""

    @pytest.mark.parametrize(
        ("body", "what"),
        [
            ("return math.sqrt(x.data)", "With these answers the check could not go on: ValueError: math domain error"),
            ("return [10, 20, 30, 40][x.data]", "With these answers the check could not go on: IndexError: "),
            ("return {0: x.data, None: 1.0}", "0: expected 3, got -9"),
            ("return {x.data: 1.0}", "expected [3], got [-9]"),
            ("assert x.data == 3, 'too small'", "too small"),
            ("assert x.data == 3", "What the check asserts does not hold."),
            ("if x.data != 3: pytest.fail('not 3')", "not 3"),
            ("if x.data != 3: pytest.skip('not 3')", "With these answers the check could not go on: Skipped: not 3"),
            ("if x.data != 3: sys.exit()", "With these answers the check could not go on: SystemExit"),
            ("if x.data != 3: raise RuntimeError", "With these answers the check could not go on: RuntimeError"),
        ],
    )
    def test_in_the_check(self, course: TinyCourse, judge: Judge, body: str, what: str) -> None:
        """An exception in the check itself is a wrong answer: nobody can choose to be ungraded."""
        exercise = course.exercise(check(f"x = engine.Value(3)\n{body}"))
        wrong = course.right.replace("self.data = data", "self.data = -9")
        result = only(judge(exercise, wrong))

        assert Verdict.PASSED == only(judge(exercise, course.right)).verdict
        assert Verdict.FAILED == result.verdict
        assert what in result.what

    def test_in_their_code(self, course: TinyCourse, judge: Judge) -> None:
        """An exception in the student's own code is an error, with the student's own line."""
        raising = course.right.replace("self.grad = 0.0", "self.grad = 1 / 0")
        result = only(judge(course.exercise(check("return engine.Value(1.0).data")), raising))

        assert Verdict.ERROR == result.verdict
        assert "ZeroDivisionError: division by zero\n  line 7, in __init__: self.grad = 1 / 0" == result.what

    def test_object(self, course: TinyCourse, judge: Judge) -> None:
        """An object where a number is due is a wrong answer."""
        result = only(
            judge(
                course.exercise(check("return engine.Value(1.0).data")),
                "class Value:\n  def __init__(self, x): self.data = self",
            )
        )

        assert (Verdict.FAILED, "expected a number, got an object of type Value") == (result.verdict, result.what)

    @pytest.mark.parametrize("body", ["for _ in range(x.data): pass", "while x.data: pass"])
    def test_busy_host(self, course: TinyCourse, judge: Judge, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
        """A loop on the host over a student's huge number ends, and the next check runs."""
        monkeypatch.setattr(plugin, "ALARM_SECONDS", 0.2)
        source = check(f"x = engine.Value(0)\n{body}\nreturn x.data")
        exercise = course.exercise(source, IS_FINE, limits={"check_seconds": 1})
        started = time.monotonic()
        report = judge(exercise, course.right.replace("self.data = data", "self.data = data or 10**15"))

        assert {"check_it": Verdict.TIMEOUT, "check_fine": Verdict.PASSED} == verdicts(report)
        assert 5 > time.monotonic() - started

    def test_budget(self, course: TinyCourse, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
        """A submission that is slow all along runs out of time, which is its own fault: it is graded, not ungraded."""
        monkeypatch.setattr(session, "longest", lambda _: 0.5)
        source = check("engine.Value(1.0)\nreturn engine.Value(2.0).data")
        report = judge(
            course.exercise(source, IS_FINE, limits={"check_seconds": 5}),
            course.right.replace("self.data = data", "self.data = data; import time; time.sleep(0.4)"),
        )

        assert {"check_it": Verdict.PASSED, "check_fine": Verdict.TIMEOUT} == verdicts(report)
        assert "was not begun" in report.results[-1].what

    def test_busy_reference(self, course: TinyCourse, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
        """A check that does not end with the reference is at fault itself, and so is one that cannot be imported."""
        for module in (plugin, reference, session):
            monkeypatch.setattr(module, "REFERENCE_SECONDS", 0.5)
        with pytest.raises(ExerciseError, match=r"takes more than 0\.5 s with the reference"):
            judge(course.exercise(check("while True: pass\nreturn engine.Value(1.0).data")), course.right)
        with pytest.raises(ExerciseError, match=r"importing its reference and checks takes over 0\.5 s"):
            judge(course.exercise("while True: pass\n" + check("return engine.Value(1.0).data")), course.right)

    def test_no_alarm_elsewhere(self, course: TinyCourse, judge: Judge) -> None:
        """Where no alarm can be set, outside of the main thread, checks run all the same."""
        reports: list[Report] = []
        exercise = course.exercise()
        thread = threading.Thread(target=lambda: reports.append(judge(exercise, course.right)))
        thread.start()
        thread.join()

        assert [True] == [report.passed for report in reports]


class TestManyTimes:
    """One process grades many submissions of many courses."""

    def test_two_courses(self, tmp_path: Path, course: TinyCourse, unsafe: UnsafeSandbox) -> None:
        """The reference packages of two courses have the same name and do not mix."""
        other = type(course)(tmp_path / "other")
        kept = sys.modules.get("reference")
        first = course.exercise()
        second = other.exercise(
            engine=f"from reference import shift\n{course.right}".replace("= data", "= data + shift.BY")
        )
        other.write("reference/shift.py", "BY = 1")
        shifted = course.right.replace("= data", "= data + 1")
        with Checks(first) as ours, Checks(second) as theirs:
            passed = [
                [result.passed for result in grade(submission(source), checks, unsafe).results]
                for checks in (ours, theirs)
                for source in (course.right, shifted)
            ]

        assert [[True, True], [False, False], [False, False], [True, True]] == passed
        assert kept is sys.modules.get("reference")

    def test_memory(self, course: TinyCourse, unsafe: UnsafeSandbox) -> None:
        """Three hundred submissions leave no more behind than a hundred."""
        exercise = course.exercise(GIVEN.replace("@given", "@settings(max_examples=3)\n@given"), check(IS_RIGHT))
        wrong = Student(submission(course.wrong), exercise.limits, unsafe, execute=True)
        wrong.load()
        with Checks(exercise) as checks:
            objects = []
            seeds = iter(range(10**6))
            for number in range(1, 301):
                checks.run(wrong, lambda _: next(seeds))
                if number % 100 == 0:
                    gc.collect()
                    objects.append(len(gc.get_objects()))
        wrong.close()

        assert 100 > objects[2] - objects[0]
