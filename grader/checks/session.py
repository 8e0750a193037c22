"""The checks of an exercise, collected once by a pytest session that is never finished in between."""

from __future__ import annotations

import contextlib
import functools
import os
import time
from typing import TYPE_CHECKING

import pytest
from _pytest.config import _prepareconfig

from grader.checks.plugin import ALARM_SECONDS, PASSED, UNSTABLE, Outcome, Plugin
from grader.checks.reference import (
    REFERENCE_SECONDS,
    Reference,
    alarm,
    alone,
    import_module,
    smaller_cases,
    without_surroundings,
)
from grader.closing import Closing
from grader.compare import agree
from grader.diagnosis import Answer, Diagnosis, Seen, Sightings, diagnose
from grader.errors import ExerciseError, SandboxError
from grader.frozen import Frozen, takes_the_place
from grader.frozen_ways import frozen_ways
from grader.misconceptions import RAISED, Case, known_ways
from grader.notes import merge_notes
from grader.stand_in import StudentError
from grader.student import AHEAD_SECONDS, Stopped
from grader.verdict import Result, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from grader.checks.plugin import Ahead
    from grader.exercise import Check, Exercise
    from grader.frozen_ways import FrozenWay
    from grader.misconceptions import Way
    from grader.student import Student

DIAGNOSIS_SECONDS = 20.0
"""How long the host may look for a diagnosis."""
_DIAGNOSIS_CPU_SECONDS = 5.0
"""The same in processor time, so that it does not depend on how busy the machine is whether one is found."""
_NO_TIME_LEFT = Outcome(Verdict.TIMEOUT, "All checks together took too long; this one was not begun.")
_MAX_WHAT = 20_000
"""Characters kept of what happened: an exception's text and frames are the student's to choose."""


def longest(exercise: Exercise) -> float:
    """Return what all checks of a submission may take together, in seconds; an honest one cannot take as long."""
    limits = exercise.limits
    attempts = sum(check.runs + 1 for check in exercise.checks)
    loads = 4 if exercise.names else 2  # a survey may take as long as a loading, and the file be loaded for it
    ahead = AHEAD_SECONDS * sum(check.runs for check in exercise.checks)
    return ALARM_SECONDS + loads * limits.load_seconds + ahead + attempts * limits.check_seconds


class Checks(Closing):
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
        self._ahead: dict[str, Ahead | None] = {}
        try:
            with without_surroundings(), alarm(REFERENCE_SECONDS, self._too_slow):
                self._reference = Frozen(exercise) if takes_the_place(exercise) else Reference(exercise)
                self._plugin = Plugin(exercise.id, self._reference)
                self._items = self._collect()
                self._smaller = functools.cache(functools.partial(smaller_cases, exercise))
        except BaseException:
            self.close()
            raise

    def _too_slow(self, what: str = "importing its reference and checks") -> ExerciseError:
        return ExerciseError(self.exercise.id, [f"{what} takes over {REFERENCE_SECONDS:g} s"])

    @functools.cached_property
    def _known(self) -> Mapping[str, Sequence[Way | FrozenWay]]:
        """The ways of each known misconception, by its sentence; found once something is wrong."""
        too_slow = functools.partial(self._too_slow, "importing its misconceptions")
        with without_surroundings(), alarm(REFERENCE_SECONDS, too_slow):
            if isinstance(self._reference, Frozen):
                return frozen_ways(self.exercise, self._reference)
            if self.exercise.misconceptions is None:
                return {}
            return known_ways(self.exercise.id, import_module(self.exercise, self.exercise.misconceptions))

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
        with alone("checks", "hidden", "conftest", self.exercise.id):  # how pytest names what lies in an exercise
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
                outcome = Outcome(Verdict.ERROR, missing)
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
            with alarm(REFERENCE_SECONDS, _NoDiagnosis):
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
            with alarm(DIAGNOSIS_SECONDS, _NoDiagnosis):
                return diagnose(self._sightings, known, ask)
        except _NoDiagnosis:
            return Diagnosis()

    def _run_check(self, check: Check, student: Student, seed: int) -> Outcome:
        """Run a check as often as it asks for; it passes if it passes every time."""
        for run in range(check.runs):
            outcome = self._run_cases(check, student, seed, run)
            if outcome.verdict is not Verdict.PASSED:
                if run and outcome.verdict in {Verdict.FAILED, Verdict.ERROR}:
                    what = f"The answer changes from run to run, though the input is the same.\n{outcome.what}"
                    return Outcome(Verdict.FAILED, what, outcome.code)
                return outcome
        return PASSED

    def _run_cases(self, check: Check, student: Student, seed: int, run: int) -> Outcome:
        """Run the cases of a check, in one process, until one does not pass."""
        ahead = self._ask_ahead(check, student, seed, run)
        if ahead is PASSED:
            return ahead
        try:
            student.begin(run, hidden=check.hidden)
        except Stopped as stopped:
            return Outcome(stopped.verdict, stopped.what)
        try:
            for item in self._items[check.name]:
                outcome = self._plugin.run(item, student, seed, None if check.hidden else lambda: self._smaller(check))
                told = ahead.seen if ahead else ()
                self._sightings.add([each for each in outcome.seen if each not in told], hidden=check.hidden)
                if outcome.verdict is not Verdict.PASSED:
                    return outcome
        finally:
            student.end()
        return ahead or PASSED

    def _ask_ahead(self, check: Check, student: Student, seed: int, run: int) -> Outcome | None:
        """Ask all cases of a check at once, if they are known ahead.

        Returns:
            That they pass; or what is concluded if they do when they are then asked one by one, as they must be to say
            which does not. None where nothing is concluded: they are not known, or took too long together.
        """
        ahead = self._foresee(check, seed) if student.is_prompt else None
        if ahead is None:
            return None
        seen = []
        wrong = ""
        try:
            counts = [len(case.question.wanted) for case in ahead.cases]
            answers = student.ask_ahead(ahead.written, counts, run, hidden=check.hidden)
            for case, values in zip(ahead.cases, answers, strict=True):
                observed = case.question.read(values)
                what = agree(case.expected, observed)
                wrong = wrong or what
                seen.append(Seen(case.case, Answer.of(observed), right=not what))
        except Stopped as stopped:
            return None if stopped.verdict is Verdict.TIMEOUT else Outcome(stopped.verdict, stopped.what)
        except SandboxError:
            raise
        except StudentError as error:
            return Outcome(Verdict.ERROR, f"{error}\n{UNSTABLE}")
        except RAISED:
            return Outcome(Verdict.FAILED, UNSTABLE)
        # What comes after the first wrong answer tells of the mistake, too.
        self._sightings.add(seen, hidden=check.hidden)
        return Outcome(Verdict.FAILED, f"{wrong}\n{UNSTABLE}", seen=tuple(seen)) if wrong else PASSED

    def _foresee(self, check: Check, seed: int) -> Ahead | None:
        """What a check asks of this submission, or of all; None if that depends on answers."""
        ahead = self._ahead.get(check.name)
        if check.name not in self._ahead or (ahead is not None and ahead.seed not in {None, seed}):
            ahead = self._ahead[check.name] = self._plugin.foresee(self._items[check.name], seed)
        return ahead

    def close(self) -> None:
        """End the pytest session."""
        with without_surroundings():
            self._stack.close()


class _NoDiagnosis(BaseException):
    """Looking for a diagnosis took too long; no `Exception`, which would be taken for an answer."""
