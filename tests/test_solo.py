"""Where no process can fork, each check and each run is a process of its own, and is judged as it is elsewhere."""

from __future__ import annotations

import base64
import math
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.checks import Checks
from grader.course import Course
from grader.errors import SandboxError
from grader.grading import grade
from grader.limits import Limits
from grader.sandbox import owner, process, solo, spawn, wire
from grader.sandbox.spawn import SpawnSession
from grader.sandbox.unsafe import UnsafeSandbox
from grader.student import Run, Stopped, Student
from grader.submission import Part, Submission
from grader.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.verdict import Report
    from tests.conftest import Judge, TinyCourse

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def forking() -> Iterator[UnsafeSandbox]:
    """Where processes fork."""
    with UnsafeSandbox(forks=True) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def spawning() -> Iterator[UnsafeSandbox]:
    """Where none does."""
    with UnsafeSandbox(forks=False) as sandbox:
        yield sandbox


def loading(source: bytes, **more: object) -> dict[str, Any]:
    """What a request to load a file says of it."""
    request = {"module": "value", "name": "value.py", "parts": [["value.py", base64.b64encode(source).decode()]]}
    no_more = {"siblings": [], "notebook": False, "execute": True, "forbid": [], "require": []}
    return request | no_more | more


def concluded(report: Report) -> list[tuple[str, Verdict, str, str, bool]]:
    """What a student is told, check by check."""
    return [(each.check, each.verdict, each.what, each.code, each.retried) for each in report.results]


def limits(case: str) -> dict[str, float]:
    """Little time for what never ends, and enough for everything else."""
    seconds = 0.4 if {"loops", "sleeps", "end"} & set(case.split()) else 10
    return {"load_seconds": seconds, "check_seconds": seconds}


# --------------------------------------------------------------------------------------------------------------------
# The same verdicts

CHECKS = '''\
import pytest


@pytest.mark.parametrize("number", [1.5, -2.0])
def check_value(engine, number):
    """A value keeps its number."""
    return {"x.data": engine.Value(number).data}


def check_number(engine):
    """Values are counted."""
    first = engine.Value(1.0)
    return engine.Value(2.0).number - first.number


def check_again(engine):
    """They are counted in every check."""
    return engine.Value(1.0).number > 0
'''

ENGINE = """\
import os, random, sys, threading, time

made = []


class Value:
    def __init__(self, data):
        self.data = data
        self.place = len(made)
        made.append(self)

    @property
    def number(self):
        return self.place + 1
"""

MODULES = {
    "right": "",
    "wrong": "Value.number = 7",
    "prints": "print('hello', flush=True); os.write(1, b'raw'); print(input.__doc__ and sys.stdin.read())",
    "raises": "def boom(self): raise ValueError('no')\nValue.number = property(boom)",
    "exits": "Value.number = property(lambda self: sys.exit(3))",
    "vanishes": "Value.number = property(lambda self: os._exit(4))",
    "crashes": "Value.number = property(lambda self: os.abort())",
    "loops": "def loop(self):\n    while True:\n        pass\n\nValue.number = property(loop)",
    "sleeps": "def nap(self):\n    time.sleep(60)\n\nValue.number = property(nap)",
    "answers too much": "Value.number = ['x' * 10_000] * 200",
    "answers too deep": "deep = []\nfor _ in range(50): deep = [deep]\nValue.number = deep",
    "hangs up": "Value.number = property(lambda self: os.closerange(0, 100))",
    "random": "drawn = random.random()\nValue.number = property(lambda self: random.random())",
    "leaves threads": "threading.Thread(target=time.sleep, args=(60,)).start()",
    "does not parse": "x = (",
    "does not load": "x = 1 / 0",
    "leaves while it loads": "sys.exit(2)",
    "vanishes while it loads": "os._exit(5)",
    "loops while it loads": "while True: pass",
    "has no such name": "del Value",
    "imports the grader": "import grader",
}


