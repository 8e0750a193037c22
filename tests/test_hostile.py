"""Every hostile program of `tests/hostile/<family>/<promise>.py` does what it declares, and harms nothing.

A program is the honest submission of its exercise followed by the file's own lines, which spoil it. The lines that
begin with `#:` are TOML:

    exercise  `engine` (the default), `program`, `graph` or `named`, see tests/hostile/course
    base      false where the honest submission does not come first
    expect    the checks that do not pass and their verdicts; or one verdict, of all checks
    says      words that the report has for a check; or for all, where it is one text
    seconds   a bound on the time of its grading, where the default is not enough
    not_promised_by    the sandboxes in which the machine it looks at is shared, as docs/security.md says
    notes     words that the report's notes have, in this order
    source    a Python expression of the bytes that are handed in, in place of the file
    cells     a Python expression of the cells of a notebook that is handed in, in place of the file
    siblings  texts of files beside it, by their names
    docker, bubblewrap, user    tables of the same that are declared for that sandbox alone

Four things are asserted of each: its verdicts, its time, the memory and files of the grader, and that an honest
submission that is graded beside it keeps full marks. What students may see never shows a hidden input or answer,
nothing that a terminal, a browser or a CI system would obey.

All programs run under bubblewrap, and one of each family in Docker and, for root, as another user; with HOSTILE=all,
all in all of them.
"""

from __future__ import annotations

import functools
import os
import re
import tempfile
import threading
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from grader.batch import grade_all
from grader.batch.local import LocalExecutor
from grader.course import Course
from grader.notes import MOST
from grader.reports.junit import to_junit
from grader.sandbox import owner
from grader.sandbox.kinds import SandboxChoice
from grader.submission import Part, Submission
from grader.verdict import Report, Ungraded, Verdict
from tests.screens import report_screen

if TYPE_CHECKING:
    from grader.sandbox.kinds import Kind

HERE = Path(__file__).parent / "hostile"
COURSE = Course(HERE / "course")
EXERCISES = {exercise.id: exercise for exercise in COURSE.exercises()}
CANARIES = ("271828", "543656")
COMMANDS = re.compile(r"::[A-Za-z]|##\w*\[")
SECRET = b"the secret of the hostile course"
WALL_SECONDS = 15.0
WORKER_MEMORY_MIB = 250
SANDBOXES: tuple[Kind, ...] = ("bubblewrap", "docker", *(("user",) if os.geteuid() == 0 else ()))


def honest_submission(exercise: str, student: str = "") -> Submission:
    """Right work for an exercise: its starter, which leaves nothing to do."""
    starter = EXERCISES[exercise].folder / "starter.py"
    return Submission(student, exercise, EXERCISES[exercise].submit, starter.read_bytes())


@dataclass(frozen=True)
class Program:
    """A hostile program and what it declares."""

    path: Path
    declared: dict[str, Any] = field(compare=False, hash=False)

    @property
    def family(self) -> str:
        """Its folder."""
        return self.path.parent.name

    @property
    def name(self) -> str:
        """Family and promise."""
        return f"{self.family}/{self.path.stem}"

    def of(self, sandbox: Kind, key: str, default: object) -> Any:  # whatever is declared
        """What it declares, for one sandbox."""
        return self.declared.get(sandbox, {}).get(key, self.declared.get(key, default))

    def submission(self) -> Submission:
        """What is handed in."""
        exercise = self.declared.get("exercise", "engine")
        honest = honest_submission(exercise).source
        source = honest if self.declared.get("base", True) else b""
        if exercise == "program" and source:
            source = source.replace(b'\n\nif __name__ == "__main__":\n    main()\n', b"")
        own = self.path.read_bytes()
        if "source" in self.declared:
            own = eval(self.declared["source"], {"honest": honest})  # noqa: S307  # a test's own expression
        siblings = self.declared.get("siblings", {}).items()
        return Submission(
            self.name,
            exercise,
            EXERCISES[exercise].accepts["cells" in self.declared],
            source + own,
            cells=tuple(eval(self.declared.get("cells", "()"), {"honest": honest.decode()})),  # noqa: S307  # the same
            siblings=tuple(Part(name, text.encode()) for name, text in siblings),
        )


