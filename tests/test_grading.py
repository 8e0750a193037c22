"""One submission becomes one report, whatever it does; only our own faults are exceptions."""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING, Self

import pytest

from grader.checks import Checks
from grader.errors import ExerciseError, SandboxError
from grader.grading import grade
from grader.seeding import fingerprint
from grader.student import MAX_LOSSES
from grader.submission import Part, Submission
from grader.verdict import Result, Verdict

if TYPE_CHECKING:
    from grader.exercise import Exercise
    from grader.limits import Limits
    from grader.sandbox import Session
    from grader.sandbox.unsafe import UnsafeSandbox
    from grader.verdict import Report
    from tests.conftest import Judge, TinyCourse

CHECKS = '''\
def check_value(engine):
    """A value keeps its number."""
    return {"x.data": engine.Value(3.0).data}


def check_relu(engine):
    """Relu passes on what is positive."""
    return {"y.data": engine.Value(2.0).relu().data}
'''
ENGINE = '''\
"""Numbers that know how they were made."""


class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents

    def __add__(self, other):
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def relu(self):
        return Value(max(self.data, 0.0), ((self, 1.0 if self.data > 0 else 0.0),))

    def backward(self, grad=1.0):
        self.grad += grad
        for parent, slope in self.parents:
            parent.backward(grad * slope)
'''
SECRET = b"some twenty characters"
HIDDEN = '''\
def check_relu_at_zero(engine):
    """At exactly 0, relu passes nothing on."""
    x = engine.Value(0.0)
    x.relu().backward()
    return {"x.grad": x.grad}
'''
ALL = {"check_value", "check_relu", "check_relu_at_zero"}


@pytest.fixture
def exercise(course: TinyCourse) -> Exercise:
    """Two public checks and a hidden one."""
    return course.exercise(hidden=HIDDEN)


def part(source: str) -> Part:
    """A file that was handed in beside another."""
    return Part("engine.py", source.encode())


def verdicts(report: Report) -> dict[str, Verdict]:
    """The verdict of each check."""
    return {result.check: result.verdict for result in report.results}


def test_report(exercise: Exercise, course: TinyCourse, unsafe: UnsafeSandbox) -> None:
    """A report says what was graded, what became of each check, and what it was made from."""
    submission = Submission("ada", exercise.id, "value.py", course.wrong.encode())
    with Checks(exercise) as checks:
        report = grade(submission, checks, unsafe, SECRET)

    assert ("ada", "tiny", "A tiny exercise", "value.py") == (
        report.student,
        report.exercise,
        report.title,
        report.file,
    )
    assert (10, 15, False, ()) == (report.xp, report.total_xp, report.passed, report.notes)
    assert [(False, 5), (False, 5), (True, 0)] == [(result.hidden, result.xp) for result in report.results]
    assert all(result.seconds > 0 for result in report.results)
    assert sum(result.seconds for result in report.results) < report.seconds
    assert (submission.digest, exercise.digest, "unsafe", unsafe.image, fingerprint(SECRET)) == (
        report.provenance.submission,
        report.provenance.exercise,
        report.provenance.sandbox,
        report.provenance.image,
        report.provenance.secret,
    )
    assert {"python", "grader", "pytest", "hypothesis"} == set(dict(report.provenance.versions))


def test_public_only(exercise: Exercise, course: TinyCourse, unsafe: UnsafeSandbox) -> None:
    """Without hidden checks the total stays the exercise's, and no secret takes part."""
    with Checks(exercise.public) as checks:
        report = grade(Submission("you", "tiny", "value.py", course.right.encode()), checks, unsafe)

    assert (10, 15, True) == (report.xp, report.total_xp, report.passed)
    assert "" == report.provenance.secret


@pytest.mark.parametrize("source", ["right", "wrong"])
def test_twice(exercise: Exercise, course: TinyCourse, judge: Judge, source: str) -> None:
    """The same submission graded twice gives the same report but for times."""
    first, second = (judge(exercise, getattr(course, source)) for _ in range(2))

    assert first == second
    assert first.seconds != second.seconds