@pytest.mark.parametrize("case", MODULES)
def test_modules(course: TinyCourse, judge: Judge, case: str, forking: UnsafeSandbox, spawning: UnsafeSandbox) -> None:
    """Whatever a module does, its student is told the same as where processes fork."""
    exercise = course.exercise(CHECKS, engine=ENGINE, limits=limits(case))
    source = f"{ENGINE}\n\n{MODULES[case]}\n"

    assert concluded(judge(exercise, source, sandbox=forking)) == concluded(judge(exercise, source, sandbox=spawning))


NOTEBOOKS = {
    "right": (ENGINE,),
    "in order": ("%who\n" + ENGINE, "undefined", "x = = 1", "import nowhere.y", "from .beside import y", "%%bash\nls"),
    "awaits": (ENGINE, "import asyncio\nx = await asyncio.sleep(0, 3)", "Value.number = x"),
    "fails": (ENGINE, "def boom(self):\n    return 1 / 0\n\nValue.number = property(boom)"),
    "asks what is not there": ("import nowhere", ENGINE, "Value.number = nowhere.pi"),
    "loops": ("x = 1", "while True: pass"),
    "vanishes": (ENGINE, "os._exit(5)"),
    "has no such name": (ENGINE.replace("Value", "Scalar"),),
    "imports what is forbidden": (ENGINE, "import decimal"),
    "fails beside": (ENGINE, "from beside import broken\nValue.number = property(lambda self: broken())"),
}


@pytest.mark.parametrize("case", NOTEBOOKS)
def test_notebooks(course: TinyCourse, case: str, forking: UnsafeSandbox, spawning: UnsafeSandbox) -> None:
    """Whatever a notebook does, its student is told the same as where processes fork."""
    exercise = replace(
        course.exercise(CHECKS, engine=ENGINE, limits=limits(case)), names={"Value": ("data",)}, forbid=("decimal",)
    )
    beside = Part("beside.py", b"y = 1\n\ndef broken():\n    return y / 0\n")
    submission = Submission("ada", exercise.id, "value.ipynb", b"", cells=NOTEBOOKS[case], siblings=(beside,))
    with Checks(exercise) as checks:
        forked, spawned = (grade(submission, checks, sandbox, b"secret") for sandbox in (forking, spawning))

    assert concluded(forked) == concluded(spawned)
    assert forked.notes == spawned.notes


@pytest.mark.parametrize("forks", [True, False])
def test_a_module_that_a_sandbox_must_have(course: TinyCourse, judge: Judge, *, forks: bool) -> None:
    """What the interpreter lacks and the exercise requires leaves a submission ungraded, in both ways."""
    exercise = course.exercise(CHECKS, engine=ENGINE)
    with UnsafeSandbox(forks=forks) as sandbox:
        assert judge(replace(exercise, require=("json",)), ENGINE, sandbox=sandbox).passed
        with pytest.raises(SandboxError, match=r"^the sandbox has no nowhere, which the exercise requires: add it to"):
            judge(replace(exercise, require=("json", "nowhere")), ENGINE, sandbox=sandbox)


PROGRAM_CHECKS = '''\
import pytest


@pytest.mark.parametrize(("stdin", "args"), [("1\\n2\\n", ()), ("", ("-x", "two words"))])
def check_program(program, stdin, args):
    """It prints what it is given."""
    run = program(stdin, args)
    return {"stdout": run.stdout, "stderr": run.stderr, "status": run.status}
'''

PROGRAM = """\
import sys
print(*sys.argv[1:], sep="|")
print(sys.stdin.read())
"""

PROGRAMS = {
    "right": "",
    "wrong": "print('more')",
    "leaves": "sys.exit(3)",
    "leaves with words": "sys.exit('no')",
    "vanishes": "sys.stdout.flush()\nimport os\nos._exit(7)",
    "crashes": "import os\nos.abort()",
    "raises": "def boom():\n    raise ValueError('no')\n\nboom()",
    "reads too much": "input()",
    "loops": "print(1)\nwhile True: pass",
    "sleeps": "import time\ntime.sleep(60)",
    "prints much": "print('x' * 5000)",
    "prints without end": "while True: print('x' * 5000)",
    "complains": "print('é', file=sys.stderr)\nsys.stdout.buffer.write(b'\\xff')",
    "does not parse": "x = (",
    "prints late": "import atexit\natexit.register(print, 'late')",
    "waits for its threads": "import threading\nthreading.Timer(0.1, print, ['late']).start()",
    "closes all": "import os\nos.closerange(0, 100)",
    "imports what is not there": "import nowhere.plot as plt\nplt.show()",
    "prints what is not there": "import nowhere\nprint(nowhere.x, f'{nowhere.y:.2f}')",
    "looks around": "import os\nprint(os.listdir(), __name__, __file__, sys.path[0] == os.getcwd(), sys.argv)",
}


