"""One submission at work: what its code does is told, whatever it is, and the next check finds everything in order."""

from __future__ import annotations

import random
import textwrap
import time
from collections.abc import Callable
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Self

import pytest

from grader.errors import ExerciseError, SandboxError
from grader.limits import Limits
from grader.output import OutputMismatch
from grader.sandbox import wire
from grader.sandbox.unsafe import UnsafeSandbox
from grader.stand_in import StudentError
from grader.student import MAX_LOSSES, Run, Stopped, Student
from grader.submission import Part, Submission
from grader.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from grader.sandbox import Sandbox


@pytest.fixture(scope="module")
def sandbox() -> Iterator[UnsafeSandbox]:
    """Where the submissions of this file run."""
    with UnsafeSandbox() as opened:
        yield opened


def handed_in(source: str | bytes) -> Submission:
    """Return a submission of this source."""
    text = textwrap.dedent(source).encode() if isinstance(source, str) else source
    return Submission("ada", "an exercise", "value.py", text)


@contextmanager
def at_work(sandbox: Sandbox, source: str | bytes, *, execute: bool = True, **limits: Any) -> Iterator[Student]:
    """Load a submission and close it in the end."""
    student = Student(
        handed_in(source), Limits(**{"load_seconds": 5, "check_seconds": 5, **limits}), sandbox, execute=execute
    )
    try:
        student.load()
        yield student
    finally:
        student.close()


@contextmanager
def check(student: Student) -> Iterator[Any]:
    """Be in a check of the student's module."""
    student.begin()
    try:
        yield student.engine
    finally:
        student.end()


def stopped(student: Student, ask: Callable[[Any], object]) -> tuple[Verdict, str]:
    """Return what is concluded of a check that is stopped."""
    with check(student) as engine, pytest.raises(Stopped) as caught:
        student.recorder.resolve(ask(engine))
    assert caught.value.what == str(caught.value)
    return caught.value.verdict, caught.value.what


def raised(student: Student, ask: Callable[[Any], object]) -> StudentError:
    """Return the exception that a check meets."""
    with check(student) as engine, pytest.raises(StudentError) as caught:
        student.recorder.resolve(ask(engine))
    return caught.value


def works(student: Student) -> bool:
    """Whether the next check finds the module as it was loaded."""
    with check(student) as engine:
        return bool(engine.same(7) == 7)


# --------------------------------------------------------------------------------------------------------------------
# Loading


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = 1\nraise ValueError('no')\n", "ValueError: no\n  line 2: raise ValueError('no')"),
        (
            "def f():\n    return 1 / 0\n\nx = f()\n",
            "ZeroDivisionError: division by zero\n  line 4: x = f()\n  line 2, in f: return 1 / 0",
        ),
        ("x = 1\ny = = 2\n", "SyntaxError: invalid syntax\n  line 2: y = = 2"),
        (
            "if x:\npass\n",
            "IndentationError: expected an indented block after 'if' statement on line 1\n  line 2: pass",
        ),
        ("x = (\n", "SyntaxError: '(' was never closed\n  line 1: x = ("),
        ("import os.missing\n", "ModuleNotFoundError: No module named 'os.missing'; 'os' is not a package\n  line 1: "),
        ("import sys\nsys.exit(3)\n", "SystemExit: 3\n  line 2: sys.exit(3)"),
        ("raise KeyboardInterrupt\n", "KeyboardInterrupt\n  line 1: raise KeyboardInterrupt"),
        ("class E(Exception):\n    def __str__(self): raise TypeError\n\nraise E\n", "E\n  line 4: raise E"),
        ("class E(Exception):\n    def __str__(self): return 1\n\nraise E\n", "E\n  line 4: raise E"),
        ("raise ValueError('x' * 10_000)", f"ValueError: {'x' * 2000}\n  line 1: raise ValueError('x' * 10_000)"),
        (b"\xff\xfe", "SyntaxError: not UTF-8 (byte 0xff)\n  line 1: "),
        (b"x = 1\0", "SyntaxError: a null character"),
        (
            "f = lambda n: f(n + 1)\nf(0)\n",
            "RecursionError: maximum recursion depth exceeded\n  line 2: f(0)\n  line 1, in <lambda>: f = lambda n: f",
        ),
    ],
)
def test_a_file_that_does_not_load_is_told_with_its_line(
    sandbox: UnsafeSandbox, source: str | bytes, told: str
) -> None:
    """What a file raises while it loads is shown with the student's own line numbers and nobody else's."""
    with pytest.raises(StudentError) as caught, at_work(sandbox, source):
        pass
    assert str(caught.value).startswith(told)
    assert len(caught.value.frames) <= 2


@pytest.mark.parametrize(
    ("source", "verdict", "told"),
    [
        (
            "import os\nos._exit(3)",
            Verdict.ERROR,
            "The process ended before it had answered: it left with exit status 3.",
        ),
        (
            "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)",
            Verdict.ERROR,
            "The process ended before it had answered: it crashed (signal 11).",
        ),
        ("while True:\n    pass", Verdict.TIMEOUT, "Stopped after 0.5 s at line"),
        ("def f():\n    while True:\n        pass\nf()", Verdict.TIMEOUT, "Stopped after 0.5 s in `f()`, line"),
        ("x = [0] * 10**9", Verdict.MEMORY, "It used more than 128 MiB of memory at line 1 (`x = [0] * 10**9`)."),
    ],
)
def test_a_file_that_stops_while_loading_is_told_why(
    sandbox: UnsafeSandbox, source: str, verdict: Verdict, told: str
) -> None:
    """A file that ends its process, never ends itself or takes too much memory is stopped, and where is said."""
    with pytest.raises(Stopped) as caught, at_work(sandbox, source, load_seconds=0.5, memory_mib=128):
        pass
    assert verdict == caught.value.verdict
    assert caught.value.what.startswith(told)