class TestNothingRan:
    """A file that does not load earns nothing: every check is there, and none is green."""

    @pytest.mark.parametrize(
        ("source", "why"),
        [
            (b"", "NameError: value.py defines no name 'Value'"),
            (b"\n\n# nothing yet\n", "NameError: value.py defines no name 'Value'"),
        ],
    )
    def test_empty(self, exercise: Exercise, judge: Judge, source: bytes, why: str) -> None:
        """An empty file does load, and every check that asks for something in it is an error."""
        report = judge(exercise, source)

        assert dict.fromkeys(ALL, Verdict.ERROR) == verdicts(report)
        assert (0, 15) == (report.xp, report.total_xp)
        assert {why} == {result.what for result in report.results}

    @pytest.mark.parametrize(
        ("source", "why"),
        [
            (b"class Value\n    pass", "value.py does not load.\nSyntaxError: expected ':'\n  line 1: class Value"),
            (b"import os.numpty\n", "value.py does not load.\nModuleNotFoundError: No module named 'os.numpty'"),
            (b"1 / 0", "value.py does not load.\nZeroDivisionError: division by zero\n  line 1: 1 / 0"),
            (b"import sys\nsys.exit(0)", "value.py does not load.\nSystemExit: 0\n  line 2: sys.exit(0)"),
            (b"raise KeyboardInterrupt", "value.py does not load.\nKeyboardInterrupt"),
            (b"import os\nos._exit(0)", "value.py does not load. The process ended before it had answered"),
            (
                b"import os\nos.kill(os.getpid(), 11)",
                "value.py does not load. The process ended before it had answered",
            ),
            (b"\xff\xfe\x00", "value.py does not load.\nSyntaxError"),
            (b"x = '\x00'", "value.py does not load.\n"),
        ],
    )
    def test_does_not_load(self, exercise: Exercise, judge: Judge, source: bytes, why: str) -> None:
        """Whatever ends it, the reason is the report's note and each check's."""
        report = judge(exercise, source)

        assert dict.fromkeys(ALL, Verdict.NOT_RUN) == verdicts(report)
        assert (0, 15, False) == (report.xp, report.total_xp, report.passed)
        assert report.notes[0].startswith(why)
        assert {report.notes[0]} == {result.what for result in report.results}

    def test_loads_for_ever(self, course: TinyCourse, judge: Judge) -> None:
        """A file that does not stop running is stopped at its limit."""
        exercise = course.exercise(limits={"load_seconds": 0.5})
        started = time.monotonic()
        report = judge(exercise, "while True:\n    pass")

        assert {Verdict.NOT_RUN} == set(verdicts(report).values())
        assert "Stopped after 0.5 s" in report.notes[0]
        assert 6 > time.monotonic() - started

    def test_problem(self, exercise: Exercise, unsafe: UnsafeSandbox) -> None:
        """What is no file of Python at all is not run: the sandbox is not even opened."""
        told: list[Result] = []
        with Checks(exercise) as checks:
            submission = Submission("ada", "tiny", "value.py", b"", "is larger than 1 MiB")
            report = grade(submission, checks, unsafe, SECRET, told.append)

        assert dict.fromkeys(ALL, Verdict.NOT_RUN) == verdicts(report)
        assert ("value.py is larger than 1 MiB",) == report.notes
        assert list(report.results) == told


NOTEBOOK = ("%who\nimport nowhere", "undefined", ENGINE, "nowhere.show(Value(1.0).data)")