def programs() -> list[Program]:
    """Every hostile program, by family."""
    found = []
    for path in sorted(HERE.glob("[A-Z]_*/*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        header = "\n".join(line.removeprefix("#:") for line in lines if line.startswith("#:"))
        found.append(Program(path, tomllib.loads(header)))
    return found


PROGRAMS = programs()


def chosen(sandbox: Kind) -> list[Program]:
    """The programs to run in one sandbox."""
    if sandbox == "bubblewrap" or os.environ.get("HOSTILE") == "all":
        return _promised_by(sandbox)
    return [family[0] for family in _families(sandbox).values()]


def _promised_by(sandbox: Kind) -> list[Program]:
    return [program for program in PROGRAMS if sandbox not in program.declared.get("not_promised_by", [])]


def _families(sandbox: Kind) -> dict[str, list[Program]]:
    families: dict[str, list[Program]] = {}
    for program in _promised_by(sandbox):
        families.setdefault(program.family, []).append(program)
    return families


@dataclass
class Batch:
    """What came of all programs of one sandbox, graded in one batch with an honest submission after each."""

    outcomes: dict[str, Report | Ungraded] = field(default_factory=dict)
    seconds: float = 0.0
    worker_mib: float = 0.0
    left_behind: set[str] = field(default_factory=set)


@functools.cache
def graded(sandbox: Kind) -> Batch:
    """Grade every program that is chosen for a sandbox."""
    submissions = []
    for program in chosen(sandbox):
        hostile = program.submission()
        submissions += [hostile, honest_submission(hostile.exercise, f"beside {program.name}")]
    batch = Batch()
    before = _folders_of_graders()
    started = time.monotonic()
    choice = SandboxChoice(sandbox, ahead=1)
    with (
        _highest_memory(batch),
        SandboxChoice(sandbox).open(),
        LocalExecutor(COURSE.exercises(), choice, SECRET, jobs=2) as executor,
    ):
        grade_all(submissions, executor, lambda outcome: batch.outcomes.update({outcome.student: outcome}))
    batch.seconds = time.monotonic() - started
    batch.left_behind = _folders_of_graders() - before
    return batch


def _folders_of_graders() -> set[str]:
    """What this grader, and those that are no more, have put where temporary files are."""
    places = {Path(tempfile.gettempdir()), Path("/tmp")}  # noqa: S108  # where other users reach them
    names = {path.name for place in places for path in place.glob("grader-*")}
    owners = {name: name.removeprefix("grader-").rpartition("-")[0] for name in names}
    return {name for name in names if owners[name] == owner.this_process() or not owner.lives(owners[name])}


class _highest_memory:  # noqa: N801  # reads as a statement
    """Watch the memory of the worker processes, ten times a second."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def _watch(self) -> None:
        while not self._done.wait(0.1):
            for child in _children(os.getpid()):
                self._batch.worker_mib = max(self._batch.worker_mib, _resident_mib(child))

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text(encoding="ascii").split()]
    return found


def _resident_mib(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


CASES = [
    pytest.param(sandbox, program, id=f"{sandbox}-{program.name}")
    for sandbox in SANDBOXES
    for program in chosen(sandbox)
]
"""Every program in every sandbox that it is chosen for."""


@pytest.mark.parametrize(("sandbox", "program"), CASES)
def test_promise(sandbox: Kind, program: Program) -> None:
    """A hostile program gets the verdicts it declares, in bounded time, and leaks nothing that is hidden."""
    report = graded(sandbox).outcomes[program.name]

    assert isinstance(report, Report), report
    declared = program.of(sandbox, "expect", {})
    expected = (
        dict.fromkeys((result.check for result in report.results), declared) if isinstance(declared, str) else declared
    )
    observed = {result.check: result.verdict.value for result in report.results if result.verdict is not Verdict.PASSED}
    said = "\n".join(f"{result.check}: {result.what}" for result in report.results if not result.passed)
    assert expected == observed, said
    says = program.of(sandbox, "says", {})
    if isinstance(says, str):
        assert says in said
    for check, words in says.items() if isinstance(says, dict) else ():
        assert words in next(result.what for result in report.results if result.check == check)
    noted = "\n".join(report.notes)
    for words in program.of(sandbox, "notes", []):
        assert words in noted
        noted = noted.partition(words)[2]
    assert len(report.notes) <= MOST + 1  # and one that something was run twice
    assert report.seconds < program.of(sandbox, "seconds", WALL_SECONDS)
    for shown in (to_junit(report), report_screen(report)):
        assert not [canary for canary in CANARIES if canary in shown]
        assert set() == {character for character in shown if not (character.isprintable() or character in "\n\t")}
    assert "testsuites" == etree.fromstring(to_junit(report).encode()).tag
    assert [] == COMMANDS.findall(report_screen(report))


@pytest.mark.parametrize(("sandbox", "program"), CASES)
def test_neighbour_keeps_full_marks(sandbox: Kind, program: Program) -> None:
    """An honest submission that is graded beside a hostile one earns everything."""
    report = graded(sandbox).outcomes[f"beside {program.name}"]

    assert isinstance(report, Report), report
    assert report.passed, [
        (result.check, result.verdict, result.what) for result in report.results if not result.passed
    ]


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_batch_stays_small_and_leaves_nothing(sandbox: Kind) -> None:
    """A batch of every hostile program ends by itself, in bounded memory, and leaves no file and no process behind."""
    batch = graded(sandbox)

    assert batch.worker_mib < WORKER_MEMORY_MIB
    assert set() == batch.left_behind
    assert [] == _drivers()


def _drivers() -> list[str]:
    """The command lines of drivers that still run on this machine and belong to this test."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) in _descendants(os.getpid()):
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if "grader.sandbox.start" in command:
                found.append(command)
    return found


def _descendants(pid: int) -> set[int]:
    try:
        children = _children(pid)
    except OSError:
        return set()
    return set(children).union(*(_descendants(child) for child in children))


def test_every_family_has_programs() -> None:
    """There are programs of every family, and many."""
    assert list("ABCDEFGHIJKL") == sorted({program.family[0] for program in PROGRAMS})
    assert len(PROGRAMS) >= 150