def test_a_file_is_loaded_as_a_module(sandbox: UnsafeSandbox) -> None:
    """It is not run as a program, finds itself among the modules, has no arguments and nothing to read."""
    source = """
        import sys
        from dataclasses import dataclass

        if __name__ == "__main__":
            raise SystemExit("a program")

        @dataclass
        class Point:
            x: "int"

        def facts():
            return __name__, __file__, sys.argv, sys.modules[__name__].facts is facts, sys.stdin.read(), Point(3).x
    """
    with at_work(sandbox, source) as student, check(student) as engine:
        assert ("value", "value.py", ["value.py"], True, "", 3) == student.recorder.resolve(engine.facts())


def test_a_program_is_only_compiled(sandbox: UnsafeSandbox) -> None:
    """Where no check uses the module, loading runs nothing, and finds a mistake in the syntax all the same."""
    with at_work(sandbox, "raise ValueError", execute=False) as student:
        assert student.is_running
    with pytest.raises(StudentError, match="SyntaxError"), at_work(sandbox, "x = = 1", execute=False):
        pass


# --------------------------------------------------------------------------------------------------------------------
# Notebooks, and files beside

LOOP = "while True: pass"
SUBMISSIONS = {
    "file": Submission("ada", "an exercise", "value.py", b"import loss\n", siblings=(Part("loss.py", b"\n1 / 0"),)),
    "function": Submission("ada", "an exercise", "v.ipynb", b"", cells=("x = 1", f"def f():\n    {LOOP}\n\nf()")),
    "cell": Submission("ada", "an exercise", "v.ipynb", b"", cells=("x = 1", LOOP)),
}


@contextmanager
def working(submission: Submission, sandbox: Sandbox, *, execute: bool = True, **limits: Any) -> Iterator[Student]:
    """Load what was handed in and close it in the end."""
    bounds = Limits(**{"load_seconds": 5, "check_seconds": 5, **limits})
    with closing(Student(submission, bounds, sandbox, execute=execute, module="value")) as student:
        student.load()
        yield student


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("file", "ZeroDivisionError: division by zero\n  line 1: import loss\n  loss.py, line 2: 1 / 0"),
        ("function", f"Stopped after 0.5 s in `f()`, cell 2, line 2 (`{LOOP}`): is there a loop that never ends?"),
        ("cell", f"Stopped after 0.5 s in cell 2, line 1 (`{LOOP}`): is there a loop that never ends?"),
    ],
)
def test_places_are_named_where_there_are_several(sandbox: UnsafeSandbox, name: str, told: str) -> None:
    """A line is told with its cell or its file where there is more than one, but not with the submission's own file."""
    with pytest.raises((StudentError, Stopped)) as caught, working(SUBMISSIONS[name], sandbox, load_seconds=0.5):
        pass

    assert told == str(caught.value)


def test_a_notebook_at_work(sandbox: UnsafeSandbox) -> None:
    """A notebook is a module of the exercise's name, whatever fails in it; what failed is told when it is loaded."""
    cells = ("%who\nundefined", "def name():\n    return __name__\n\ndef fail():\n    return 1 / 0")
    with working(Submission("ada", "an exercise", "v (1).ipynb", b"", cells=cells), sandbox) as student:
        assert [
            "cell 1: 1 magic or shell line was ignored.",
            "cell 1, line 2 raised NameError: name 'undefined' is not defined and was passed over.",
        ] == student.notes
        with check(student) as engine:
            assert engine.name() == "value"
        error = raised(student, lambda engine: engine.fail())
        assert "ZeroDivisionError: division by zero\n  cell 2, line 5, in fail: return 1 / 0" == str(error)
        assert "NameError: v (1).ipynb defines no name 'Value'" == str(raised(student, lambda engine: engine.Value()))


def test_a_notebook_as_a_program(sandbox: UnsafeSandbox) -> None:
    """A notebook runs as a program, statement by statement; of what fails, only what public checks saw is told."""
    cells = ("number = int(input())", "print(__name__, number)\nraise ValueError(number)", "print('end')")
    submission = Submission("ada", "an exercise", "value.ipynb", b"", cells=cells)
    with working(submission, sandbox, execute=False) as student:
        student.begin(hidden=True)
        assert Run("__main__ 3\nend\n", "", 0) == student.program("3\n")
        assert ["cell 2, line 2 raised ValueError: 3 and was passed over."] == student.notes_of_case
        assert [] == student.notes
        student.new_case()
        assert [] == student.notes_of_case
        student.begin(hidden=False)
        student.program("4\n")
        student.program("4\n")
        assert ["cell 2, line 2 raised ValueError: 4 and was passed over."] == student.notes == student.notes_of_case
        assert "\n".join(2 * ["ipython value.ipynb   # with these lines on standard input:\n4\n"]) == student.code({})


def test_notes_of_a_later_loading_are_not_told(sandbox: UnsafeSandbox) -> None:
    """A file that is loaded again may have seen hidden inputs: what it notes then is for nobody."""
    cells = (
        "import os, signal\nseen = open('seen', 'a+').read()",
        "raise ValueError(os.path.getsize('seen'))",
        "def keep(x):\n    open('seen', 'w').write(x)\n    os.kill(os.getppid(), signal.SIGKILL)",
    )
    with working(Submission("ada", "an exercise", "value.ipynb", b"", cells=cells), sandbox) as student:
        with check(student) as engine:
            student.recorder.resolve(engine.keep("271828"))
        student.begin(hidden=False)
        student.end()
        student.begin()

        assert ["cell 2, line 1 raised ValueError: 0 and was passed over."] == student.notes


def test_an_absent_module(sandbox: UnsafeSandbox) -> None:
    """A file may import what is not there, and is judged by what it does without."""
    source = "import nowhere.plot as plt\nplt.plot()\nanswer = 3\n\ndef tanh():\n    return plt.tanh(1)\n"
    with at_work(sandbox, source) as student:
        assert [
            "nowhere is not installed where your code is graded; what you ask of it does nothing here."
        ] == student.notes
        with check(student) as engine:
            assert engine.answer == 3
        error = str(raised(student, lambda engine: engine.tanh()))
        assert error.startswith("ModuleNotFoundError: No module named 'nowhere': it is not installed here, and this")