class TestNotes:
    """What happened besides the checks is told, as far as the student may read it."""

    def test_a_notebook(self, exercise: Exercise, unsafe: UnsafeSandbox) -> None:
        """A notebook that defines what is asked for earns it, whatever else of it fails, and that is noted."""
        submission = Submission("ada", "tiny", "value.ipynb", b"", cells=NOTEBOOK)
        with Checks(exercise) as checks:
            report = grade(submission, checks, unsafe, SECRET)

        assert (15, True, "value.ipynb") == (report.xp, report.passed, report.file)
        assert (
            "cell 1: 1 magic or shell line was ignored.",
            "cell 2, line 1 raised NameError: name 'undefined' is not defined and was passed over.",
            "nowhere is not installed where your code is graded; what you ask of it does nothing here.",
        ) == report.notes

    def test_a_notebook_as_a_program(self, course: TinyCourse, unsafe: UnsafeSandbox) -> None:
        """What a program run passed over is noted once; what only a hidden one did stands with that check alone."""
        asks = 'def check_{0}(program):\n    """It prints."""\n    return program(stdin="{0}").stdout\n'
        exercise = course.exercise(asks.format("shown"), asks.format("hidden"), program="print('right')\n")
        submission = Submission("ada", "tiny", "value.ipynb", b"", cells=("import sys", "sys.exit(input())"))
        with Checks(exercise) as checks:
            report = grade(submission, checks, unsafe, SECRET)

        assert ("cell 2, line 1 raised SystemExit: shown and was passed over.",) == report.notes
        assert {"check_shown": False, "check_hidden": True} == {
            result.check: "passed over" in result.what for result in report.results
        }

    def test_a_notebook_that_is_stopped(self, exercise: Exercise, unsafe: UnsafeSandbox) -> None:
        """What happened before a limit is noted after it."""
        submission = Submission("ada", "tiny", "value.ipynb", b"", cells=("undefined", "raise MemoryError"))
        with Checks(exercise) as checks:
            report = grade(submission, checks, unsafe, SECRET)

        assert (
            "value.ipynb does not load. It used more than 256 MiB of memory in cell 2, line 1 (`raise MemoryError`).",
            "cell 1, line 1 raised NameError: name 'undefined' is not defined and was passed over.",
        ) == report.notes
        assert {Verdict.NOT_RUN} == set(verdicts(report).values())

    def test_files_beside(self, exercise: Exercise, unsafe: UnsafeSandbox) -> None:
        """A file may import one that was handed in beside it; what fails there is told with its name."""
        broken = ENGINE.replace("self.data > 0 ", "self.data > nothing ")
        submission = Submission("ada", "tiny", "value.py", b"from .engine import *", siblings=(part(broken),))
        with Checks(exercise) as checks:
            report = grade(submission, checks, unsafe, SECRET)

        assert Verdict.PASSED == verdicts(report)["check_value"]
        assert "NameError: name 'nothing' is not defined\n  engine.py, line 14, in relu: return Value(" in (
            report.results[1].what
        )

    def test_what_is_forbidden(self, exercise: Exercise, unsafe: UnsafeSandbox) -> None:
        """A file that imports what the exercise forbids does not load."""
        submission = Submission("ada", "tiny", "value.py", f"{ENGINE}\nimport numpy\n".encode())
        with Checks(dataclasses.replace(exercise, forbid=("numpy",))) as checks:
            report = grade(submission, checks, unsafe, SECRET)

        line = ENGINE.count("\n") + 2
        assert (
            f"value.py does not load.\nImportError: value.py, line {line} imports numpy, which this exercise forbids",
        ) == report.notes

    def test_what_is_too_large(self, exercise: Exercise, unsafe: UnsafeSandbox) -> None:
        """Whoever hands in more than a sandbox takes is not ungraded."""
        siblings = tuple(Part(f"more{number}.py", bytes(1 << 20)) for number in range(8))
        submission = Submission("ada", "tiny", "value.py", ENGINE.encode(), siblings=siblings)
        with Checks(exercise) as checks:
            report = grade(submission, checks, unsafe, SECRET)

        assert ("value.py does not load.\nwhat was handed in is too large: more than 8 MiB",) == tuple(
            note.partition(",")[0] for note in report.notes
        )
        assert {Verdict.NOT_RUN} == set(verdicts(report).values())


