"""What the reference answers in public checks, recorded: students' copies of a course have this in its place.

Each exercise's folder holds one file, `expected.json`; see `recorded`. Its part is

    answers    what a check returned with the reference, by the name that pytest gives to the case
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

SCHEMA = 1
"""Raised too where the same check would be asked with other inputs, or answer in another form."""

_FILE = RecordFile(FILE_NAME, SCHEMA, ("answers",))


def takes_the_place(exercise: Exercise) -> bool:
    """Whether answers are recorded, and the reference is not there: where it is, it is asked."""
    return (exercise.folder / FILE_NAME).is_file() and not (exercise.course_root / "reference").is_dir()


def freeze(exercise: Exercise, answers: Mapping[str, object]) -> bytes:
    """Return the file that records what the reference answers.

    Args:
        exercise: Whose checks were asked.
        answers: What each case returned, by its name.

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
    return _FILE.write(exercise, answers=written)


class Frozen:
    """The reference's side of an exercise's checks where it is recorded; lasts as long as they are collected.

    Args:
        exercise: Its folder has the file.

    Raises:
        ExerciseError: The file is damaged, or of other checks than these.
    """

    def __init__(self, exercise: Exercise) -> None:
        self._exercise = exercise
        self._answers = _FILE.read(exercise)["answers"]

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