# --------------------------------------------------------------------------------------------------------------------
# Checks

DIED = "The process ended before it had answered"
MODULE = """
    import os, signal, sys, time

    state = []

    def same(value):
        return value

    def keep(value):
        state.append(value)
        return len(state)

    def leave(how):
        raise how

    def exit(code):
        sys.exit(code)

    def vanish(code):
        os._exit(code)

    def crash():
        os.kill(os.getpid(), signal.SIGABRT)

    def speak():
        print("to the standard output" * 1000, flush=True)
        print("to the standard error", file=sys.stderr)
        os.write(1, b"\\0\\0\\0\\2D{}")
        return sys.stdin.read()

    def close_everything():
        os.closerange(0, 1000)

    def hang():
        while True:
            pass

    def stubborn():
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

    def grow(size):
        return len([0] * size)

    def open_all():
        return [open(os.devnull) for _ in range(1000)]

    def write(size):
        with open("large", "wb") as file:
            file.write(bytes(size))
"""


@pytest.fixture(scope="module")
def student(sandbox: UnsafeSandbox) -> Iterator[Student]:
    """The module above, loaded once for all checks of this file, with small limits."""
    with at_work(sandbox, MODULE, check_seconds=1, memory_mib=128, descriptors=20, files_mib=1) as loaded:
        yield loaded


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda engine: engine.exit(4), "SystemExit: 4\n  line 17, in exit: sys.exit(code)"),
        (
            lambda engine: engine.leave(engine.KeyboardInterrupt),
            "NameError: value.py defines no name 'KeyboardInterrupt'",
        ),
        (
            lambda engine: engine.leave(None),
            "TypeError: exceptions must derive from BaseException\n  line 14, in leave: raise how",
        ),
        (lambda engine: engine.write(2 << 20), "OSError: [Errno 27] File too large (at most 1 MiB of files, and 1000"),
        (
            lambda engine: engine.open_all(),
            "OSError: [Errno 24] Too many open files: '/dev/null' (at most 20 open files",
        ),
    ],
)
def test_an_exception_in_a_check_is_told(student: Student, ask: Callable[[Any], object], told: str) -> None:
    """Whatever is raised, even to leave the interpreter, is an answer, and the next check goes on as if nothing was."""
    assert str(raised(student, ask)).startswith(told)
    assert works(student)


@pytest.mark.parametrize(
    ("ask", "verdict", "told"),
    [
        (lambda engine: engine.vanish(5), Verdict.ERROR, f"{DIED}: it left with exit status 5."),
        (lambda engine: engine.crash(), Verdict.ERROR, f"{DIED}: it crashed (signal 6)."),
        (lambda engine: engine.close_everything(), Verdict.ERROR, DIED),
        (lambda engine: engine.hang(), Verdict.TIMEOUT, "Stopped after 1 s in `hang()`, line 3"),
        (lambda engine: engine.stubborn(), Verdict.TIMEOUT, "Stopped after 1 s: is there a loop that never ends?"),
        (lambda engine: engine.grow(10**9), Verdict.MEMORY, "It used more than 128 MiB of memory in `grow()`, line"),
    ],
)  # fmt: skip
def test_a_check_that_stops_takes_nothing_with_it(
    student: Student, ask: Callable[[Any], object], verdict: Verdict, told: str
) -> None:
    """A process that is gone is told with the reason; the next check has one of its own."""
    found, what = stopped(student, ask)

    assert verdict == found
    assert what.startswith(told)
    assert works(student)


def test_time_is_counted_for_the_whole_check(student: Student) -> None:
    """The clock starts with the check and runs on between its messages; a new check has its own."""
    with check(student) as engine:
        assert engine.same(1) == 1
        time.sleep(1.1)
        with pytest.raises(Stopped, match=r"Stopped after 1 s: is there a loop that never ends\?"):
            assert engine.same(1) == 1
    assert works(student)


def test_what_is_printed_goes_nowhere(student: Student) -> None:
    """The standard streams of a check's process are its own: it cannot write into the grader's messages."""
    with check(student) as engine:
        assert "" == engine.speak()
        assert engine.same(1) == 1
        assert "" == engine.speak()


def test_a_check_leaves_nothing_to_the_next(student: Student) -> None:
    """State that a check leaves behind is not there in the next; within a check it lasts, from case to case."""
    with check(student) as engine:
        assert [1, 2] == [engine.keep("a"), engine.keep("b")]
        student.new_case()
        assert engine.keep("c") == 3
    with check(student) as engine:
        assert engine.keep("a") == 1


def test_stand_ins_end_with_their_case(student: Student) -> None:
    """What a case has recorded is not part of the next one's transcript."""
    with check(student) as engine:
        assert engine.keep("a") == 1
        assert "keep('a')" in student.code({})
        student.new_case()
        assert "" == student.code({})


def test_the_loaded_process_is_loaded_again(sandbox: UnsafeSandbox) -> None:
    """A check that kills the process it came from costs the next one another loading, and nothing else."""
    source = """
        import os, signal
        LOADS = len(open("loads", "a+").read()) if not open("loads", "a").write("x") else 0

        def kill_parent():
            os.kill(os.getppid(), signal.SIGKILL)

        def same(value):
            return value
    """
    with at_work(sandbox, source) as student:
        with check(student) as engine:
            student.recorder.resolve(engine.kill_parent())
        assert works(student)
        assert works(student)