class TestNames:
    """Where the classes that an exercise asks for are missing, that is said once, in place of every check."""

    @pytest.fixture
    def exercise(self, course: TinyCourse) -> Exercise:
        """Checks of the module and of the program, public and hidden."""
        program = 'def check_program(program):\n    """It prints."""\n    return program().stdout\n'
        exercise = course.exercise(f"{CHECKS}\n\n{program}", HIDDEN, program="print('nothing')\n")
        return dataclasses.replace(exercise, names={"Value": ("data",)})

    def test_another_name(self, exercise: Exercise, judge: Judge) -> None:
        """Checks of the module are errors with one sentence; checks of the program are run."""
        report = judge(exercise, ENGINE.replace("Value", "Scalar").replace("data", "v") + "print('nothing')\n")
        sentence = (
            "value.py defines `Scalar` with `v`, `grad`, `parents`, `relu` and `backward`; "
            "the exercise asks for `Value` with `data`."
        )

        assert dict.fromkeys(ALL, Verdict.ERROR) | {"check_program": Verdict.PASSED} == verdicts(report)
        assert {sentence} == {result.what for result in report.results if not result.passed}
        assert (sentence,) == report.notes
        assert [""] * 4 == [result.code for result in report.results]

    @pytest.mark.parametrize(
        "change",
        [
            "",
            "init = Value.__init__\nValue.__init__ = lambda self, data, parents: init(self, data, parents)\n",
            "while __name__ != 'value': pass\n",
            "import os\nValue.data = property(lambda self: os._exit(3))\n",
            "import time\nValue.data = property(lambda self: time.sleep(60))\n",
        ],
    )
    def test_what_is_odd(self, exercise: Exercise, judge: Judge, change: str) -> None:
        """A file that is made another way, or is too odd to tell, has its checks run."""
        exercise = dataclasses.replace(
            exercise, checks=exercise.checks[:1], limits=dataclasses.replace(exercise.limits, load_seconds=1)
        )
        report = judge(exercise, f"{ENGINE}\n{change}")

        assert "the exercise asks for" not in f"{report.notes} {report.results[0].what}"

    def test_unknown_to_the_reference(self, exercise: Exercise, judge: Judge) -> None:
        """What the reference does not define either is its author's mistake."""
        with pytest.raises(ExerciseError, match=r"asks for 'Vlue', which reference\.engine does not define; did you"):
            judge(dataclasses.replace(exercise, names={"Vlue": ()}), ENGINE)


class TestNeighbours:
    """What a check does to its process touches no other check."""

    @pytest.mark.parametrize(
        ("act", "verdict", "what"),
        [
            ("raise ValueError(self.data)", Verdict.ERROR, "ValueError: -2.0"),
            ("import os; os._exit(0)", Verdict.ERROR, "it left with exit status 0"),
            ("import os; os.kill(os.getpid(), 9)", Verdict.ERROR, "it crashed (signal 9)"),
            ("import os; os.kill(os.getppid(), 9)", Verdict.PASSED, ""),
            ("import os; os.kill(os.getppid(), 19)", Verdict.PASSED, ""),
            ("import os; os.closerange(0, 100)", Verdict.ERROR, "The process ended before it had answered"),
            ("while True: pass", Verdict.TIMEOUT, "Stopped after 1 s"),
            ("import time; time.sleep(9)", Verdict.TIMEOUT, "Stopped after 1 s"),
            (
                "import signal; signal.pthread_sigmask(0, range(1, 65)); signal.pause()",
                Verdict.TIMEOUT,
                "Stopped after 1 s",
            ),
            ("globals()['Value'] = None", Verdict.ERROR, "TypeError: 'NoneType' object is not callable"),
            ("import builtins; builtins.max = None", Verdict.ERROR, "TypeError: 'NoneType' object is not callable"),
            ("self.__class__.relu = None", Verdict.PASSED, ""),
            ("self.__class__.relu = lambda self: self", Verdict.PASSED, ""),
        ],
    )
    def test_one_check(self, course: TinyCourse, judge: Judge, act: str, verdict: Verdict, what: str) -> None:
        """The check gets its verdict, and those after it pass."""
        exercise = course.exercise(hidden=HIDDEN, limits={"check_seconds": 1})
        report = judge(exercise, course.acting(act))
        relu = report.results[1]

        assert {"check_value": Verdict.PASSED, "check_relu": verdict, "check_relu_at_zero": Verdict.PASSED} == verdicts(
            report
        )
        assert what in relu.what

    def test_lost_sandbox(self, exercise: Exercise, course: TinyCourse, judge: Judge) -> None:
        """A sandbox that a check ends is opened anew for the checks that remain."""
        killing = (
            "import os, signal; os.kill(int(open(f'/proc/{os.getppid()}/stat').read().split()[3]), signal.SIGKILL)"
        )
        report = judge(exercise, course.acting(killing))

        assert {
            "check_value": Verdict.PASSED,
            "check_relu": Verdict.ERROR,
            "check_relu_at_zero": Verdict.PASSED,
        } == verdicts(report)
        assert "The code ended, or blocked, the sandbox it ran in." == report.results[1].what

    def test_lost_too_often(self, course: TinyCourse, judge: Judge) -> None:
        """After a number of losses what remains is not run, which is not green."""
        names = [f"check_{number}" for number in range(MAX_LOSSES + 4)]
        checks = "\n".join(
            f'def {name}(engine):\n    """It is."""\n    return engine.Value(1.0).data\n' for name in names
        )
        killing = (
            "import os, signal\n\nclass Value:\n    def __init__(self, data):\n"
            "        os.kill(int(open(f'/proc/{os.getppid()}/stat').read().split()[3]), signal.SIGKILL)\n"
            "        os._exit(0)\n"
        )
        report = judge(course.exercise(checks), killing)
        found = list(verdicts(report).values())

        assert [Verdict.ERROR] * (MAX_LOSSES + 1) + [Verdict.NOT_RUN] * 3 == found
        assert (0, 5 * len(names)) == (report.xp, report.total_xp)