@pytest.mark.parametrize("case", PROGRAMS)
def test_programs(course: TinyCourse, judge: Judge, case: str, forking: UnsafeSandbox, spawning: UnsafeSandbox) -> None:
    """Whatever a program does, its student is told the same as where processes fork."""
    exercise = course.exercise(PROGRAM_CHECKS, program=PROGRAM, limits={"output_kib": 4} | limits(case))
    source = f"{PROGRAM}\n{PROGRAMS[case]}\n"

    assert concluded(judge(exercise, source, sandbox=forking)) == concluded(judge(exercise, source, sandbox=spawning))


CLASS = [
    ("pow_relu", "value.py", ("ada", "dorothy", "emil", "hana", "quinn")),
    ("neuron_fit", "train_neuron.py", ("ada", "carl", "grace", "kira")),
    ("line_fit", "line_fit.py", ("ada", "blaise", "milo", "nora")),
]


@pytest.mark.parametrize(
    ("exercise", "file", "student"), [(name, file, who) for name, file, students in CLASS for who in students]
)
def test_class(
    judge: Judge, exercise: str, file: str, student: str, forking: UnsafeSandbox, spawning: UnsafeSandbox
) -> None:
    """A submission of the example class gets the same verdicts of the public checks."""
    chosen = Course(HERE.parent).exercise(exercise).public
    source = (HERE.parent / "submissions" / student / file).read_bytes()

    assert concluded(judge(chosen, source, sandbox=forking)) == concluded(judge(chosen, source, sandbox=spawning))


# --------------------------------------------------------------------------------------------------------------------
# What is otherwise


def test_where_a_program_hangs_in_the_end(course: TinyCourse, judge: Judge, spawning: UnsafeSandbox) -> None:
    """A program that has said how it went, and does not end, is told where it was all the same."""
    exercise = course.exercise(PROGRAM_CHECKS, program=PROGRAM, limits={"check_seconds": 0.4})
    source = "import atexit\n\n@atexit.register\ndef late():\n    while True: pass\n"
    result = judge(exercise, source, sandbox=spawning).results[0]

    assert Verdict.TIMEOUT == result.verdict
    assert (
        "Stopped after 0.4 s in `late()`, line 5 (`while True: pass`): is there a loop that never ends?" == result.what
    )


def test_a_file_that_loads_only_once_is_told(course: TinyCourse, judge: Judge, spawning: UnsafeSandbox) -> None:
    """The first check has the process that the file was loaded in; for the others the file is loaded again."""
    source = f"open('mark', 'x').close()\n{ENGINE}"
    first, *others = judge(course.exercise(CHECKS, engine=ENGINE), source, sandbox=spawning).results

    assert first.passed
    for result in others:
        assert Verdict.ERROR == result.verdict
        assert result.what.startswith("The file loaded before, and now does not.\nFileExistsError: ")


@pytest.fixture
def student(spawning: UnsafeSandbox) -> Iterator[Student]:
    """A module at work that does what it is asked for."""
    source = """
        import os, subprocess, sys, threading, time

        def say(text):
            for descriptor in range(3, 20):
                try:
                    os.write(descriptor, text.encode("latin-1"))
                except OSError:
                    pass

        def keep_all_waiting():
            return 3 ** 10**9

        def facts():
            return [sorted(os.environ), [name for name in sys.modules if "grader" in name], sys.path, os.listdir()]

        if __name__ == "__main__":
            for word in sys.argv[1:]:
                exec(word)
    """
    handed_in = Submission("ada", "an exercise", "value.py", textwrap.dedent(source).encode())
    with closing(Student(handed_in, Limits(check_seconds=1), spawning, execute=True)) as student:
        student.load()
        yield student