def test_a_file_that_loads_only_once_is_told(sandbox: UnsafeSandbox) -> None:
    """A file that does not load a second time is the student's error in the checks that remain."""
    source = """
        import os, signal

        if os.path.exists("mark"):
            raise RuntimeError("again")
        open("mark", "w").close()

        def kill_parent():
            os.kill(os.getppid(), signal.SIGKILL)
    """
    with at_work(sandbox, source) as student:
        with check(student) as engine:
            student.recorder.resolve(engine.kill_parent())
        for _ in range(2):
            with pytest.raises(Stopped) as caught:
                student.begin()
            assert Verdict.ERROR == caught.value.verdict
            assert caught.value.what.startswith(
                "The file loaded before, and now does not.\nRuntimeError: again\n  line 5: "
            )
        assert student.is_running


def test_processor_time_is_bounded_too(sandbox: UnsafeSandbox) -> None:
    """A check's process that has used its processor time is stopped, and where is said."""
    with at_work(sandbox, MODULE, cpu_seconds=1) as student:
        verdict, what = stopped(student, lambda engine: engine.hang())

        assert Verdict.TIMEOUT == verdict
        assert what.startswith("Stopped after 1 s of processor time in `hang()`, line 3")
        assert works(student)


def test_answers_are_the_same_every_time(sandbox: UnsafeSandbox) -> None:
    """Neither an unseeded random number nor the order of a set differs from one grading, or one check, to the next."""
    source = """
        import random
        drawn = random.random()

        def facts():
            return drawn, random.random(), list({"a", "b", "c", "d"}), hash("text")
    """
    found = []
    for _ in range(2):
        with at_work(sandbox, source) as student:
            for _ in range(2):
                with check(student) as engine:
                    found.append(student.recorder.resolve(engine.facts()))

    assert [found[0]] * 4 == found


def test_a_seed_of_the_student_s_lasts(sandbox: UnsafeSandbox) -> None:
    """What a file seeds while it loads is drawn from in each check, as in a single process."""
    source = """
        import random

        random.seed(42)
        random.random()
    """
    drawn = random.Random(42)
    drawn.random()
    expected = drawn.random()
    with at_work(sandbox, source) as student:
        for _ in range(2):
            with check(student) as engine:
                assert expected == student.recorder.resolve(engine.random.random())


def test_the_module_is_for_checks_alone(sandbox: UnsafeSandbox) -> None:
    """Using `engine` outside of a check is the check's own error."""
    with at_work(sandbox, MODULE) as student:
        with pytest.raises(ExerciseError, match="a check uses `engine` outside of a check function"):
            student.recorder.resolve(student.engine.same(1))
        student.end()
        assert works(student)


def test_a_check_that_asks_too_much_at_once_is_at_fault(sandbox: UnsafeSandbox) -> None:
    """What would be too large for the sandbox to take is the check's error, and the student's code is not touched."""
    with at_work(sandbox, MODULE) as student:
        with check(student) as engine, pytest.raises(ExerciseError, match="a check sends more than 8 MiB"):
            student.recorder.resolve([engine.same("x" * 1_000_000) for _ in range(9)])
        with check(student), pytest.raises(ExerciseError, match="a check sends more than 8 MiB"):
            student.program("1 2\n" * (1 << 21))
        assert works(student)


def test_a_submission_may_be_closed_at_any_time(sandbox: UnsafeSandbox) -> None:
    """Closing is the end, however often and whenever it comes."""
    with at_work(sandbox, MODULE) as student:
        student.begin()
        student.close()
        student.close()
        student.end()
        assert not student.is_running


# --------------------------------------------------------------------------------------------------------------------
# Programs


def run(sandbox: UnsafeSandbox, source: str | bytes, stdin: str = "", args: Sequence[str] = (), **limits: Any) -> Run:
    """Run a source as a program, in a check, once."""
    with at_work(sandbox, source, execute=False, **limits) as student, check(student):
        return student.program(stdin, args)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", Run("", "", 0)),
        ("print(1.5)", Run("1.5\n", "", 0)),
        ("import sys; print('é→', file=sys.stderr)", Run("", "é→\n", 0)),
        ("print(input(), input())", Run("one two\n", "", 0)),
        ("import sys; print([line for line in sys.stdin])", Run("['one\\n', 'two\\n', 'é']\n", "", 0)),
        ("import sys; print(sys.argv)", Run("['value.py', '-v', 'a b', '']\n", "", 0)),
        ("print(__name__, __file__)", Run("__main__ value.py\n", "", 0)),
        ("import sys; print(sys.modules['__main__'].__file__)", Run("value.py\n", "", 0)),
        ("print(1); raise SystemExit", Run("1\n", "", 0)),
        ("import sys; print(1); sys.exit(3)", Run("1\n", "", 3)),
        ("import sys; sys.exit(257)", Run("", "", 1)),
        ("import sys; sys.exit('no points')", Run("", "no points\n", 1)),
        ("import os; print(1, flush=True); os._exit(4)", Run("1\n", "", 4)),
        ("import sys; sys.stdout.close()", Run("", "", 0)),
        ("import os; os.close(1); os.close(2)", Run("", "", 0)),
        ("import sys; sys.stdout = None; sys.stdin = 3", Run("", "", 0)),
        ("import os; os.write(1, b'\\xff\\r\\n')", Run("\ufffd\r\n", "", 0)),
        ("import atexit; atexit.register(print, 'bye'); print('hello')", Run("hello\nbye\n", "", 0)),
        ("print('unfinished', end='')", Run("unfinished", "", 0)),
    ],
)
def test_a_program_is_run_as_python_runs_it(sandbox: UnsafeSandbox, source: str, expected: Run) -> None:
    """It has its input, its arguments, its name and its exit status, and what it writes is kept."""
    assert expected == run(sandbox, source, "one\ntwo\né", ["-v", "a b", ""])


def test_a_program_has_all_of_its_input(sandbox: UnsafeSandbox) -> None:
    """Input of any length arrives, whether it is read or not."""
    text = "1.5,2.5\n" * 550_000

    assert Run("550000\n", "", 0) == run(sandbox, "import sys; print(len(sys.stdin.readlines()))", text)
    assert Run("", "", 0) == run(sandbox, "", text)