class TestOurFaults:
    """A fault that is not the student's is an exception, and no report."""

    def test_a_sandbox_that_lacks_a_module(self, exercise: Exercise, judge: Judge, course: TinyCourse) -> None:
        """Where the sandbox has not what the exercise requires, nobody is graded."""
        exercise = dataclasses.replace(exercise, require=("json", "nowhere", "elsewhere"))
        with pytest.raises(SandboxError) as caught:
            judge(exercise, course.right)

        assert ("the sandbox has no nowhere and no elsewhere, which the exercise requires: add it to the image") == str(
            caught.value
        )

    def test_check(self, course: TinyCourse, judge: Judge) -> None:
        """A check that fails with the reference grades nobody."""
        exercise = course.exercise('def check_it(engine):\n    """It is."""\n    return 1 / 0\n')

        with pytest.raises(ExerciseError, match="check_it: ZeroDivisionError"):
            judge(exercise, course.right)

    def test_no_sandbox(self, exercise: Exercise, course: TinyCourse) -> None:
        """Nor does a sandbox that cannot be opened."""
        with Checks(exercise) as checks, pytest.raises(SandboxError, match="there is none"):
            grade(Submission("ada", "tiny", "value.py", course.right.encode()), checks, _NoSandbox(), SECRET)

    def test_sandbox_that_is_no_driver(
        self, exercise: Exercise, course: TinyCourse, judge: Judge, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nor does one whose driver never says that it is ready."""
        monkeypatch.setattr("grader.sandbox.unsafe.DRIVER", ("-c", "print('hello')"))

        with pytest.raises(SandboxError, match="did not become ready: run `grader doctor`"):
            judge(exercise, course.right)

    def test_sandbox_that_does_not_start(
        self, exercise: Exercise, course: TinyCourse, judge: Judge, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nor does one whose interpreter is not there."""
        monkeypatch.setattr("sys.executable", "/no/such/python")

        with pytest.raises(SandboxError, match="cannot start /no/such/python: No such file or directory"):
            judge(exercise, course.right)


class _NoSandbox:
    kind = "none"
    image = ""

    def open(self, limits: Limits) -> Session:
        raise SandboxError(f"there is none with {limits.memory_mib} MiB")

    def close(self) -> None:
        """Close nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def test_ungraded_is_no_zero(exercise: Exercise, judge: Judge) -> None:
    """A report of nothing has not passed either."""
    report = judge(exercise, b"")

    assert not dataclasses.replace(report, results=()).passed
