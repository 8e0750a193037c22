"""The pytest plugin that runs a check on both sides, and what is concluded of it."""

from __future__ import annotations

import functools
import math
import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import pytest
from _pytest.runner import runtestprotocol

from grader import examples
from grader.checks.reference import REFERENCE_SECONDS, alarm, last_lines
from grader.compare import agree
from grader.derivation import derivation_of
from grader.diagnosis import Answer, Seen
from grader.errors import ExerciseError, GraderError, SandboxError
from grader.foresight import Question, foresee
from grader.misconceptions import RAISED, Case, answer_of
from grader.output import OutputMismatch
from grader.sandbox import wire
from grader.stand_in import StudentError
from grader.student import Stopped
from grader.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from grader.checks.reference import Reference, Smaller
    from grader.frozen import Frozen
    from grader.student import Student

_T = TypeVar("_T")

GIVEN = ("engine", "program", "rng")
"""The fixtures that differ between the two sides."""
ALARM_SECONDS = 30.0
"""How much longer than its limit a check may keep the host busy without asking the student's side for anything."""
MOST_AHEAD = 400_000
"""Bytes of a check's cases that are sent at once, and of right answers: so no more items than the wire takes."""
_MOST_EXAMPLES = 50
"""How many of the examples that Hypothesis draws take part in a diagnosis, besides the smallest that does not pass."""
_MAX_LINES = 30
"""How many lines are kept of code, and of a derivation."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is concluded of one case, or of all of a check; and what was answered to its cases."""

    verdict: Verdict
    what: str = ""
    code: str = ""
    derivation: str = ""
    seen: tuple[Seen[Case], ...] = ()


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A case of which is known what it asks, and what the reference answers; lasts like its check, or seed."""

    case: Case
    question: Question
    expected: object


@dataclass(frozen=True, slots=True)
class Ahead:
    """All cases of a check, written as they are sent; `seed` is None where they are the same for every submission."""

    cases: Sequence[Foreseen]
    written: bytes
    seed: int | None


PASSED = Outcome(Verdict.PASSED)
UNSTABLE = "The same input gave different answers when it was tried again."


class _Disagreement(Exception):  # noqa: N818  # what one example shows, for Hypothesis to shrink
    """One example that did not pass."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.what)
        self.outcome = outcome


class Plugin:
    """The pytest plugin that runs an item on both sides; lasts as long as its session."""

    def __init__(self, exercise: str, reference: Reference | Frozen) -> None:
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
            self.mistakes.append(f"{report.nodeid}: {last_lines(report.longreprtext)}")

    def run(
        self, item: pytest.Function, student: Student, seed: int, smaller: Callable[[], Smaller | None] | None
    ) -> Outcome:
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

        def run(function: Any, arguments: Mapping[str, object]) -> Outcome:  # noqa: ANN401  # perhaps a Hypothesis test
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

    def foresee(self, items: Sequence[pytest.Function], seed: int) -> Ahead | None:
        """Return what some items ask, all of one check; None if that depends on answers.

        Raises:
            ExerciseError: The check is at fault.
        """
        cases: list[Foreseen] = []
        if not all(map(_stands_alone, items)):
            return None
        for item in items:
            first = 1 + sum(len(case.question.operations) for case in cases)
            case = self._conclude(item, seed, functools.partial(self._foresee_case, first=first))
            if case is None:
                return None
            cases.append(case)
        written = wire.written([[case.question.operations, case.question.wanted] for case in cases])
        if len(written) > MOST_AHEAD or _answers_size(cases) > MOST_AHEAD:
            return None
        is_drawn = any("rng" in item.fixturenames for item in items)
        return Ahead(cases, written, seed if is_drawn else None)

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
            try:
                return run(*self._alone[item])
            except SandboxError:
                raise
            except RAISED:
                pass  # pytest will say of it what has to be said
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
                raise ExerciseError(self._exercise, [f"{item.name}: {last_lines(report.longreprtext)}"])
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

    def _run_both(self, function: Any, arguments: Mapping[str, object]) -> Outcome:  # noqa: ANN401  # perhaps a Hypothesis test
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

    def _foresee_case(self, function: Any, arguments: Mapping[str, object], *, first: int) -> Foreseen | None:  # noqa: ANN401  # the same
        """Find out what a case asks of any module, and what the reference answers."""
        if hasattr(function, "hypothesis"):
            return None
        case = self._case_of(function, arguments)
        with alarm(REFERENCE_SECONDS, TimeoutError):  # then it needs an answer to come to its end
            question = foresee(case.put, first)
        return Foreseen(case, question, self._reference.answer(self._case, case.put)) if question else None

    def _run_case(
        self, function: Callable[..., object], arguments: Mapping[str, object], *, drawn: bool = False
    ) -> Outcome:
        assert self._student is not None  # noqa: S101  # set while an item runs
        student = self._student
        student.new_case()
        case = self._case_of(function, arguments, drawn=drawn)
        expected = self._reference.answer(self._case, case.put)
        returned: object = None
        answer: Answer | None = None
        what = ""
        try:
            with alarm(student.limits.check_seconds + ALARM_SECONDS, student.abandon):
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
            return Outcome(verdict, seen=seen)
        what = "\n".join([what, *(note for note in student.notes_of_case if note not in student.notes)])
        labels = returned if isinstance(returned, dict) else {}
        return Outcome(verdict, what, _shortened(student.code(labels)), seen=seen)

    def _derivation(self, outcome: Outcome) -> str:
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
        outcome: Outcome,
        smaller: Callable[[], Smaller | None],
    ) -> Outcome | None:
        """Look for a smaller case that ends with the same verdict; None where none is found, for whatever reason."""
        parameters = {name: arguments[name] for name in _parameters(item) if name in arguments}
        can_go_on = bool(outcome.seen)  # where nothing was answered, the process that answers is gone
        if not (can_go_on and parameters) or hasattr(item.obj, "hypothesis") or (cases := smaller()) is None:
            return None

        def attempt(drawn: Mapping[str, object]) -> Outcome | None:
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

    def _run_examples(self, function: Any, arguments: Mapping[str, object]) -> Outcome:  # noqa: ANN401  # a Hypothesis test
        """Have Hypothesis draw examples, run both sides on each, and shrink the first that does not pass."""
        import hypothesis  # noqa: PLC0415  # a quarter of a second that only checks with @given should pay

        inner = function.hypothesis.inner_test
        smallest: list[Outcome] = []
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
            outcome = PASSED
        except _Disagreement as found:
            outcome = found.outcome
        except Stopped as stopped:
            # Time that ran out while an example was being shrunk takes nothing away from the example.
            outcome = smallest[0] if smallest else Outcome(stopped.verdict, stopped.what)
        except (hypothesis.errors.Flaky, BaseExceptionGroup):
            outcome = Outcome(Verdict.FAILED, UNSTABLE, smallest[0].code if smallest else "")
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


def _answers_size(cases: Sequence[Foreseen]) -> float:
    """How many bytes the right answers to some cases take, about; infinite if they are nothing that can be sent."""
    try:
        return sum(len(wire.written(wire.encode(case.expected, _refuse))) for case in cases)
    except wire.WireError:
        return math.inf


def _refuse(value: object) -> NoReturn:
    raise wire.WireError(f"an object of type {type(value).__name__}")


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
