"""Files in an exercise's folder that record answers to its public checks, for students' copies of a course.

Each kind of file is an object of JSON on one line:

    schema     version of this form, and of all that the answers depend on besides the exercise
    exercise   the exercise's id, which random inputs are drawn from
    digest     the exercise's `public_digest`: the answers are those to these very checks and no others

and its own parts, each an object. In them `encoded` says how values are written: floats to the bit. A file is read
strictly, and what is not as it was written is refused.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from grader.errors import ExerciseError
from grader.sandbox import wire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from grader.exercise import Exercise


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A kind of file.

    Attributes:
        name: Its name in an exercise's folder.
        schema: The version that is written and read.
        parts: The names of its own parts.
    """

    name: str
    schema: int
    parts: tuple[str, ...]

    def write(self, exercise: Exercise, **parts: Mapping[str, object]) -> bytes:
        """Return the file that records these parts of an exercise."""
        record = {"schema": self.schema, "exercise": exercise.id, "digest": exercise.public_digest, **parts}
        return (json.dumps(record, separators=(",", ":"), allow_nan=False) + "\n").encode("ascii")

    def read(self, exercise: Exercise) -> dict[str, dict[str, Any]]:
        """Return the parts that are recorded of an exercise.

        Raises:
            ExerciseError: The file is damaged, or of other checks than the exercise's.
        """
        try:
            record = json.loads((exercise.folder / self.name).read_bytes().decode("ascii"))
        except (OSError, ValueError, RecursionError) as error:
            raise self.fault(exercise, f"cannot be read ({type(error).__name__})") from error
        if not isinstance(record, dict) or record.keys() != {"schema", "exercise", "digest", *self.parts}:
            raise self.fault(exercise, "is not as it was written")
        if record["schema"] != self.schema:
            raise self.fault(exercise, f"is of form {record['schema']!r}, and this grader reads {self.schema}")
        if (record["exercise"], record["digest"]) != (exercise.id, exercise.public_digest):
            raise self.fault(exercise, "was made of other checks, or exercise.toml was changed since")
        parts = {name: record[name] for name in self.parts}
        if not all(isinstance(part, dict) for part in parts.values()):
            raise self.fault(exercise, "is not as it was written")
        return parts

    def fault(self, exercise: Exercise, what: str) -> ExerciseError:
        """Return the error that says what is wrong with an exercise's file."""
        return ExerciseError(exercise.id, [f"{self.name} {what}: get a new copy of the course for students"])


def encoded(value: object) -> object:
    """Return a plain value as it is recorded; see `wire.encode`.

    Raises:
        WireError: It is none, or is too large.
    """
    written = wire.encode(value, _refuse)
    wire.decode(written, _refuse)  # a key of a dictionary may be written and not be read
    return written


def decoded(written: object) -> object:
    """Return the value that `encoded` wrote so.

    Raises:
        WireError: It wrote nothing of the kind.
    """
    return wire.decode(written, _refuse)


def _refuse(value: object) -> NoReturn:
    raise wire.WireError(f"an object of type {type(value).__name__}")