def test_threads_are_waited_for(sandbox: UnsafeSandbox) -> None:
    """A program is done when its threads are."""
    source = """
        import threading, time

        def later():
            time.sleep(0.2)
            print("done")

        threading.Thread(target=later).start()
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    """
    assert Run("done\n", "", 0) == run(sandbox, source)


def test_a_process_left_behind_is_not_waited_for(sandbox: UnsafeSandbox) -> None:
    """A process that holds the output open after the program has ended keeps nobody."""
    source = """
        import os, time

        print("before", flush=True)
        if os.fork() == 0:
            time.sleep(60)
        print("after")
    """
    started = time.monotonic()

    assert Run("before\nafter\n", "", 0) == run(sandbox, source)
    assert time.monotonic() - started < 4


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("print(1)\nint('x')", "ValueError: invalid literal for int() with base 10: 'x'\n  line 2: int('x')"),
        ("def f():\n    raise KeyError\nf()", "KeyError\n  line 3: f()\n  line 2, in f: raise KeyError"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt\n  line 1: raise KeyboardInterrupt"),
        ("open('x' * 300)", "OSError: [Errno 36] File name too long"),
    ],
)
def test_an_uncaught_exception_is_the_student_s(sandbox: UnsafeSandbox, source: str, told: str) -> None:
    """A program that ends with an exception is told by it, in the student's own lines."""
    with pytest.raises(StudentError) as caught:
        run(sandbox, source)
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize(
    ("source", "verdict", "told"),
    [
        ("print(1)\nwhile True: pass", Verdict.TIMEOUT, "Stopped after 0.5 s at line 2 (`while True: pass`)"),
        ("import sys\nsys.stdin = open('/dev/zero')\ninput()", Verdict.MEMORY, "It used more than 128 MiB of memory"),
        ("import time\ntime.sleep(60)", Verdict.TIMEOUT, "Stopped after 0.5 s at line 2"),
        ("while True: print('y' * 1000)", Verdict.TIMEOUT, "Stopped after 0.5 s at line 1"),
        ("import os\nos.kill(os.getpid(), 11)", Verdict.ERROR, f"{DIED}: it crashed (signal 11)."),
        ("import os, time\nos.closerange(3, 99)\ntime.sleep(60)", Verdict.TIMEOUT, "Stopped after 0.5 s"),
        ("x = 'x' * 10**9", Verdict.MEMORY, "It used more than 128 MiB of memory at line 1"),
    ],
)  # fmt: skip
def test_a_program_is_stopped(sandbox: UnsafeSandbox, source: str, verdict: Verdict, told: str) -> None:
    """A program that never ends, dies or takes too much memory is stopped, and where is said if it is known."""
    with pytest.raises(Stopped) as caught:
        run(sandbox, source, check_seconds=0.5, memory_mib=128)
    assert verdict == caught.value.verdict
    assert caught.value.what.startswith(told)


def test_a_long_output_is_cut(sandbox: UnsafeSandbox) -> None:
    """More than the limit is read and dropped, and that alone is said of it; just the limit is no more than it."""
    just = "import sys; sys.stdout.write('x' * 1024)"

    assert 1024 == len(run(sandbox, just, output_kib=1).stdout)
    for source in (f"{just}; print()", "for _ in range(100_000): print('a longer text')"):
        with pytest.raises(OutputMismatch, match="It printed more than 1 KiB, and the rest was not read"):
            run(sandbox, source, output_kib=1)
    errors = run(sandbox, "import sys; print('x' * 10_000, file=sys.stderr); print('fine')", output_kib=1)
    assert ("fine\n", 1024) == (errors.stdout, len(errors.stderr))


def test_characters_of_any_length_are_counted_in_bytes(sandbox: UnsafeSandbox) -> None:
    """What takes the most room on its way is received too."""
    found = run(sandbox, "import os\nfor _ in range(64): os.write(1, b'\\0\\xff\\x7f,' * 256)")

    assert "\0\ufffd\x7f," * (1 << 14) == found.stdout


def test_what_a_program_did_is_shown_with_its_input(sandbox: UnsafeSandbox) -> None:
    """The transcript of a program is its command line and what it read."""
    with at_work(sandbox, "", execute=False) as student, check(student):
        student.program("1 2\n3 4\n", ["-v"])
        student.program()

        assert (
            "python value.py -v   # with these lines on standard input:\n1 2\n3 4\n\npython value.py"
            == student.code({})
        )
        student.new_case()
        assert "" == student.code({})


def test_programs_share_the_time_of_their_check(sandbox: UnsafeSandbox) -> None:
    """When a check's time is up, its next program is not even started."""
    with at_work(sandbox, "import time; time.sleep(0.5)", execute=False, check_seconds=0.9) as student:
        with check(student):
            student.program()
            with pytest.raises(Stopped, match=r"Stopped after 0.9 s at line 1"):
                student.program()
            with pytest.raises(Stopped, match=r"Stopped after 0.9 s: is there a loop that never ends\?"):
                student.program()
        with check(student):
            assert 0 == student.program().status


def test_a_module_may_be_run_as_a_program_too(sandbox: UnsafeSandbox) -> None:
    """One check may use both: the program is another process, so it has a state of its own."""
    source = """
        count = 0

        def same(value):
            global count
            count += 1
            return value

        print("count", count)
    """
    with at_work(sandbox, source) as student, check(student) as engine:
        assert engine.same(1) == 1
        assert Run("count 0\n", "", 0) == student.program()
        assert engine.count == 1


# --------------------------------------------------------------------------------------------------------------------
# A sandbox that does not answer as it should

Answer = bytes | type[Exception]
Script = Callable[[dict[str, Any]], Answer]


