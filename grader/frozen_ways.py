"""What known wrong rules answer in public checks, recorded: students' copies of a course have this in their place.

Each exercise's folder holds one file, `misconceptions.json`; see `recorded`. Its parts are

    ways       of each misconception, by its sentence, the numbers of its ways
    answers    by the name that pytest gives to a case, each answer that is not the reference's to the bit: its manner,
               its value, and the numbers of the ways that give it

Ways that answer alike have one number. Who answers everything as the reference does has none, because public checks
cannot tell it: of what only hidden checks see there is no word.
"""

from __future__ import annotations

import functools
import json
import operator
from typing import TYPE_CHECKING

from grader.diagnosis import Answer, Manner
from grader.errors import ExerciseError
from grader.recorded import RecordFile, decoded, encoded
from grader.sandbox.wire import WireError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from grader.exercise import Exercise
    from grader.frozen import Frozen
    from grader.misconceptions import Case

FILE_NAME = "misconceptions.json"
"""Name of the file in an exercise's folder."""

_FILE = RecordFile(FILE_NAME, 1, ("ways", "answers"))


def freeze(
    exercise: Exercise, right: Mapping[str, object], wrong: Mapping[str, Sequence[Mapping[str, Answer]]]
) -> bytes:
    """Return the file that records what the ways to be wrong answer.

    Args:
        exercise: Whose checks were asked.
        right: What each case returned with the reference, by its name.
        wrong: What came of the same cases with each way, by its misconception's sentence.

    Raises:
        ExerciseError: An answer is nothing that can be recorded.
    """
    mistakes: dict[str, None] = {}

    def text(case: str, answer: Answer) -> str:
        try:
            return json.dumps([answer.manner.name, encoded(answer.value)])
        except WireError as error:
            advice = "return plainer values, or mend the way"
            mistakes[f"{case} cannot be recorded for students: wrong code answers {error}; {advice}"] = None
            return ""

    expected = {case: text(case, Answer.of(returned)) for case, returned in right.items()}
    numbers: dict[tuple[tuple[str, str], ...], int] = {}
    known: dict[str, list[int]] = {}
    for sentence, ways in wrong.items():
        texts = [[(case, text(case, answer)) for case, answer in way.items()] for way in ways]
        differing = [tuple((case, said) for case, said in way if said != expected[case]) for way in texts]
        if mine := [numbers.setdefault(way, len(numbers)) for way in differing if way]:
            known[sentence] = [*dict.fromkeys(mine)]
    if mistakes:
        raise ExerciseError(exercise.id, [*mistakes])
    given_by: dict[str, dict[str, list[int]]] = {}
    for differing_way, number in numbers.items():
        for case, said in differing_way:
            given_by.setdefault(case, {}).setdefault(said, []).append(number)
    answers = {case: [[*json.loads(said), given_by[case][said]] for said in given_by[case]] for case in given_by}
    return _FILE.write(exercise, ways=known, answers=answers)


class FrozenWay:
    """One way to be wrong where it is recorded; lasts as long as the checks of its exercise.

    Args:
        number: Its number in the file.
        wrong: Returns what is recorded of a case, by the ways' numbers.
        reference: What it answers in all other cases.
    """

    def __init__(self, number: int, wrong: Callable[[str], Mapping[int, Answer]], reference: Frozen) -> None:
        self._number = number
        self._wrong = wrong
        self._reference = reference

    def answer(self, case: Case) -> Answer:
        """Return what came of a case.

        Raises:
            ExerciseError: That is not recorded.
        """
        wrong = self._wrong(case.name)
        if self._number in wrong:
            return wrong[self._number]
        return Answer.of(self._reference.answer(case.name, None))


def frozen_ways(exercise: Exercise, reference: Frozen) -> dict[str, tuple[FrozenWay, ...]]:
    """Return the recorded ways of each misconception, by its sentence.

    Raises:
        ExerciseError: The file is damaged, or of other checks than the exercise's.
    """
    record = _FILE.read(exercise)

    @functools.cache
    def wrong(case: str) -> dict[int, Answer]:
        try:
            return {
                number: Answer(Manner[manner], decoded(value))
                for manner, value, given_by in record["answers"].get(case, [])
                for number in given_by
            }
        except (KeyError, TypeError, ValueError, WireError) as error:
            raise _FILE.fault(exercise, f"has no answers to {case}") from error

    try:
        return {
            sentence: tuple(FrozenWay(operator.index(number), wrong, reference) for number in numbers)
            for sentence, numbers in record["ways"].items()
        }
    except TypeError as error:
        raise _FILE.fault(exercise, "is not as it was written") from error
