"""Many submissions: one that goes wrong costs nobody else anything, and the batch ends with nothing left running."""

from __future__ import annotations

import multiprocessing
import threading
import time
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING

import pytest

from grader.batch import grade_all, local
from grader.batch.local import LocalExecutor
from grader.sandbox.kinds import SandboxChoice
from grader.submission import Submission
from grader.verdict import Report, Ungraded, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from grader.exercise import Exercise
    from tests.conftest import TinyCourse

SECRET = b"some twenty characters"
UNSAFE = SandboxChoice("unsafe")
RANDOM = '''\
def check_sum(engine, rng):
    """Numbers add up."""
    a, b = engine.Value(rng.random()), engine.Value(rng.random())
    return {"sum": (a + b).data}
'''
UNLUCKY = '''\
import os
import signal
import time


def check_it(engine):
    """Thirteen is bad luck for the grader."""
    x = engine.Value(1.0)
    if x.data == 13:
        {act}
    return x.data
'''


def hand_in(source: str, student: str = "ada", exercise: str = "tiny") -> Submission:
    """What a student hands in."""
    return Submission(student, exercise, "value.py", source.encode())


def graded(
    submissions: Sequence[Submission], *exercises: Exercise, jobs: int = 2, sandbox: SandboxChoice = UNSAFE
) -> dict[str, Report | Ungraded]:
    """Grade a batch; what became of each student."""
    outcomes: list[Report | Ungraded] = []
    # As the command line does: what a worker left behind goes when the sandbox is closed.
    with UNSAFE.open(), LocalExecutor(exercises, sandbox, SECRET, jobs) as executor:
        grade_all(submissions, executor, outcomes.append)
    assert len(submissions) == len(outcomes)
    assert [] == multiprocessing.active_children()
    return {outcome.student: outcome for outcome in sorted(outcomes, key=lambda outcome: outcome.student)}


def unlucky(source: str) -> str:
    """Work that gives a check thirteen, whatever it asks."""
    return source.replace("self.data = data", "self.data = 13")


@pytest.mark.parametrize("jobs", [1, 3])
def test_all_are_graded(course: TinyCourse, jobs: int) -> None:
    """Everybody gets a report, whatever the others hand in, told in the caller's thread."""
    exercise = course.exercise(hidden=RANDOM)
    sources = {"ada": course.right, "blaise": course.wrong, "carl": "class Value\n", "dora": "import os; os._exit(3)"}
    sources |= {"emil": course.right.replace("def relu", "def relo"), "fay": ""}
    threads: list[threading.Thread] = []

    def keep(outcome: Report | Ungraded) -> None:
        threads.append(threading.current_thread())
        assert isinstance(outcome, Report)
        xp[outcome.student] = outcome.xp

    xp: dict[str, int] = {}
    with UNSAFE.open(), LocalExecutor([exercise], UNSAFE, SECRET, jobs) as executor:
        grade_all((hand_in(sources[name], name) for name in sources), executor, keep)

    assert {"ada": 15, "blaise": 15, "carl": 0, "dora": 0, "emil": 10, "fay": 0} == xp
    assert {threading.current_thread()} == set(threads)


def test_same_reports(course: TinyCourse) -> None:
    """A batch graded twice gives the same reports, be it by one worker or by three."""
    exercise = course.exercise(hidden=RANDOM)
    wrong = course.right.replace("self.data + other.data", "self.data - other.data")
    submissions = [hand_in(source, f"student {n}") for n, source in enumerate([course.right, wrong, "", wrong, "1/0"])]
    first = graded(submissions, exercise, jobs=1)

    assert first == graded(submissions, exercise, jobs=3)
    assert first == graded(list(reversed(submissions)), exercise, jobs=1)


def test_ungraded_is_neither_zero_nor_pass(course: TinyCourse) -> None:
    """A broken check leaves its exercise ungraded with the reason, and another exercise graded."""
    sound = course.exercise()
    broken = course.exercise(UNLUCKY.replace("{act}", "pass").replace("return x.data", "return 1 / 0"), name="broken")
    outcomes = graded(
        [hand_in(course.right, "ada"), hand_in("1/0", "blaise"), hand_in(course.right, "carl", "broken")], sound, broken
    )

    assert [Report, Report, Ungraded] == [type(outcome) for outcome in outcomes.values()]
    assert [10, 0] == [outcome.xp for outcome in outcomes.values() if isinstance(outcome, Report)]
    assert (
        Ungraded("carl", "broken", "broken: check_it: ZeroDivisionError: division by zero (check_public.py, line 11)")
        == (outcomes["carl"])
    )