class ScriptedSession:
    """A session whose driver answers as a test says; lasts as long as its student.

    Args:
        answer: Makes an answer of a request: bytes, after which nothing more comes, or what is raised instead.
        memory: Whether memory is said to have run out.
    """

    def __init__(self, answer: Script, *, memory: bool) -> None:
        self._answer = answer
        self._memory = memory
        self._answered = b""
        self._raised: type[Exception] | None = None
        self._take({"do": "ready"})
        self.closed = 0

    def _take(self, request: dict[str, Any]) -> None:
        answer = self._answer(request)
        if isinstance(answer, bytes):
            self._answered += answer
        else:
            self._raised = answer

    def send(self, data: bytes, deadline: float) -> None:
        """Take a request, unless the script says that nobody is there."""
        assert deadline > 0
        received = wire.FrameBuffer(wire.MAX_REQUEST_BYTES)
        received.feed(data)
        taken = received.take()
        assert taken is not None
        request, errand = wire.parse_request(taken[1])
        self._take(request | (wire.parse(errand) if errand else {}))
        if self._raised is ConnectionResetError:
            raise self._raised

    def receive(self, deadline: float) -> bytes:
        """Give the answers, part by part."""
        assert deadline > 0
        if self._raised:
            raise self._raised
        given, self._answered = self._answered[:50], self._answered[50:]
        return given

    def memory_ran_out(self) -> bool:
        """Say what the test says."""
        return self._memory

    def close(self) -> None:
        """Count it."""
        self.closed += 1


class ScriptedSandbox:
    """A sandbox whose drivers answer as a test says; lasts as long as its test.

    Args:
        answers: What is answered, by what is asked.
        memory: Whether memory is said to have run out.
    """

    kind = "scripted"
    image = "none"

    def __init__(self, answers: dict[str, Script], *, memory: bool) -> None:
        self._answers = answers
        self._memory = memory
        self.opened: list[ScriptedSession] = []

    def open(self, limits: Limits) -> ScriptedSession:
        """Open a scripted session."""
        assert limits.check_seconds > 0
        self.opened.append(ScriptedSession(self._answer, memory=self._memory))
        return self.opened[-1]

    def _answer(self, request: dict[str, Any]) -> bytes | type[Exception]:
        return self._answers["survey" if "names" in request else request["do"]](request)

    def close(self) -> None:
        """There is nothing to end."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def told(status: str = "ok", kind: bytes = wire.DRIVER, **more: object) -> Callable[[dict[str, Any]], bytes]:
    """Answer with a status and whatever else."""
    return lambda request: wire.frame(kind, {"id": request["id"], "status": status, **more})


def says(**more: object) -> Callable[[dict[str, Any]], bytes]:
    """Answer as a student's process."""
    return lambda request: wire.frame(wire.STUDENT, {"id": request["id"], **more})


def scripted(apply: Script, *, memory: bool = False, **others: Script) -> ScriptedSandbox:
    """Return a sandbox that does all as it should but for some requests."""
    answers: dict[str, Script] = {
        "ready": lambda _: wire.frame(wire.DRIVER, {"ready": wire.PROTOCOL}),
        "load": says(),
        "begin": says(),
        "end": told(),
        "run": told("ended", exit=0, stdout="", stderr="", cut=[False, False], report="{}"),
        "apply": apply,
    }
    return ScriptedSandbox(answers | others, memory=memory)


ENDED = "The code ended, or blocked, the sandbox it ran in."
INTERFERED = "The code interfered with the grader's own messages."


def test_forged_notes_are_read_as_notes() -> None:
    """Notes that a process makes up are sentences about its own file, bounded; and they are read of a loading alone."""
    notes: list[object] = [[0, 1, "failed", "all checks passed\n25 of 25 XP"], [9, 1, "failed", ""], 7]
    forged = says(notes=notes, absent=["numpy", "<b>"])
    with at_work(scripted(says(values=[[7]], notes=[[0, 2, "failed", ""]]), load=forged), "") as student:
        assert works(student)
        assert [
            "value.py, line 1 raised all checks passed 25 of 25 XP and was passed over.",
            "numpy is not installed where your code is graded; what you ask of it does nothing here.",
        ] == student.notes


@pytest.mark.parametrize(
    ("survey", "sentence"),
    [
        (says(missing=[]), ""),
        (says(), ""),
        (says(missing=7, classes=7), ""),
        (says(missing=[["Value", ["data"]]]), "value.py defines no class; the exercise asks for `Value`."),
        (says(raised={"type": "ValueError"}), ""),
        (told("timeout"), ""),
        (told("died"), ""),
        (lambda _: b"", ""),
        (lambda _: b"garbage that goes on and on", ""),
    ],
)
def test_a_survey_never_fails(survey: Script, sentence: str) -> None:
    """Whatever comes of looking for classes, the next check finds a sandbox."""
    with at_work(scripted(says(values=[[7]]), survey=survey), "") as student:
        assert sentence == student.survey({"Value": ("data",)})
        assert works(student)


def test_a_sandbox_that_lacks_a_module_is_not_the_student_s() -> None:
    """Only the driver can say so, and before it runs anything; later on it is no reply."""
    lacking = told("lacking", modules=["numpy"])
    with pytest.raises(SandboxError) as caught, at_work(scripted(says(), load=lacking), ""):
        pass
    with at_work(scripted(says(status="lacking", modules=["numpy"])), "") as student:
        assert (Verdict.ERROR, INTERFERED) == stopped(student, lambda engine: engine.same(7))

    assert "the sandbox has no numpy, which the exercise requires: add it to the image" == str(caught.value)


