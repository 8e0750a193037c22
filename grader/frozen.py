"""What the reference answers in public checks, recorded: students' copies of a course have this in its place.

Each exercise's folder holds one file, `expected.json`; see `recorded`. Its part is

    answers      what a check returned with the reference, by the name that pytest gives to the case
    derivations  how the answers come about, as the course tells it, by the case and then by the name of the answer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.errors import ExerciseError
from grader.recorded import RecordFile, decoded, encoded
from grader.sandbox.wire import WireError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from grader.exercise import Exercise

FILE_NAME = "expected.json"
"""Name of the file in an exercise's folder."""

SCHEMA = 2
"""Raised too where the same check would be asked with other inputs, or answer in another form."""

_FILE = RecordFile(FILE_NAME, SCHEMA, ("answers", "derivations"))


def takes_the_place(exercise: Exercise) -> bool:
    """Whether answers are recorded, and the reference is not there: where it is, it is asked."""
    return (exercise.folder / FILE_NAME).is_file() and not (exercise.course_root / "reference").is_dir()


def freeze(exercise: Exercise, answers: Mapping[str, object], derivations: Mapping[str, Mapping[str, str]]) -> bytes:
    """Return the file that records what the reference answers.

    Args:
        exercise: Whose checks were asked.
        answers: What each case returned, by its name.
        derivations: How that comes about, by the name of the case and then by what is returned.

    Raises:
        ExerciseError: An answer is nothing that can be recorded.
    """
    mistakes: list[str] = []
    written: dict[str, object] = {}
    for case, answer in answers.items():
        try:
            written[case] = encoded(answer)
        except WireError as error:
            mistakes.append(f"{case} cannot be recorded for students: it returns {error}; return plainer values")
    if mistakes:
        raise ExerciseError(exercise.id, mistakes)
    return _FILE.write(exercise, answers=written, derivations=derivations)


class Frozen:
    """The reference's side of an exercise's checks where it is recorded; lasts as long as they are collected.

    Args:
        exercise: Its folder has the file.

    Raises:
        ExerciseError: The file is damaged, or of other checks than these.
    """

    def __init__(self, exercise: Exercise) -> None:
        self._exercise = exercise
        parts = _FILE.read(exercise)
        self._answers, self._derivations = parts["answers"], parts["derivations"]
        if not _are_texts(self._derivations, depth=2):
            raise _FILE.fault(exercise, "is not as it was written")

    def answer(self, case: str, _: object) -> object:
        """Return what the check returned in a case when it ran with the reference.

        Raises:
            ExerciseError: It is not recorded.
        """
        if case not in self._answers:
            raise _FILE.fault(self._exercise, "has no answer to it")
        try:
            return decoded(self._answers[case])
        except WireError as error:
            raise _FILE.fault(self._exercise, f"has {error} for an answer") from error

    def derive(self, case: str, _: object) -> Mapping[str, str]:
        """Return how what the check returned in a case comes about, by its name; empty where nothing is told."""
        found: dict[str, str] = self._derivations.get(case, {})
        return found


def _are_texts(value: object, depth: int) -> bool:
    """Whether a value is texts by name, in so many dictionaries."""
    if depth == 0:
        return isinstance(value, str)
    return isinstance(value, dict) and all(_are_texts(each, depth - 1) for each in value.values())
