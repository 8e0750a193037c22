"""The reference's side of checks: trusted, so it runs on the host. And how a course's own modules are imported."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import re
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, TypeAlias

from grader import examples
from grader.derivation import Derivation
from grader.errors import ExerciseError
from grader.exercise import did_you_mean
from grader.foresight import Unanswered
from grader.misconceptions import RAISED
from grader.student import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import ModuleType

    from hypothesis.strategies import SearchStrategy

    from grader.exercise import Check, Exercise

    Smaller: TypeAlias = Callable[..., Mapping[str, SearchStrategy[object]]]
    """Given the parameters of a case, from what to draw those of smaller ones."""

REFERENCE_SECONDS = 60.0
"""What the reference may take for anything that it is asked."""
DERIVATION_SECONDS = 1.0
"""How long it may take to tell how right answers come about."""
_MOST_RUNS = 256
"""How many runs of the reference program are remembered; inputs may be another for every student."""


class Reference:
    """The reference of one exercise; lasts as long as its checks. Trusted, so it runs on the host."""

    def __init__(self, exercise: Exercise) -> None:
        self._exercise = exercise
        for name in filter(None, (exercise.engine, exercise.program)):
            folder = exercise.course_root / name.partition(".")[0]
            if not folder.is_dir():  # another course's, installed on this machine, would take its place
                raise ExerciseError(
                    exercise.id, [f"there is no folder {folder}, which has {name}: name the whole course"]
                )
        self._module = module = import_module(exercise, exercise.engine) if exercise.engine else None
        unknown = [
            f"[names] asks for {name!r}, which {exercise.engine} does not define{did_you_mean(name, vars(module))}"
            for name in exercise.names
            if not hasattr(module, name)
        ]
        if unknown:
            raise ExerciseError(exercise.id, unknown)
        self._runs = functools.lru_cache(_MOST_RUNS)(self._run)
        told = exercise.derivation
        self._derivation = Derivation(exercise.id, import_module(exercise, told)) if told else None

    def answer(self, _: str, ask: Callable[[object, object], object]) -> object:
        """Return what a check returns with the reference.

        Args:
            ask: Runs it with an engine and a program.

        Raises:
            ExerciseError: It does not end, or the program fails.
        """
        with alarm(1.5 * REFERENCE_SECONDS, self._too_slow):  # a program has its own bound
            return ask(self._module, self._program)

    def derive(self, _: str, put: Callable[[object, object], object]) -> Mapping[str, str]:
        """Return how what a check returns comes about, by what it returns; empty where there is nothing to tell.

        Args:
            put: Runs it with an engine and a program.
        """
        if self._derivation is None:
            return {}
        try:
            with alarm(DERIVATION_SECONDS, _NoDerivation):
                return self._derivation.tell(put)
        except (*RAISED, Unanswered, _NoDerivation):  # a grade does not depend on what is said of it
            return {}

    def _too_slow(self) -> ExerciseError:
        return ExerciseError(self._exercise.id, [f"it takes more than {REFERENCE_SECONDS:g} s with the reference"])

    def _program(self, stdin: str = "", args: Sequence[str] = ()) -> Run:
        """Run the reference program, once for the same input."""
        return self._runs(stdin, tuple(args))

    def _run(self, stdin: str, args: tuple[str, ...]) -> Run:
        name = self._exercise.program
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment |= {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(  # noqa: S603  # the course's own program
                [sys.executable, "-m", str(name), *args],
                cwd=self._exercise.course_root,
                env=environment,
                input=stdin.encode(),
                capture_output=True,
                timeout=REFERENCE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise ExerciseError(self._exercise.id, [f"{name} took more than {REFERENCE_SECONDS:g} s"]) from None
        stderr = done.stderr.decode("utf-8", "replace")
        if "Traceback (most recent call last)" in stderr or done.returncode < 0:
            raise ExerciseError(self._exercise.id, [f"{name} failed: {last_lines(stderr)}"])
        # Windows ends a printed line otherwise; a check reads the same lines everywhere.
        return Run(done.stdout.decode("utf-8", "replace").replace(os.linesep, "\n"), stderr, done.returncode)


def smaller_cases(exercise: Exercise, check: Check) -> Smaller | None:
    """What tells of smaller cases of a check; None where nothing does, as in a student's copy of a course."""
    if check.smaller is None or not (exercise.course_root / "reference").is_dir() or not examples.is_possible():
        return None
    found: Smaller | None = getattr(import_module(exercise, check.smaller), "smaller", None)
    if not callable(found):
        raise ExerciseError(exercise.id, [f"{check.smaller} has no function 'smaller'; see docs/authors.md"])
    return found


def import_module(exercise: Exercise, name: str) -> ModuleType:
    """Import a reference module from the exercise's course."""
    sys.path.insert(0, str(exercise.course_root))
    try:
        with alone(name.partition(".")[0]):
            importlib.invalidate_caches()
            return importlib.import_module(name)
    except Exception as error:
        raise ExerciseError(exercise.id, [f"{name} cannot be imported: {type(error).__name__}: {error}"]) from error
    finally:
        sys.path.remove(str(exercise.course_root))


@contextlib.contextmanager
def alone(*tops: str) -> Iterator[None]:
    """Import modules below these names anew, whatever else goes by them in this process, and leave that as it was."""

    def ours() -> list[str]:
        return [name for name in sys.modules if name.partition(".")[0] in tops]

    others = {name: sys.modules.pop(name) for name in ours()}
    try:
        yield
    finally:
        for name in ours():
            del sys.modules[name]
        sys.modules.update(others)


@contextlib.contextmanager
def without_surroundings() -> Iterator[None]:
    """Keep settings of the surroundings out of a pytest session: its variables, and bytecode beside the checks."""
    taken = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("PYTEST_")}
    bytecode, prefix = sys.dont_write_bytecode, sys.pycache_prefix
    sys.dont_write_bytecode, sys.pycache_prefix = True, os.devnull
    try:
        yield
    finally:
        sys.dont_write_bytecode, sys.pycache_prefix = bytecode, prefix
        os.environ.update(taken)


class _NoDerivation(BaseException):
    """Telling how an answer comes about took too long; no `Exception`, which a course's own code might catch."""


@contextlib.contextmanager
def alarm(seconds: float, conclude: Callable[[], BaseException]) -> Iterator[None]:
    """Bound what runs on the host: raise what `conclude` returns when it has taken so long.

    On the student's side it may be a loop over a huge number of theirs; on the reference's, a mistake in the check.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise conclude()

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def last_lines(text: str) -> str:
    """The end of a failure's text, on one line: what went wrong stands there, and where if that is known."""
    lines = text.strip().splitlines()
    told = [line[1:] for line in lines if line.startswith("E ")] or [line for line in lines if not line.startswith(" ")]
    where = re.match(r"\S*?([^\s/]+\.py):(\d+)", lines[-1]) if lines else None
    place = f" ({where[1]}, line {where[2]})" if where else ""
    return (" ".join(" ".join(told[-4:]).split())[-600:] or "it failed and said nothing") + place