@pytest.mark.parametrize(
    ("apply", "what"),
    [
        (lambda _: b"", ENDED),
        (lambda _: TimeoutError, ENDED),
        (lambda _: ConnectionResetError, ENDED),
        (lambda _: b"garbage that goes on and on", INTERFERED),
        (lambda _: b"\x7f\xff\xff\xffS", INTERFERED),
        (lambda _: wire.reframe(wire.STUDENT, b"{"), INTERFERED),
        (lambda _: wire.reframe(wire.STUDENT, b'{"id": 1.5}'), INTERFERED),
        (lambda _: wire.reframe(wire.STUDENT, b"[" * 1000), INTERFERED),
        (lambda _: wire.reframe(wire.STUDENT, b'{"values": ')[:9], ENDED),
        (told(kind=b"X", values=[[7]]), INTERFERED),
        (lambda _: wire.frame(wire.STUDENT, {"values": [7]}), INTERFERED),
        (lambda _: wire.frame(wire.STUDENT, {"id": "0" * 16, "values": [7]}), INTERFERED),
        (lambda _: wire.frame(wire.STUDENT, {"id": None, "values": [7]}), INTERFERED),
        (says(), INTERFERED),
        (says(values=[[7]], more=7), INTERFERED),
        (says(values=[[7]], status="ok"), INTERFERED),
        (says(values=7), INTERFERED),
        (says(values=[]), INTERFERED),
        (says(values=[[]]), INTERFERED),
        (says(values=[[7], [7]]), INTERFERED),
        (says(values=[[7, 7]]), INTERFERED),
        (told(), INTERFERED),
        (told("violation"), INTERFERED),
        (told("ended"), INTERFERED),
        (told("nonsense"), INTERFERED),
    ],
)
@pytest.mark.parametrize("memory", [False, True])
def test_a_lost_sandbox_is_the_student_s(
    apply: Script,
    what: str,
    memory: bool,  # noqa: FBT001  # a parameter of the test
) -> None:
    """Silence, an end, garbage or another's answer ends the sandbox; memory is the reason where it ran out."""
    sandbox = scripted(apply, memory=memory)
    with at_work(sandbox, "") as student:
        verdict, concluded = stopped(student, lambda engine: engine.same(7))

        assert not student.is_running
        assert [1] == [session.closed for session in sandbox.opened]
    if memory and what is ENDED:
        assert (Verdict.MEMORY, "It used more than 256 MiB of memory.") == (verdict, concluded)
    else:
        assert (Verdict.ERROR, what) == (verdict, concluded)


def test_a_second_reply_is_no_reply_to_the_next_request() -> None:
    """A driver that answers twice is not believed when it is asked again."""
    answer = says(values=[[7]])
    with (
        at_work(scripted(lambda request: b"".join([answer(request), answer(request)])), "") as student,
        check(student) as engine,
    ):
        assert engine.same(7) == 7
        with pytest.raises(Stopped, match=INTERFERED):
            assert engine.same(7) == 7


def test_an_answer_that_comes_too_late_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """What arrives after the deadline does not count, however right it is."""
    with at_work(scripted(says(values=[[7]])), "") as student, check(student) as engine:
        assert engine.same(7) == 7
        monkeypatch.setattr("grader.student.GRACE_SECONDS", -10.0)
        with pytest.raises(Stopped, match=ENDED):
            assert engine.same(7) == 7


def test_a_lost_sandbox_is_opened_anew_a_few_times() -> None:
    """Each check after a loss has a new sandbox, until there were too many losses; then no check is run."""
    sandbox = scripted(lambda _: b"")
    with at_work(sandbox, "") as student:
        for _ in range(MAX_LOSSES + 1):
            assert (Verdict.ERROR, ENDED) == stopped(student, lambda engine: engine.same(7))
        for _ in range(2):
            with pytest.raises(Stopped) as caught:
                student.begin()
            assert Verdict.NOT_RUN == caught.value.verdict
            assert "The sandbox was lost too often; the checks that remain were not run." == caught.value.what
    assert [1] * (MAX_LOSSES + 1) == [session.closed for session in sandbox.opened]


def test_a_loss_between_checks_is_noticed() -> None:
    """A sandbox that is lost when a check ends takes nothing from that check, and the next has a new one."""
    sandbox = scripted(says(values=[[7]]), end=lambda _: b"")
    with at_work(sandbox, "") as student:
        assert works(student)
        assert not student.is_running
        assert works(student)
    assert 2 == len(sandbox.opened)


def test_a_file_that_does_not_load_anew_is_told() -> None:
    """Where the file raises in the new sandbox, that is what is said."""
    loads = [says(raised={"type": "ValueError", "message": "again", "frames": []}), says()]

    def load(request: dict[str, Any]) -> Answer:
        return loads.pop()(request)

    with at_work(scripted(lambda _: b"", load=load), "") as student:
        stopped(student, lambda engine: engine.same(7))
        with pytest.raises(Stopped) as caught:
            student.begin()
        assert (Verdict.ERROR, "The file loaded before, and now does not.\nValueError: again") == (
            caught.value.verdict,
            caught.value.what,
        )


@pytest.mark.parametrize("ready", [lambda _: b"", lambda _: TimeoutError, lambda _: b"Error: no such image, and so on"])
def test_a_sandbox_that_never_becomes_ready_is_not_the_student_s(ready: Script) -> None:
    """Before student code was sent, a failure is the sandbox's own; it is closed all the same."""
    sandbox = scripted(says(), ready=ready)
    with pytest.raises(SandboxError, match="the sandbox did not become ready"), at_work(sandbox, ""):
        pass
    assert [1] == [session.closed for session in sandbox.opened]


def test_a_check_that_takes_too_long_on_the_host_is_given_up() -> None:
    """What the host gives up is a timeout, and the sandbox is gone."""
    with at_work(scripted(says(values=[[7]])), "", check_seconds=3) as student:
        student.begin()
        given_up = student.abandon()

        assert (Verdict.TIMEOUT, "Stopped after 3 s: is there a loop that never ends?") == (
            given_up.verdict,
            given_up.what,
        )
        assert not student.is_running
        assert student.abandon().what == given_up.what  # even twice


# --------------------------------------------------------------------------------------------------------------------
# What the driver says, and what a student's process says