def test_no_sandbox(course: TinyCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a sandbox nobody is graded, and nobody gets a zero."""
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:9")
    outcome = graded([hand_in(course.right)], course.exercise(), sandbox=SandboxChoice("docker"))["ada"]

    assert isinstance(outcome, Ungraded)
    assert outcome.reason.startswith("no Docker engine answers")


def test_fault_in_the_grader(course: TinyCourse) -> None:
    """What nobody has foreseen leaves a submission ungraded and the batch running."""
    exercise, gone = course.exercise(), course.exercise(name="gone")
    gone.checks[0].file.unlink()
    outcomes = graded([hand_in(course.right, "ada", "gone"), hand_in(course.right, "blaise")], exercise, gone, jobs=1)

    assert isinstance(outcomes["ada"], Ungraded)
    assert isinstance(outcomes["blaise"], Report)
    assert outcomes["ada"].reason.startswith("a fault in the grader: UsageError: ")


def test_worker_that_dies(course: TinyCourse) -> None:
    """A worker that dies costs the one submission it was at, and is replaced."""
    exercise = course.exercise(UNLUCKY.format(act="os.kill(os.getpid(), signal.SIGKILL)"))
    names = ["ada", "blaise", "carl", "dora", "emil"]
    submissions = [hand_in(unlucky(course.right) if name in {"ada", "carl"} else course.right, name) for name in names]
    outcomes = graded(submissions, exercise)

    assert [Ungraded, Report, Ungraded, Report, Report] == [type(outcomes[name]) for name in names]
    assert isinstance(outcomes["ada"], Ungraded)
    assert outcomes["ada"].reason.startswith("the process that graded it died (Abnormal termination")


def test_worker_that_hangs(course: TinyCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that takes longer than all limits together is stopped, at the cost of the one submission."""
    for name, seconds in {"_START_SECONDS": 4, "GRACE_SECONDS": 0, "ALARM_SECONDS": 0, "MAX_LOSSES": 0}.items():
        monkeypatch.setattr(local, name, seconds)
    monkeypatch.setattr(local, "longest", lambda _: 2.0)
    act = "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM]); time.sleep(1000)"
    exercise = course.exercise(UNLUCKY.format(act=act), limits={"load_seconds": 0.5, "check_seconds": 0.5})
    started = time.monotonic()
    outcomes = graded([hand_in(unlucky(course.right)), hand_in(course.right, "blaise")], exercise)

    assert isinstance(outcomes["blaise"], Report)
    assert (
        Ungraded("ada", "tiny", "grading took longer than all its limits together and was stopped") == outcomes["ada"]
    )
    assert 60 > time.monotonic() - started


@pytest.fixture
def _no_workers() -> Iterator[None]:
    """An interpreter for workers that ends at once."""
    resource_tracker.ensure_running()
    before = multiprocessing.spawn.get_executable()
    multiprocessing.set_executable("/bin/false")
    yield
    multiprocessing.set_executable(before)


@pytest.mark.usefixtures("_no_workers")
def test_workers_that_do_not_start(course: TinyCourse) -> None:
    """Workers that cannot even start leave everybody ungraded, and the batch ends."""
    outcomes = graded([hand_in(course.right), hand_in(course.right, "blaise")], course.exercise())

    assert [Ungraded, Ungraded] == [type(outcome) for outcome in outcomes.values()]


def test_one_by_one(course: TinyCourse) -> None:
    """A submission is asked for when there is room for it, so that a batch may be larger than memory."""
    told: list[str] = []
    ahead: list[int] = []

    def class_of_students() -> Iterator[Submission]:
        for number in range(9):
            ahead.append(number - len(told))
            yield hand_in(course.right, f"student{number}")

    started: list[str] = []
    with UNSAFE.open(), LocalExecutor([course.exercise()], UNSAFE, SECRET, jobs=2) as executor:
        grade_all(
            class_of_students(),
            executor,
            lambda outcome: told.append(outcome.student),
            lambda submission: started.append(submission.student),
        )

    assert sorted(started) == started == sorted(told)
    assert 9 == len(told)
    assert 4 > max(ahead)  # two in hand, and what both of them came to, which is told when there are others


def test_nothing_to_do(course: TinyCourse) -> None:
    """An empty batch ends at once."""
    assert {} == graded([], course.exercise())


def test_interrupted(course: TinyCourse) -> None:
    """Ctrl-C in the middle stops every worker at once."""
    outcomes: list[Report | Ungraded] = []

    def interrupt(outcome: Report | Ungraded) -> None:
        outcomes.append(outcome)
        raise KeyboardInterrupt

    submissions = [hand_in(course.right), hand_in(course.slow, "blaise"), hand_in(course.slow, "carl")]
    started = time.monotonic()
    executor = LocalExecutor([course.exercise()], UNSAFE, SECRET, 3)
    with UNSAFE.open(), pytest.raises(KeyboardInterrupt), executor:
        grade_all(submissions, executor, interrupt)

    assert ["ada"] == [outcome.student for outcome in outcomes]
    assert [] == multiprocessing.active_children()
    assert 8 > time.monotonic() - started


def test_one_timeout(course: TinyCourse) -> None:
    """A submission that runs into every limit it can is one row, and those beside it keep their marks."""
    exercise = course.exercise(limits={"check_seconds": 0.5})
    hanging = course.right.replace("self.grad = 0.0", "while True: pass")
    outcomes = graded(
        [hand_in(hanging, "ada"), hand_in(course.right, "blaise"), hand_in(course.right, "carl")], exercise
    )
    reports = [outcome for outcome in outcomes.values() if isinstance(outcome, Report)]

    assert [0, 10, 10] == [report.xp for report in reports]
    assert {Verdict.TIMEOUT} == {result.verdict for result in reports[0].results}
