"""The known wrong rules of an exercise, at work: what they answer where a student's code was asked.

A course's module of them has `MISCONCEPTIONS`, of which each has an `id`, a `sentence` and `ways`; a way has `program`,
which makes standard output of standard input, and `engine`, a namespace with what checks ask of the module, or None.
They are the course's own, and run on the host.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from grader.diagnosis import Answer, Manner
from grader.errors import ExerciseError
from grader.output import OutputMismatch
from grader.student import Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

RAISED = (Exception, SystemExit, pytest.fail.Exception, pytest.skip.Exception)
"""What a check may raise; pytest's own are no `Exception`. What else there is, such as Ctrl-C, passes through."""

_MOST_CASES = 512
_MOST_RUNS = 128
"""How many answers of a way are kept, for other students are asked the same."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a check, as it is put to any side; lasts as long as a submission is graded.

    Attributes:
        name: What pytest calls it.
        drawn: Tells it from others of that name, which are asked with other numbers.
        put: Runs it with an engine and a program.
    """

    name: str
    drawn: object
    put: Callable[[object, object], object] = field(compare=False)


class Way:
    """One way to be wrong; lasts as long as the checks of its exercise, and remembers what it answered.

    Args:
        program: What the wrong program prints, given all of its standard input.
        engine: What is wrong in the module's place, if anything is.
    """

    def __init__(self, program: Callable[[str], str], engine: object) -> None:
        self._engine = engine
        self._printed = functools.lru_cache(_MOST_RUNS)(program)
        self.answer = functools.lru_cache(_MOST_CASES)(self._answer)

    def _answer(self, case: Case) -> Answer:
        """Return what comes of a case, whatever that is."""
        try:
            return Answer.of(case.put(self._engine, self._program))
        except RAISED as error:
            return answer_of(error)

    def _program(self, stdin: str = "") -> Run:
        return Run(self._printed(stdin), "", 0)


def answer_of(error: BaseException) -> Answer:
    """Return what a check answers that raised something in place of returning."""
    if isinstance(error, OutputMismatch):
        return Answer(Manner.PRINTED, str(error))
    if isinstance(error, AssertionError | pytest.fail.Exception):
        return Answer(Manner.REFUSED)
    return Answer(Manner.RAISED)


def known_ways(exercise: str, module: ModuleType) -> dict[str, tuple[Way, ...]]:
    """Return the ways of each misconception in a module, by its sentence.

    Raises:
        ExerciseError: The module is not made as it must be.
    """
    known: dict[str, tuple[Way, ...]] = {}
    mistakes: list[str] = []
    try:
        for each in module.MISCONCEPTIONS:
            if not (isinstance(each.sentence, str) and each.sentence.isprintable() and each.sentence.strip()):
                mistakes.append(f"{each.id} has no sentence; say on one line what code seems to do")
            elif each.sentence in known:
                mistakes.append(f"{each.id} has the sentence of another; make them one, or tell them apart")
            elif not each.ways:
                mistakes.append(f"{each.id} has no way; give it one at least")
            else:
                known[each.sentence] = tuple(Way(way.program, way.engine) for way in each.ways)
    except (AttributeError, TypeError) as error:
        mistakes.append(f"it is not made as it must be ({error}); see docs/authors.md")
    if mistakes:
        raise ExerciseError(exercise, [f"{module.__name__}: {mistake}" for mistake in mistakes])
    return known