def stopped(student: Student, ask: Callable[[Any], object]) -> tuple[Verdict, str]:
    """What is concluded of a check that is stopped."""
    student.begin()
    with pytest.raises(Stopped) as caught:
        student.recorder.resolve(ask(student.engine))
    student.end()
    return caught.value.verdict, caught.value.what


def test_a_process_that_cannot_watch_itself_is_ended(student: Student, monkeypatch: pytest.MonkeyPatch) -> None:
    """One long operation inside Python keeps all its threads waiting; it is ended from outside, a little later."""
    monkeypatch.setattr(spawn, "_GRACE_SECONDS", 1.0)
    started = time.monotonic()

    assert (
        Verdict.TIMEOUT,
        "Stopped after 1 s: is there a loop that never ends?",
    ) == stopped(student, lambda engine: engine.keep_all_waiting())
    student.begin()
    with pytest.raises(Stopped, match=r"Stopped after 1 s: is there a loop that never ends\?"):
        student.program(args=["3 ** 10**9"])
    assert time.monotonic() - started < 10
    student.begin()
    assert student.program(args=["print(1)"]) == Run("1\n", "", 0)


@pytest.mark.parametrize("said", ["\0\0\0\2S{}", "\0\0\0\2S{}" * 2, "\xff\xff\xff\xffS"])
def test_a_process_that_speaks_unasked_is_given_up(student: Student, said: str) -> None:
    """What was not asked for is no answer."""
    assert (
        Verdict.ERROR,
        "The code interfered with the grader's own messages.",
    ) == stopped(student, lambda engine: engine.say(said))


def test_what_student_code_sees(student: Student) -> None:
    """Nothing of the grader: no module, no place where its modules are, no file."""
    student.begin()
    facts: Any = student.recorder.resolve(student.engine.facts())
    environment, modules, path, files = facts

    assert {"HOME", "LANG", "PATH", "PYTHONHASHSEED", "PYTHONUTF8", "TMPDIR"} <= set(environment)
    assert "PYTHONPATH" not in environment
    assert [] == modules
    assert str(HERE.parent) not in path
    assert [] == files


def test_a_process_left_behind_is_not_waited_for(student: Student) -> None:
    """A program's end is its end, whoever still holds what it printed to."""
    student.begin()
    leave = "print('done'); child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(9)'])"
    run = student.program(args=[leave, "print(child.pid)"])
    done, pid = run.stdout.split()
    os.kill(int(pid), signal.SIGKILL)

    assert "done" == done


