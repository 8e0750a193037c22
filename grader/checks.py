"""Checks are pytest functions that run on the host, once with the reference and once with the student's stand-in.

`Checks` collects one exercise's `check_*` functions once and runs them for any number of submissions. It is a pytest
session that is never finished in between: collected items are run again for each student by pytest's own runner, so
that `parametrize`, fixtures and Hypothesis's `@given` work as they do everywhere. Nothing of the surroundings takes
part: no ini file, no plugin that happens to be installed, no `PYTEST_ADDOPTS`, no bytecode.

The reference's side runs first. If it raises, the check is at fault; what only the student's side raises is the
student's, be it an assertion or `math.log` of a wrong number.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

import pytest
from _pytest.config import _prepareconfig
from _pytest.runner import runtestprotocol

from grader import examples
from grader.compare import agree
from grader.derivation import Derivation, derivation_of
from grader.diagnosis import Answer, Diagnosis, Seen, Sightings, diagnose
from grader.errors import ExerciseError, GraderError, SandboxError
from grader.exercise import did_you_mean
from grader.foresight import Question, foresee
from grader.frozen import Frozen, takes_the_place
from grader.frozen_ways import frozen_ways
from grader.misconceptions import RAISED, Case, answer_of, known_ways
from grader.notes import merge_notes
from grader.output import OutputMismatch
from grader.sandbox import wire
from grader.stand_in import StudentError
from grader.student import AHEAD_SECONDS, Run, Stopped
from grader.verdict import Result, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import ModuleType, TracebackType

    from hypothesis.strategies import SearchStrategy

    from grader.exercise import Check, Exercise
    from grader.frozen_ways import FrozenWay
    from grader.misconceptions import Way
    from grader.student import Student

    _Smaller: TypeAlias = Callable[..., Mapping[str, SearchStrategy[object]]]
    """Given the parameters of a case, from what to draw those of smaller ones."""

_T = TypeVar("_T")

GIVEN = ("engine", "program", "rng")
"""The fixtures that differ between the two sides."""

_REFERENCE_SECONDS = 60.0
ALARM_SECONDS = 30.0
"""How much longer than its limit a check may keep the host busy without asking the student's side for anything."""
DERIVATION_SECONDS = 1.0
"""How long it may take to tell how right answers come about."""
DIAGNOSIS_SECONDS = 20.0
"""How long the host may look for a diagnosis."""
_DIAGNOSIS_CPU_SECONDS = 5.0
"""The same in processor time, so that it does not depend on how busy the machine is whether one is found."""
_MOST_EXAMPLES = 50
"""How many of the examples that Hypothesis draws take part in a diagnosis, besides the smallest that does not pass."""
_MOST_AHEAD = 400_000
"""Bytes of a check's cases that are sent at once; so there are as few items in them as the wire takes."""
_MAX_LINES = 30
"""How many lines are kept of code, and of a derivation."""
_MAX_WHAT = 20_000
"""Characters kept of what happened: an exception's text and frames are the student's to choose."""


def longest(exercise: Exercise) -> float:
    """Return what all checks of a submission may take together, in seconds; an honest one cannot take as long."""
    limits = exercise.limits
    attempts = sum(check.runs + 1 for check in exercise.checks)
    loads = 4 if exercise.names else 2  # a survey may take as long as a loading, and the file be loaded for it
    ahead = AHEAD_SECONDS * sum(check.runs for check in exercise.checks)
    return ALARM_SECONDS + loads * limits.load_seconds + ahead + attempts * limits.check_seconds


