"""What the reference answers in public checks, recorded: students' copies of a course have this in its place.

Each exercise's folder holds one file, `expected.json`:

    schema     version of this form, and of all that the answers depend on besides the exercise
    exercise   the exercise's id, which random inputs are drawn from
    digest     the exercise's `public_digest`: the answers are those to these very checks and no others
    answers    what a check returned with the reference, by the name that pytest gives to the case; `wire.encode`
               says how values are written: floats to the bit

The file is read strictly, and what is not as it was written is refused.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from grader.errors import ExerciseError
from grader.sandbox import wire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from grader.exercise import Exercise

FILE_NAME = "expected.json"
"""Name of the file in an exercise's folder."""

SCHEMA = 1
"""Raised too where the same check would be asked with other inputs, or answer in another form."""

_KEYS = {"schema", "exercise", "digest", "answers"}


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
            written[case] = wire.encode(answer, _refuse)
            wire.decode(written[case], _refuse)  # a key of a dictionary may be written and not be read
        except wire.WireError as error:
            mistakes.append(f"{case} cannot be recorded for students: it returns {error}; return plainer values")
    if mistakes:
        raise ExerciseError(exercise.id, mistakes)
    record = {"schema": SCHEMA, "exercise": exercise.id, "digest": exercise.public_digest, "answers": written}
    return (json.dumps(record, separators=(",", ":"), allow_nan=False) + "\n").encode("ascii")


class Frozen:
    """The reference's side of an exercise's checks where it is recorded; lasts as long as they are collected.

    Args:
        exercise: Its folder has the file.

    Raises:
        ExerciseError: The file is damaged, or of other checks than these.
    """

    def __init__(self, exercise: Exercise) -> None:
        self._exercise = exercise
        try:
            record = json.loads((exercise.folder / FILE_NAME).read_bytes().decode("ascii"))
        except (OSError, ValueError, RecursionError) as error:
            raise self._fault(f"cannot be read ({type(error).__name__})") from error
        if not isinstance(record, dict) or record.keys() != _KEYS or not isinstance(record["answers"], dict):
            raise self._fault("is not as it was written")
        if record["schema"] != SCHEMA:
            raise self._fault(f"is of form {record['schema']!r}, and this grader reads {SCHEMA}")
        if (record["exercise"], record["digest"]) != (exercise.id, exercise.public_digest):
            raise self._fault("was made of other checks, or exercise.toml was changed since")
        self._answers: dict[str, Any] = record["answers"]

    def answer(self, case: str, _: object) -> object:
        """Return what the check returned in a case when it ran with the reference.

        Raises:
            ExerciseError: It is not recorded.
        """
        if case not in self._answers:
            raise self._fault("has no answer to it")
        try:
            return wire.decode(self._answers[case], _refuse)
        except wire.WireError as error:
            raise self._fault(f"has {error} for an answer") from error

    def _fault(self, what: str) -> ExerciseError:
        return ExerciseError(self._exercise.id, [f"{FILE_NAME} {what}: get a new copy of the course for students"])


def _refuse(value: object) -> NoReturn:
    raise wire.WireError(f"an object of type {type(value).__name__}")