@pytest.mark.parametrize(
    ("answer", "verdict", "what"),
    [
        (told("timeout"), Verdict.TIMEOUT, "Stopped after 5 s: is there a loop that never ends?"),
        (told("timeout", report="nonsense"), Verdict.TIMEOUT, "Stopped after 5 s: is there a loop that never ends?"),
        (told("timeout", report=7), Verdict.TIMEOUT, "Stopped after 5 s: is there a loop that never ends?"),
        (
            told("timeout", report='{"raised": {"frames": [[0, 1, "<module>", "f()", 1], [0, 3, "f", "pass", 1]]}}'),
            Verdict.TIMEOUT,
            "Stopped after 5 s in `f()`, line 3 (`pass`): is there a loop that never ends?",
        ),
        (
            told("timeout", report='{"raised": {"frames": [[0, 1, "<module>", "", 1]]}}'),
            Verdict.TIMEOUT,
            "Stopped after 5 s at line 1: is there a loop that never ends?",
        ),
        (told("died"), Verdict.ERROR, "The process ended before it had answered."),
        (told("died", exit="x", signal=None), Verdict.ERROR, "The process ended before it had answered."),
        (told("died", exit=1), Verdict.ERROR, "The process ended before it had answered: it left with exit status 1."),
        (told("died", signal=9), Verdict.ERROR, "The process ended before it had answered: it crashed (signal 9)."),
        (
            told("died", signal=24),
            Verdict.TIMEOUT,
            "Stopped after 10 s of processor time: is there a loop that never ends?",
        ),
        (told("died", signal=9, memory=True), Verdict.MEMORY, "It used more than 256 MiB of memory."),
        (says(raised={"limit": "wall"}), Verdict.TIMEOUT, "Stopped after 5 s: is there a loop that never ends?"),
        (
            says(raised={"limit": "cpu", "frames": [[0, 3, "f", "g()", 1]]}),
            Verdict.TIMEOUT,
            "Stopped after 10 s of processor time in `f()`, line 3 (`g()`): is there a loop that never ends?",
        ),
        (says(raised={"limit": "memory"}), Verdict.MEMORY, "It used more than 256 MiB of memory."),
    ],
)
def test_what_stopped_a_check_is_said(answer: Script, verdict: Verdict, what: str) -> None:
    """Each way to be stopped has its own sentence, with the place where that is known."""
    with at_work(scripted(answer), "") as student:
        assert (verdict, what) == stopped(student, lambda engine: engine.same(7))
        assert student.is_running


@pytest.mark.parametrize(
    ("raised_there", "expected"),
    [
        ({"type": "ValueError", "message": "no", "frames": [[0, 1, "f", "x", 1]]}, "ValueError: no\n  line 1, in f: x"),
        ({"type": "OSError", "message": "no", "limit": "processes"},
         "OSError: no (at most 32 processes and threads at once are allowed)"),
        ({"type": "OSError", "message": "no", "limit": "files"},
         "OSError: no (at most 16 MiB of files, and 1000 of them, are allowed)"),
        ({"type": "OSError", "message": "no", "limit": "descriptors"},
         "OSError: no (at most 128 open files at once are allowed)"),
        ({"type": "E", "message": "no", "limit": ["wall"]}, "E: no"),
        ({"type": "E", "message": 7, "frames": 7}, "E"),
        ({"type": 7, "message": "no"}, "no"),
        ({"type": "E", "frames": [
            7, [], [0, "1", "f", "x", 1], [0, True, "f", "x", 1], [0, 1, 2, "x", 1], [0, 1, "f", 3, 1],
            [0, 1, "f", "x", "1"], [1, 1, "f", "x", 1], [-1, 1, "f", "x", 1], [None, 1, "f", "x", 1],
            [0, 2, "f", "x", 1],
        ]}, "E\n  line 2, in f: x"),
        ({"type": "E" * 1000, "message": "m" * 10_000, "frames": [[0, 1, "f" * 1000, "x" * 10_000, 1]] * 100},
         "\n  ".join([f"{'E' * 200}: {'m' * 4000}", *[f"line 1, in {'f' * 200}: {'x' * 4000}"] * 40])),
        ({}, "an exception that cannot be read"),
        (7, "an exception that cannot be read"),
        (None, "an exception that cannot be read"),
        ([["type", "E"]], "an exception that cannot be read"),
    ],
)  # fmt: skip
def test_nothing_that_is_said_of_an_exception_is_believed(raised_there: object, expected: str) -> None:
    """Whatever a student's process says of an exception becomes one, bounded, or is said to be unreadable."""
    with at_work(scripted(says(raised=raised_there)), "") as student:
        assert expected == str(raised(student, lambda engine: engine.same(7)))
        assert student.is_running


@pytest.mark.parametrize(
    "report", ["", "{", "[]", "7", "null", "{}", '{"raised": null}', '{"raised": NaN}', "é\ud800", "{" * 1000, 7, None]
)
def test_a_report_of_a_program_that_is_none_is_passed_over(report: object) -> None:
    """What a program writes in place of its report does not matter, if it is none."""
    reply = told("ended", exit=0, stdout="1\n", stderr="", cut=[False, False], report=report)
    with at_work(scripted(says(), run=reply), "") as student, check(student):
        assert Run("1\n", "", 0) == student.program()


def test_a_driver_that_says_little_of_a_run_is_understood() -> None:
    """Streams and status that are missing are empty and unknown."""
    with at_work(scripted(says(), run=told("ended")), "") as student, check(student):
        assert Run("", "", -1) == student.program()


@pytest.mark.parametrize("answer", [told(), says(), says(values=[])])
def test_no_other_reply_is_one_to_a_run(answer: Script) -> None:
    """A reply that would do for another request does not do for a run."""
    with at_work(scripted(says(), run=answer), "") as student, check(student), pytest.raises(Stopped, match=INTERFERED):
        student.program()