class Checks:
    """The checks of one exercise, collected; lasts as long as submissions of that exercise are graded.

    Args:
        exercise: What to collect; the checks it lists and no others.

    Raises:
        ExerciseError: A check file cannot be imported, or a check cannot be collected.
    """

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self._stack = contextlib.ExitStack()
        self._sightings: Sightings[Case] = Sightings()
        self._ahead: dict[str, _Ahead | None] = {}
        try:
            with _without_surroundings(), _alarm(_REFERENCE_SECONDS, self._too_slow):
                self._reference = Frozen(exercise) if takes_the_place(exercise) else _Reference(exercise)
                self._plugin = _Plugin(exercise.id, self._reference)
                self._items = self._collect()
                self._smaller = functools.cache(functools.partial(_smaller_cases, exercise))
        except BaseException:
            self.close()
            raise

    def _too_slow(self, what: str = "importing its reference and checks") -> ExerciseError:
        return ExerciseError(self.exercise.id, [f"{what} takes over {_REFERENCE_SECONDS:g} s"])

    @functools.cached_property
    def _known(self) -> Mapping[str, Sequence[Way | FrozenWay]]:
        """The ways of each known misconception, by its sentence; found once something is wrong."""
        too_slow = functools.partial(self._too_slow, "importing its misconceptions")
        with _without_surroundings(), _alarm(_REFERENCE_SECONDS, too_slow):
            if isinstance(self._reference, Frozen):
                return frozen_ways(self.exercise, self._reference)
            if self.exercise.misconceptions is None:
                return {}
            return known_ways(self.exercise.id, _import(self.exercise, self.exercise.misconceptions))

    def _collect(self) -> dict[str, list[pytest.Function]]:
        """Start a pytest session and return its items by the name of their check."""
        files = sorted({str(check.file) for check in self.exercise.checks})
        arguments = [
            "--import-mode=importlib",
            f"--rootdir={self.exercise.folder}",
            f"--confcutdir={self.exercise.folder}",
            *("-c", os.devnull),
            *("-o", "python_files=check_*.py", "-o", "python_functions=check_*", "-o", "python_classes="),
            *("-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:warnings", "-p", "no:logging"),
            *("-p", "no:faulthandler", "-p", "no:junitxml", "-p", "no:capture", "-p", "no:doctest"),
            *("-p", "no:unraisableexception", "-p", "no:threadexception"),
            *("-p", "no:unittest", "-p", "no:debugging"),  # which take long to import
            "--disable-plugin-autoload",
            "--assert=plain",
            *files,
        ]
        config = _prepareconfig(arguments, [self._plugin])
        self._stack.callback(config._ensure_unconfigure)  # noqa: SLF001  # pytest has no public way to keep a session
        config._do_configure()  # noqa: SLF001  # the same
        session = pytest.Session.from_config(config)
        config.hook.pytest_sessionstart(session=session)
        self._stack.callback(lambda: config.hook.pytest_sessionfinish(session=session, exitstatus=0))
        with _alone("checks", "hidden", "conftest", self.exercise.id):  # how pytest names what lies in an exercise
            session.perform_collect()
        if self._plugin.mistakes:
            raise ExerciseError(self.exercise.id, self._plugin.mistakes)
        found: dict[str, list[pytest.Function]] = {check.name: [] for check in self.exercise.checks}
        for item in session.items:
            if isinstance(item, pytest.Function) and item.originalname in found:
                found[item.originalname].append(item)
        missing = [
            f"{name} has no cases; give its parametrize at least one" for name, items in found.items() if not items
        ]
        if missing:
            raise ExerciseError(self.exercise.id, missing)
        return found

    def run(
        self, student: Student, seed: Callable[[Check], int], on_result: Callable[[Result], None] = lambda _: None
    ) -> tuple[Result, ...]:
        """Run every check for one student, in order.

        Args:
            student: A submission that has been loaded.
            seed: Returns the seed of a check's random inputs.
            on_result: Is told each result as it comes.

        Raises:
            ExerciseError: A check is at fault.
            SandboxError: There is no sandbox to be had any more.
        """
        results = []
        self._sightings = Sightings()
        missing = student.survey(self.exercise.names) if self.exercise.names else ""
        if missing:
            student.notes = merge_notes([missing], student.notes)
        patience = 1  # one limit of time is given a second chance: the machine may have been busy
        end = time.monotonic() + longest(self.exercise)
        for check in self.exercise.checks:
            started = time.monotonic()
            if missing and "engine" in check.uses:
                outcome = _Outcome(Verdict.ERROR, missing)
            elif started < end:
                outcome = self._run_check(check, student, seed(check))
            else:
                outcome = _NO_TIME_LEFT
            retried = outcome.verdict is Verdict.TIMEOUT and patience > 0 and time.monotonic() < end
            if retried:
                outcome = self._run_check(check, student, seed(check))
                patience -= 1
            result = Result(
                check.name,
                check.question,
                check.hidden,
                outcome.verdict,
                check.xp,
                check.hint,
                outcome.what[:_MAX_WHAT],
                outcome.code[:_MAX_WHAT],
                outcome.derivation[:_MAX_WHAT],
                retried,
                time.monotonic() - started,
            )
            on_result(result)
            results.append(result)
        return tuple(results)

    def answers(self, seed: Callable[[Check], int]) -> dict[str, object]:
        """Return what the checks return with the reference, by the name of the case.

        Args:
            seed: Returns the seed of a check's random inputs.

        Raises:
            ExerciseError: A check is at fault, or draws its examples as it runs.
        """
        found: dict[str, object] = {}
        for check in self.exercise.checks:
            for item in self._items[check.name]:
                found[item.name] = self._plugin.answer(item, seed(check))
        return found

    def wrong_answers(self, seed: Callable[[Check], int]) -> dict[str, list[dict[str, Answer]]]:
        """Return what comes of the checks with the ways of each misconception, by its sentence.

        Args:
            seed: Returns the seed of a check's random inputs.

        Returns:
            For each way, its answers by the name of the case.

        Raises:
            ExerciseError: A check or a misconception is at fault, or a check draws its examples as it runs.
        """
        cases = [
            self._plugin.case(item, seed(check)) for check in self.exercise.checks for item in self._items[check.name]
        ]
        known = self._known
        try:
            with _alarm(_REFERENCE_SECONDS, _NoDiagnosis):
                return {
                    sentence: [{case.name: way.answer(case) for case in cases} for way in ways]
                    for sentence, ways in known.items()
                }
        except _NoDiagnosis:
            raise self._too_slow("asking its misconceptions everything") from None

    def derivations(self, seed: Callable[[Check], int]) -> dict[str, Mapping[str, str]]:
        """Return how what the checks return comes about, by the name of the case, then by what is returned.

        Args:
            seed: Returns the seed of a check's random inputs.

        Raises:
            ExerciseError: A check is at fault.
        """
        found: dict[str, Mapping[str, str]] = {}
        for check in self.exercise.checks:
            for item in self._items[check.name]:
                if told := self._plugin.derive(item, seed(check)):
                    found[item.name] = told
        return found

    def diagnose(self) -> Diagnosis:
        """Say what the submission whose checks ran last seems to do, if that can be told before long.

        Raises:
            ExerciseError: The misconceptions are not made as they must be.
        """
        if not self._sightings.are_telling:
            return Diagnosis()
        known = self._known
        end = time.process_time() + _DIAGNOSIS_CPU_SECONDS

        def ask(way: Way | FrozenWay, case: Case) -> Answer:
            if time.process_time() > end:
                raise _NoDiagnosis
            return way.answer(case)

        try:
            with _alarm(DIAGNOSIS_SECONDS, _NoDiagnosis):
                return diagnose(self._sightings, known, ask)
        except _NoDiagnosis:
            return Diagnosis()

    def _run_check(self, check: Check, student: Student, seed: int) -> _Outcome:
        """Run a check as often as it asks for; it passes if it passes every time."""
        for run in range(check.runs):
            outcome = self._run_cases(check, student, seed, run)
            if outcome.verdict is not Verdict.PASSED:
                if run and outcome.verdict in {Verdict.FAILED, Verdict.ERROR}:
                    what = f"The answer changes from run to run, though the input is the same.\n{outcome.what}"
                    return _Outcome(Verdict.FAILED, what, outcome.code)
                return outcome
        return _PASSED

    def _run_cases(self, check: Check, student: Student, seed: int, run: int) -> _Outcome:
        """Run the cases of a check, in one process, until one does not pass."""
        ahead = self._ask_ahead(check, student, seed, run)
        if ahead is _PASSED:
            return ahead
        try:
            student.begin(run, hidden=check.hidden)
        except Stopped as stopped:
            return _Outcome(stopped.verdict, stopped.what)
        try:
            for item in self._items[check.name]:
                outcome = self._plugin.run(item, student, seed, None if check.hidden else lambda: self._smaller(check))
                self._sightings.add(outcome.seen, hidden=check.hidden)
                if outcome.verdict is not Verdict.PASSED:
                    return outcome
        finally:
            student.end()
        return ahead or _PASSED

    def _ask_ahead(self, check: Check, student: Student, seed: int, run: int) -> _Outcome | None:
        """Ask all cases of a check at once, if they are known ahead.

        Returns:
            That they pass; or what is concluded if they do when they are then asked one by one, as they must be to say
            which does not. None where nothing is concluded: they are not known, or took too long together.
        """
        ahead = self._foresee(check, seed) if student.is_prompt else None
        if ahead is None:
            return None
        seen = []
        try:
            counts = [len(case.question.wanted) for case in ahead.cases]
            answers = student.ask_ahead(ahead.written, counts, run, hidden=check.hidden)
            for case, values in zip(ahead.cases, answers, strict=True):
                observed = case.question.read(values)
                if what := agree(case.expected, observed):
                    return _Outcome(Verdict.FAILED, f"{what}\n{_UNSTABLE}")
                seen.append(Seen(case.case, Answer.of(observed), right=True))
        except Stopped as stopped:
            return None if stopped.verdict is Verdict.TIMEOUT else _Outcome(stopped.verdict, stopped.what)
        except SandboxError:
            raise
        except StudentError as error:
            return _Outcome(Verdict.ERROR, f"{error}\n{_UNSTABLE}")
        except RAISED:
            return _Outcome(Verdict.FAILED, _UNSTABLE)
        self._sightings.add(seen, hidden=check.hidden)
        return _PASSED

    def _foresee(self, check: Check, seed: int) -> _Ahead | None:
        """What a check asks of this submission, or of all; None if that depends on answers."""
        ahead = self._ahead.get(check.name)
        if check.name not in self._ahead or (ahead is not None and ahead.seed not in {None, seed}):
            ahead = self._ahead[check.name] = self._plugin.foresee(self._items[check.name], seed)
        return ahead

    def close(self) -> None:
        """End the pytest session."""
        with _without_surroundings():
            self._stack.close()

    def __enter__(self) -> Self:
        """Return the collected checks."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the pytest session."""
        self.close()


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What is concluded of one case, or of all of a check; and what was answered to its cases."""

    verdict: Verdict
    what: str = ""
    code: str = ""
    derivation: str = ""
    seen: tuple[Seen[Case], ...] = ()


@dataclass(frozen=True, slots=True)
class _Foreseen:
    """A case of which is known what it asks, and what the reference answers; lasts like its check, or seed."""

    case: Case
    question: Question
    expected: object


@dataclass(frozen=True, slots=True)
class _Ahead:
    """All cases of a check, written as they are sent; `seed` is None where they are the same for every submission."""

    cases: Sequence[_Foreseen]
    written: bytes
    seed: int | None


_PASSED = _Outcome(Verdict.PASSED)
_UNSTABLE = "The same input gave different answers when it was tried again."
_NO_TIME_LEFT = _Outcome(Verdict.TIMEOUT, "All checks together took too long; this one was not begun.")


class _Disagreement(Exception):  # noqa: N818  # what one example shows, for Hypothesis to shrink
    """One example that did not pass."""

    def __init__(self, outcome: _Outcome) -> None:
        super().__init__(outcome.what)
        self.outcome = outcome


class _NoDerivation(BaseException):
    """Telling how an answer comes about took too long; no `Exception`, for the same reason."""


class _NoDiagnosis(BaseException):
    """Looking for a diagnosis took too long; no `Exception`, which would be taken for an answer."""


class _Plugin:
    """The pytest plugin that runs an item on both sides; lasts as long as its session."""

    def __init__(self, exercise: str, reference: _Reference | Frozen) -> None:
        self._exercise = exercise
        self._reference = reference
        self._student: Student | None = None
        self._seed = 0
        self._case = ""
        self._call: Callable[[Any, Mapping[str, object]], None]
        self._alone: dict[pytest.Function, tuple[Any, Mapping[str, object]]] = {}
        self._faults: list[GraderError] = []
        self.mistakes: list[str] = []

    # The fixtures are what marks an argument as one that differs between the sides; their values are put in later.

    @pytest.fixture
    def engine(self) -> None:
        """The module under test: the reference's, then the student's."""

    @pytest.fixture
    def program(self) -> None:
        """The program under test: the reference's, then the student's."""

    @pytest.fixture
    def rng(self) -> None:
        """A `random.Random` that gives both sides the same numbers."""

    @pytest.hookimpl
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep what went wrong in collecting, for its author."""
        if report.failed:
            self.mistakes.append(f"{report.nodeid}: {_last_lines(report.longreprtext)}")

    def run(
        self, item: pytest.Function, student: Student, seed: int, smaller: Callable[[], _Smaller | None] | None
    ) -> _Outcome:
        """Run one item for one student.

        Args:
            item: The item.
            student: The student.
            seed: The seed of the check's random inputs.
            smaller: Returns what tells of smaller cases, if anything does; None for a hidden check, of which no more
                is to be shown where it does not pass.

        Raises:
            ExerciseError: The check is at fault.
        """

        def run(function: Any, arguments: Mapping[str, object]) -> _Outcome:  # noqa: ANN401  # perhaps a Hypothesis test
            outcome = self._run_both(function, arguments)
            if smaller is None or outcome.verdict is Verdict.PASSED:
                return outcome
            shown = self._find_smaller(item, arguments, outcome, smaller) or outcome
            return replace(shown, derivation=self._derivation(shown), seen=outcome.seen)

        self._student = student
        try:
            return self._conclude(item, seed, run)
        finally:
            self._student = None

    def answer(self, item: pytest.Function, seed: int) -> object:
        """Run one item with the reference alone, and return what it returns.

        Raises:
            ExerciseError: The check is at fault, or draws its examples as it runs.
        """
        return self._conclude(item, seed, self._run_reference)

    def foresee(self, items: Sequence[pytest.Function], seed: int) -> _Ahead | None:
        """Return what some items ask, all of one check; None if that depends on answers.

        Raises:
            ExerciseError: The check is at fault.
        """
        cases: list[_Foreseen] = []
        if not all(map(_stands_alone, items)):
            return None
        for item in items:
            first = 1 + sum(len(case.question.operations) for case in cases)
            case = self._conclude(item, seed, functools.partial(self._foresee_case, first=first))
            if case is None:
                return None
            cases.append(case)
        written = wire.written([[case.question.operations, case.question.wanted] for case in cases])
        is_drawn = any("rng" in item.fixturenames for item in items)
        return _Ahead(cases, written, seed if is_drawn else None) if len(written) <= _MOST_AHEAD else None

    def case(self, item: pytest.Function, seed: int) -> Case:
        """Return an item as the case that it puts to any side.

        Raises:
            ExerciseError: The check is at fault, or draws its examples as it runs.
        """
        return self._conclude(item, seed, self._fixed_case)

    def derive(self, item: pytest.Function, seed: int) -> Mapping[str, str]:
        """Return how what one item returns comes about, by what is returned.

        Raises:
            ExerciseError: The check is at fault.
        """
        return self._conclude(
            item,
            seed,
            lambda function, arguments: self._reference.derive(self._case, self._case_of(function, arguments).put),
        )

    def _conclude(self, item: pytest.Function, seed: int, run: Callable[[Any, Mapping[str, object]], _T]) -> _T:
        """Have an item run, and return what came of it.

        The first time, and wherever fixtures of the author's take part, pytest sets it up and tears it down.
        """
        self._seed, self._case = seed, item.name
        if item in self._alone:
            with contextlib.suppress(*RAISED):  # pytest will say of it what has to be said
                return run(*self._alone[item])
        concluded: list[_T] = []

        def call(function: Any, arguments: Mapping[str, object]) -> None:  # noqa: ANN401  # perhaps a Hypothesis test
            concluded.append(run(function, arguments))
            if _stands_alone(item):
                self._alone[item] = function, arguments

        self._call = call
        self._faults.clear()
        reports = runtestprotocol(item, log=False, nextitem=None)
        for fault in self._faults:
            if isinstance(fault, ExerciseError):
                raise ExerciseError(self._exercise, [f"{item.name}: {each}" for each in fault.mistakes]) from fault
            raise fault
        for report in reports:
            if report.failed:
                raise ExerciseError(self._exercise, [f"{item.name}: {_last_lines(report.longreprtext)}"])
        for each in concluded:
            return each
        raise ExerciseError(self._exercise, [f"{item.name} was skipped; a check that cannot run is not a check"])

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool:
        """Run a check's function as it is to be run now."""
        names = pyfuncitem._fixtureinfo.argnames  # noqa: SLF001  # as pytest itself does
        arguments = {name: pyfuncitem.funcargs[name] for name in names}
        try:
            self._call(pyfuncitem.obj, arguments)
        except GraderError as fault:  # kept, because pytest would make text of it
            self._faults.append(fault)
        return True

    def _run_both(self, function: Any, arguments: Mapping[str, object]) -> _Outcome:  # noqa: ANN401  # perhaps a Hypothesis test
        """Run a check's function on both sides."""
        run = self._run_examples if hasattr(function, "hypothesis") else self._run_case
        return run(function, arguments)

    def _run_reference(self, function: Any, arguments: Mapping[str, object]) -> object:  # noqa: ANN401  # the same
        """Run a check's function with the reference alone."""
        case = self._fixed_case(function, arguments)
        return self._reference.answer(case.name, case.put)

    def _fixed_case(self, function: Any, arguments: Mapping[str, object]) -> Case:  # noqa: ANN401  # the same
        """Return the one case that an item is."""
        if hasattr(function, "hypothesis"):
            advice = "draw them ahead, for a parametrize, or make the check a hidden one"
            raise ExerciseError(self._exercise, [f"@given draws its examples anew, which cannot be recorded; {advice}"])
        return self._case_of(function, arguments)

    def _foresee_case(self, function: Any, arguments: Mapping[str, object], *, first: int) -> _Foreseen | None:  # noqa: ANN401  # the same
        """Find out what a case asks of any module, and what the reference answers."""
        if hasattr(function, "hypothesis"):
            return None
        case = self._case_of(function, arguments)
        with _alarm(_REFERENCE_SECONDS, TimeoutError):  # then it needs an answer to come to its end
            question = foresee(case.put, first)
        return _Foreseen(case, question, self._reference.answer(self._case, case.put)) if question else None

    def _run_case(
        self, function: Callable[..., object], arguments: Mapping[str, object], *, drawn: bool = False
    ) -> _Outcome:
        assert self._student is not None  # noqa: S101  # set while an item runs
        student = self._student
        student.new_case()
        case = self._case_of(function, arguments, drawn=drawn)
        expected = self._reference.answer(self._case, case.put)
        returned: object = None
        answer: Answer | None = None
        what = ""
        try:
            with _alarm(student.limits.check_seconds + ALARM_SECONDS, student.abandon):
                returned = case.put(student.engine, student.program)
                observed = student.recorder.resolve(returned)
            what = agree(expected, observed)
            verdict, answer = Verdict.FAILED if what else Verdict.PASSED, Answer.of(observed)
        except GraderError:
            raise
        except StudentError as error:
            verdict, what, answer = Verdict.ERROR, str(error), answer_of(error)
        except OutputMismatch as mismatch:
            verdict, what, answer = Verdict.OUTPUT, str(mismatch), answer_of(mismatch)
        except Stopped as stopped:
            verdict, what = stopped.verdict, stopped.what
        except RAISED as error:  # the reference's side did not raise it, so the student's values did
            verdict, what, answer = Verdict.FAILED, _from_check(error), answer_of(error)
        seen = (Seen(case, answer, right=verdict is Verdict.PASSED),) if answer else ()
        if verdict is Verdict.PASSED:
            return _Outcome(verdict, seen=seen)
        what = "\n".join([what, *(note for note in student.notes_of_case if note not in student.notes)])
        labels = returned if isinstance(returned, dict) else {}
        return _Outcome(verdict, what, _shortened(student.code(labels)), seen=seen)

    def _derivation(self, outcome: _Outcome) -> str:
        """Tell how the right answers come about where wrong ones were given; empty where there is nothing to tell."""
        if outcome.verdict is not Verdict.FAILED or not outcome.seen:
            return ""
        last = outcome.seen[-1]
        expected = self._reference.answer(self._case, last.case.put)
        told = self._reference.derive(self._case, last.case.put)
        return _shortened(derivation_of(expected, last.answer, told))

    def _find_smaller(
        self,
        item: pytest.Function,
        arguments: Mapping[str, object],
        outcome: _Outcome,
        smaller: Callable[[], _Smaller | None],
    ) -> _Outcome | None:
        """Look for a smaller case that ends with the same verdict; None where none is found, for whatever reason."""
        parameters = {name: arguments[name] for name in _parameters(item) if name in arguments}
        can_go_on = bool(outcome.seen)  # where nothing was answered, the process that answers is gone
        if not (can_go_on and parameters) or hasattr(item.obj, "hypothesis") or (cases := smaller()) is None:
            return None

        def attempt(drawn: Mapping[str, object]) -> _Outcome | None:
            tried = self._run_case(item.obj, {**arguments, **drawn}, drawn=True)
            if not tried.seen:
                raise Stopped(tried.verdict, tried.what)
            return tried if tried.verdict is outcome.verdict else None

        try:
            return examples.find_smaller(cases(**parameters), self._seed, attempt)
        except (*RAISED, Stopped, BaseExceptionGroup):
            return None

    def _case_of(
        self, function: Callable[..., object], arguments: Mapping[str, object], *, drawn: bool = False
    ) -> Case:
        """Return what is the same for all sides; `drawn` says that these arguments will not come again."""
        seed = f"{self._seed} {self._case}"

        def put(engine: object, program: object) -> object:
            side = {"engine": engine, "program": program, "rng": random.Random(seed)}  # noqa: S311  # repeatable on purpose
            return function(**{name: side.get(name, value) for name, value in arguments.items()})

        return Case(self._case, object() if drawn else seed if "rng" in arguments else "", put)

    def _run_examples(self, function: Any, arguments: Mapping[str, object]) -> _Outcome:  # noqa: ANN401  # a Hypothesis test
        """Have Hypothesis draw examples, run both sides on each, and shrink the first that does not pass."""
        import hypothesis  # noqa: PLC0415  # a quarter of a second that only checks with @given should pay

        inner = function.hypothesis.inner_test
        smallest: list[_Outcome] = []
        seen: list[Seen[Case]] = []

        def example(**drawn: object) -> None:
            outcome = self._run_case(inner, drawn, drawn=True)
            if len(seen) < _MOST_EXAMPLES:
                seen.extend(outcome.seen)
            if outcome.verdict is Verdict.PASSED:
                return
            if outcome.verdict in {Verdict.TIMEOUT, Verdict.MEMORY} or self._lost():
                raise Stopped(outcome.verdict, outcome.what)
            smallest[:] = [outcome]
            raise _Disagreement(outcome)

        authors = getattr(function, "_hypothesis_internal_use_settings", hypothesis.settings.default)
        function._hypothesis_internal_use_settings = examples.steady(authors)  # noqa: SLF001  # `@settings` refuses to be applied twice
        hypothesis.seed(self._seed)(function)
        function.hypothesis.inner_test = example
        try:
            function(**arguments)
            outcome = _PASSED
        except _Disagreement as found:
            outcome = found.outcome
        except Stopped as stopped:
            # Time that ran out while an example was being shrunk takes nothing away from the example.
            outcome = smallest[0] if smallest else _Outcome(stopped.verdict, stopped.what)
        except (hypothesis.errors.Flaky, BaseExceptionGroup):
            outcome = _Outcome(Verdict.FAILED, _UNSTABLE, smallest[0].code if smallest else "")
        finally:
            function.hypothesis.inner_test = inner
            function._hypothesis_internal_use_settings = authors  # noqa: SLF001  # the next would keep ours for ever
        return replace(outcome, seen=(*seen, *outcome.seen))

    def _lost(self) -> bool:
        return self._student is not None and not self._student.is_running


