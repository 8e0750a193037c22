"""What the cases of a check ask of any module, where no answer changes what is asked: found out once, put to everybody.

A check is run without anybody to answer. If it gets to its end, it asks the same of every module, so all of its cases
can go in one message; and what they return is known but for the values. A check that needs an answer on its way, or
runs the program, is run anew for every submission.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from grader.misconceptions import RAISED
from grader.sandbox import wire
from grader.stand_in import Engine, Recorder, filled_in, number_of, opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Unanswered(BaseException):
    """A check asked for something before its end; no `Exception`, so that it does not go on without."""


@dataclass(frozen=True, slots=True)
class Question:
    """What one case asks of any module; lasts as long as its check.

    Attributes:
        operations: Its operations, as the wire has them.
        wanted: The numbers of the objects whose values it wants.
        returned: What it returns, with stand-ins for these values.
    """

    operations: Sequence[list[object]]
    wanted: Sequence[int]
    returned: object

    def read(self, values: Sequence[object]) -> object:
        """Return what the case returns, given the values that it wants, undecoded.

        Raises:
            WireError: One cannot be read.
        """
        known = {number: wire.decode(value, opaque) for number, value in zip(self.wanted, values, strict=True)}
        return filled_in(self.returned, lambda stand_in: known[number_of(stand_in)])


def rehearse(put: Callable[[object, object], object], first: int = 1) -> tuple[Recorder, object]:
    """Run a case without anybody to answer, and return what it records and what it returns.

    Args:
        put: Runs the case with an engine and a program.
        first: The number that its first object gets.

    Raises:
        Unanswered: It asks for an answer on its way.
        BaseException: What the case raises itself.
    """
    recorder = Recorder(_answer_nothing, first)
    return recorder, put(Engine(recorder), _answer_nothing)


def foresee(put: Callable[[object, object], object], first: int) -> Question | None:
    """Return what a case asks; None if that depends on answers.

    Args:
        put: Runs the case with an engine and a program.
        first: The number that its first object gets: one that no other case of its check has.
    """
    try:
        recorder, returned = rehearse(put, first)
    except (*RAISED, Unanswered):
        return None
    operations, wanted = recorder.outstanding(returned)
    return Question(operations, wanted, returned) if operations else None


def _answer_nothing(*_: object, **__: object) -> NoReturn:
    raise Unanswered