def test_lines_end_the_same_way_everywhere(
    student: Student, judge: Judge, course: TinyCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a printed line ends with two characters, a check gets to see one, of the student's side and the other."""
    ended = "import sys\nsys.stdout.buffer.write(b'1\\r\\n2\\r\\n')\n"
    checks = 'def check_lines(program):\n    """Two lines."""\n    return program().stdout.split("\\n")\n'
    exercise = course.exercise(checks, program=ended)
    student.begin()

    assert "1\r\n" == student.program(args=["print(1, end='\\r\\n')"]).stdout
    monkeypatch.setattr(os, "linesep", "\r\n")
    assert "1\n" == student.program(args=["print(1, end='\\r\\n')"]).stdout
    with UnsafeSandbox(forks=False) as spawning:
        assert judge(exercise, "print(1)\nprint(2)\n", sandbox=spawning).passed


@pytest.mark.parametrize(("milliseconds", "limit"), [(20_000, None), (200, "wall")])
def test_a_process_ends_by_itself(milliseconds: int, limit: str | None) -> None:
    """A check's process ends with its input, or when its time is up; not only when it is killed."""
    load = {"id": "1", "wall_ms": milliseconds, **loading(b"import time\ntime.sleep(0.5)\n")}
    done = subprocess.run(  # noqa: S603  # ours
        [sys.executable, *spawn.SOLO],
        env=process.ENVIRONMENT | {"PYTHONPATH": str(HERE.parent)},
        input=wire.frame(wire.REQUEST, load),
        stdout=subprocess.PIPE,
        timeout=60,
        check=False,
    )

    assert limit == wire.parse(done.stdout[5:]).get("raised", {}).get("limit")
    assert (limit is not None) == bool(done.returncode)


def test_a_report_that_is_gone(student: Student) -> None:
    """A program that tidies up too much loses what it would have been asked about its end, and nothing else."""
    student.begin()
    tidy = "import glob; [os.remove(path) for path in glob.glob('../run-*/*')]"

    assert student.program(args=[tidy, "print(1)", "1 / 0"]) == Run("1\n", "", 1)


def test_who_has_replied_is_not_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process whose time is up just when it is done has replied once."""
    told: list[object] = []
    monkeypatch.setattr(threading.Timer, "cancel", lambda _: None)
    with solo._at_most(50, {"value.py": 0}, told.append):  # noqa: SLF001  # elsewhere it ends the process
        pass
    time.sleep(0.2)

    assert [] == told


# --------------------------------------------------------------------------------------------------------------------
# The session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[SpawnSession]:
    """A session that has loaded a module."""
    folder = tmp_path / "folder"
    folder.mkdir()
    environment = {"PYTHONPATH": str(HERE.parent)} | process.ENVIRONMENT
    with closing(SpawnSession(environment, str(folder))) as opened:
        assert wire.frame(wire.DRIVER, {"ready": wire.PROTOCOL}) == opened.receive(math.inf)
        loaded = ask(opened, do="load", **loading(b"made = []"))
        assert {"id": "1"} == loaded
        yield opened


def ask(session: SpawnSession, errand: dict[str, Any] | None = None, **request: Any) -> dict[str, Any]:
    """Send one request, with what is for the student's process alone, and return the reply."""
    message = {"id": "1", "wall_ms": 1000, "variant": 0, **request}
    session.send(wire.frame(wire.REQUEST, message, wire.written({"id": "1", **errand}) if errand else b""), math.inf)
    received = wire.FrameBuffer(wire.MAX_REPLY_BYTES)
    received.feed(session.receive(math.inf))
    taken = received.take()
    assert taken
    assert 0 == len(received)
    return wire.parse(taken[1])


COUNT = {
    "cases": [
        [
            [
                ["global", 1, "made"],
                ["get", 2, {"r": 1}, "append"],
                ["call", 3, {"r": 2}, [1], {"d": []}],
                ["len", 4, {"r": 1}],
            ],
            [4],
        ]
    ]
}
"""A case that add to a list and ask for its length."""


def test_a_check_that_begins_ends_the_one_before(session: SpawnSession) -> None:
    """Two checks never share a process, also when nobody has ended the first."""
    for _ in range(2):
        assert {"id": "1"} == ask(session, do="begin")
        assert {"id": "1", "values": [[1]]} == ask(session, do="apply", errand=COUNT)
        assert {"id": "1", "values": [[2]]} == ask(session, do="apply", errand=COUNT)


def test_there_is_no_process_between_checks(session: SpawnSession) -> None:
    """What is asked of a check that has ended cannot be answered."""
    assert {"id": "1"} == ask(session, do="begin")
    assert {"id": "1", "status": "ok"} == ask(session, do="end")
    assert {"id": "1", "status": "died", "memory": False} == ask(session, do="apply", errand=COUNT)


def test_a_process_that_hangs_up_and_stays_is_ended(session: SpawnSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that does not answer, and does not end either, is not waited for."""
    monkeypatch.setattr(spawn, "_GRACE_SECONDS", 0.5)
    source = b"import os, time\ndef hide():\n    os.closerange(0, 100)\n    time.sleep(60)\n"
    ask(session, do="load", **loading(source))
    ask(session, do="begin")
    hide = [["global", 1, "hide"], ["call", 2, {"r": 1}, [], {"d": []}]]

    assert {"id": "1", "status": "died", "memory": False} == ask(
        session, do="apply", errand={"cases": [[hide, []]]}, wall_ms=30_000
    )


def test_closing_ends_the_process(session: SpawnSession) -> None:
    """Nothing runs any more when a session is closed, and it may be closed again."""
    ask(session, do="begin")
    running = session._process  # noqa: SLF001  # what is to be ended
    session.close()
    session.close()

    assert running is not None
    assert running.returncode is not None
    assert not session.is_open
    assert not session.memory_ran_out()


def test_an_interpreter_that_is_gone(session: SpawnSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that cannot be started is not the student's fault."""
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(SandboxError, match=r"cannot start /nowhere/python: No such file"):
        ask(session, do="run", stdin="", args=[])


# --------------------------------------------------------------------------------------------------------------------
# Windows, as far as this machine can be like it


def like_windows(*arguments: object, cwd: Path = HERE.parent, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line where all is taken away that Windows does not have."""
    return subprocess.run(  # noqa: S603  # ours
        [sys.executable, str(HERE / "like_windows.py"), "grader", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(HERE.parent), **environment},
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_check_like_windows(course: TinyCourse) -> None:
    """`grader check` runs to its end, says that nothing is isolated, and tells a right answer from a wrong one."""
    source = f"{ENGINE}\nlacking = [name for name in ('fork', 'setsid') if not hasattr(os, name)] + [sys.platform]\n"
    checks = (
        "import pytest\nfrom hypothesis import given, strategies\n\n\n"
        f"{CHECKS}\n\n"
        'def check_lacking(engine):\n    """As on Windows."""\n    return engine.lacking\n\n\n'
        '@given(number=strategies.integers())\ndef check_any(engine, number):\n    """Any number."""\n'
        "    return engine.Value(number).data\n\n\n"
        'def check_program(program):\n    """It prints nothing."""\n    return program("x").stdout\n'
    )
    course.exercise(checks, engine=source, program="")
    right = course.write("value.py", source)
    wrong = course.write("wrong.py", f"{source}\nlacking = 1\nprint(1)\n")
    passed = like_windows("check", "tiny", right, cwd=course.root)
    failed = like_windows("check", "tiny", wrong, cwd=course.root)

    assert f"Running {right} on this machine, without isolation.\n" == passed.stderr
    assert (0, 6) == (passed.returncode, passed.stdout.count("✓ passed"))
    assert (1, 4) == (failed.returncode, failed.stdout.count("✓ passed"))


@pytest.mark.parametrize(("exercise", "file"), [(name, file) for name, file, _ in CLASS])
def test_example_class_like_windows(exercise: str, file: str) -> None:
    """The example exercises are checked there, too."""
    done = like_windows("check", exercise, f"submissions/ada/{file}")

    assert (0, True) == (done.returncode, "XP: 11 of 11." in done.stdout)


def test_grade_like_windows(tmp_path: Path) -> None:
    """`grader grade` says what to install, in one line, and `grader doctor` does not speak of what is Linux's."""
    graded = like_windows("grade", "submissions", "-o", tmp_path / "results", DOCKER_HOST="")
    examined = like_windows("doctor", DOCKER_HOST="unix:///nowhere")

    assert (3, 2) == (graded.returncode, len(graded.stderr.split("\n")))
    assert graded.stderr.startswith("grader: docker: no Docker engine answers")
    assert "install Docker Desktop" in graded.stderr
    assert "bubblewrap" not in examined.stdout
    assert "ok       sandbox unsafe: " in examined.stdout


def test_owners_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a process lives is not asked there, for to ask is to send it Ctrl-C; so nothing of it is swept away."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    here = owner.this_process().rsplit("-", 2)[0]
    monkeypatch.setattr(sys, "platform", "win32")

    assert owner.this_process().endswith(f"-{os.getpid()}-running")
    assert owner.lives(f"{here}-{ended.pid}-running")


def test_what_windows_cannot_start_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system's folder is named in the environment, student code is told."""
    monkeypatch.setenv("SYSTEMROOT", "C:\\Windows")
    with UnsafeSandbox(forks=False) as sandbox:
        session = sandbox.open(Limits())

        assert isinstance(session, SpawnSession)
        assert "C:\\Windows" == session._environment["SYSTEMROOT"]  # noqa: SLF001  # there it is needed before anything can be asked