def _stands_alone(item: pytest.Function) -> bool:
    """Whether nothing of pytest's takes part in an item but arguments, which are the same each time."""
    given = {*GIVEN, *(item.callspec.params if hasattr(item, "callspec") else ())}
    fixtures = item.session._fixturemanager  # noqa: SLF001  # pytest has no public way to ask
    return given.issuperset(item.fixturenames) and not any(
        fixtures.getfixturedefs(name, item) for name in given.difference(GIVEN)
    )


@contextlib.contextmanager
def _alarm(seconds: float, conclude: Callable[[], BaseException]) -> Iterator[None]:
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


def _parameters(item: pytest.Function) -> Iterable[str]:
    """The names of what `parametrize` chose for an item."""
    return item.callspec.params if hasattr(item, "callspec") else ()


def _shortened(text: str) -> str:
    """A text without its middle, where it has more lines than anybody would read."""
    lines = text.splitlines()
    if len(lines) > _MAX_LINES:
        lines[_MAX_LINES // 2 : -_MAX_LINES // 2] = [f"... ({len(lines) - _MAX_LINES} more lines)"]
    return "\n".join(lines)


def _from_check(error: BaseException) -> str:
    text = f"{error}".strip()
    if isinstance(error, AssertionError | pytest.fail.Exception):
        return text or "What the check asserts does not hold."
    return f"With these answers the check could not go on: {type(error).__name__}{f': {text}' if text else ''}"


def _last_lines(text: str) -> str:
    """The end of a failure's text, on one line: what went wrong stands there, and where if that is known."""
    lines = text.strip().splitlines()
    told = [line[1:] for line in lines if line.startswith("E ")] or [line for line in lines if not line.startswith(" ")]
    where = re.match(r"\S*?([^\s/]+\.py):(\d+)", lines[-1]) if lines else None
    place = f" ({where[1]}, line {where[2]})" if where else ""
    return (" ".join(" ".join(told[-4:]).split())[-600:] or "it failed and said nothing") + place


# --------------------------------------------------------------------------------------------------------------------
# The reference's side


class _Reference:
    """The reference of one exercise; lasts as long as its checks. Trusted, so it runs on the host."""

    def __init__(self, exercise: Exercise) -> None:
        self._exercise = exercise
        for name in filter(None, (exercise.engine, exercise.program)):
            folder = exercise.course_root / name.partition(".")[0]
            if not folder.is_dir():  # another course's, installed on this machine, would take its place
                raise ExerciseError(
                    exercise.id, [f"there is no folder {folder}, which has {name}: name the whole course"]
                )
        self._module = module = _import(exercise, exercise.engine) if exercise.engine else None
        unknown = [
            f"[names] asks for {name!r}, which {exercise.engine} does not define{did_you_mean(name, vars(module))}"
            for name in exercise.names
            if not hasattr(module, name)
        ]
        if unknown:
            raise ExerciseError(exercise.id, unknown)
        self._runs = functools.cache(self._run)
        told = exercise.derivation
        self._derivation = Derivation(exercise.id, _import(exercise, told)) if told else None

    def answer(self, _: str, ask: Callable[[object, object], object]) -> object:
        """Return what a check returns with the reference.

        Args:
            ask: Runs it with an engine and a program.

        Raises:
            ExerciseError: It does not end, or the program fails.
        """
        with _alarm(1.5 * _REFERENCE_SECONDS, self._too_slow):  # a program has its own bound
            return ask(self._module, self._program)

    def derive(self, _: str, put: Callable[[object, object], object]) -> Mapping[str, str]:
        """Return how what a check returns comes about, by what it returns; empty where there is nothing to tell.

        Args:
            put: Runs it with an engine and a program.
        """
        if self._derivation is None:
            return {}
        try:
            with _alarm(DERIVATION_SECONDS, _NoDerivation):
                return self._derivation.tell(put)
        except (*RAISED, _NoDerivation):  # a grade does not depend on what is said of it
            return {}

    def _too_slow(self) -> ExerciseError:
        return ExerciseError(self._exercise.id, [f"it takes more than {_REFERENCE_SECONDS:g} s with the reference"])

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
                timeout=_REFERENCE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise ExerciseError(self._exercise.id, [f"{name} took more than {_REFERENCE_SECONDS:g} s"]) from None
        stderr = done.stderr.decode("utf-8", "replace")
        if "Traceback (most recent call last)" in stderr or done.returncode < 0:
            raise ExerciseError(self._exercise.id, [f"{name} failed: {_last_lines(stderr)}"])
        # Windows ends a printed line otherwise; a check reads the same lines everywhere.
        return Run(done.stdout.decode("utf-8", "replace").replace(os.linesep, "\n"), stderr, done.returncode)


def _smaller_cases(exercise: Exercise, check: Check) -> _Smaller | None:
    """What tells of smaller cases of a check; None where nothing does, as in a student's copy of a course."""
    if check.smaller is None or not (exercise.course_root / "reference").is_dir() or not examples.is_possible():
        return None
    found: _Smaller | None = getattr(_import(exercise, check.smaller), "smaller", None)
    if not callable(found):
        raise ExerciseError(exercise.id, [f"{check.smaller} has no function 'smaller'; see docs/authors.md"])
    return found


def _import(exercise: Exercise, name: str) -> ModuleType:
    """Import a reference module from the exercise's course."""
    sys.path.insert(0, str(exercise.course_root))
    try:
        with _alone(name.partition(".")[0]):
            importlib.invalidate_caches()
            return importlib.import_module(name)
    except Exception as error:
        raise ExerciseError(exercise.id, [f"{name} cannot be imported: {type(error).__name__}: {error}"]) from error
    finally:
        sys.path.remove(str(exercise.course_root))


@contextlib.contextmanager
def _alone(*tops: str) -> Iterator[None]:
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
def _without_surroundings() -> Iterator[None]:
    """Keep settings of the surroundings out of a pytest session: its variables, and bytecode beside the checks."""
    taken = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("PYTEST_")}
    bytecode, prefix = sys.dont_write_bytecode, sys.pycache_prefix
    sys.dont_write_bytecode, sys.pycache_prefix = True, os.devnull
    try:
        yield
    finally:
        sys.dont_write_bytecode, sys.pycache_prefix = bytecode, prefix
        os.environ.update(taken)
