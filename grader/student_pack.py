"""What students get: a course with which `grader check` works offline, and nothing that they should not have.

    README.md              how to begin
    exercises/<id>/        README.md, starter.py, exercise.toml, checks/; and what is recorded in place of the
                           reference and of wrong code: expected.json, misconceptions.json; see `grader.recorded`

No reference, no wrong engine, no hidden check, no submission and no secret is in it. Of `exercise.toml` the comments
are left out, and what is for instructors alone. The same course gives the same pack.
"""

from __future__ import annotations

import re
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from grader import frozen, frozen_ways
from grader.checks import Checks
from grader.errors import ExerciseError
from grader.exercise import load_exercise
from grader.pack import Item, files_below, read_file, recipe, write_folder
from grader.seeding import public_seed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from grader.diagnosis import Answer
    from grader.exercise import Check, Exercise
    from grader.pack import Pack

_INSTRUCTORS_LINE = re.compile(r"^[ \t]*(?:#|misconceptions[ \t]*=).*\n?", re.MULTILINE)


def student_pack(exercises: Sequence[Exercise]) -> Pack:
    """Return what students get.

    Args:
        exercises: What they are to do.

    Raises:
        ExerciseError: A check is at fault, or needs what students do not get, or what it returns cannot be recorded.
        GraderError: A file cannot be read.
    """
    pack = {"README.md": Item(_welcome(exercises).encode())}
    for exercise in exercises:
        answers = _answers(exercise.public)
        copy = _public_files(exercise)
        with tempfile.TemporaryDirectory(prefix="grader-") as place:
            folder = Path(place).resolve() / "exercises" / exercise.id
            write_folder(copy, folder)
            copied = load_exercise(folder)
            recorded = _recorded(copied, answers)
            for name, item in recorded.items():
                (folder / name).write_bytes(item.data)
            _try_out(copied, recorded)
        pack |= {f"exercises/{exercise.id}/{name}": item for name, item in (copy | recorded).items()}
    return pack


def _public_files(exercise: Exercise) -> Pack:
    """The files of an exercise that are for students."""
    texts = {name: Item(read_file(exercise.folder / name)) for name in ("README.md", "starter.py")}
    checks = {
        path.relative_to(exercise.folder).as_posix(): Item(read_file(path))
        for path in files_below([exercise.folder / "checks"])
    }
    return {**texts, **checks, "exercise.toml": Item(_public_manifest(exercise))}


def _public_manifest(exercise: Exercise) -> bytes:
    """An exercise's `exercise.toml` without comments and without what is for instructors alone."""
    text = read_file(exercise.folder / "exercise.toml").decode("utf-8-sig").replace("\r\n", "\n")
    meant = tomllib.loads(text)
    meant["reference"].pop("misconceptions", None)
    public = _INSTRUCTORS_LINE.sub("", text)
    try:
        is_right = tomllib.loads(public) == meant
    except ValueError:
        is_right = False
    if not is_right:
        advice = "write misconceptions on a line of its own, and no line of a text that begins with #"
        raise ExerciseError(exercise.id, [f"exercise.toml cannot be cut down for students: {advice}"])
    return public.encode()


def _try_out(exercise: Exercise, recorded: Pack) -> None:
    """Make sure that a student's copy of an exercise works.

    Raises:
        ExerciseError: It lacks something that its checks need.
    """
    try:
        again = _recorded(exercise, _answers(exercise))
    except ExerciseError as error:
        mistakes = [f"in students' copies: {mistake}" for mistake in error.mistakes]
        raise ExerciseError(exercise.id, mistakes) from error
    if again != recorded:
        raise ExerciseError(exercise.id, ["in students' copies its checks have other cases; mend what they depend on"])


class _Answers(NamedTuple):
    """What the reference and wrong code answer to an exercise's checks, and how that comes about; see `Checks`."""

    right: dict[str, object]
    derivations: dict[str, Mapping[str, str]]
    wrong: dict[str, list[dict[str, Answer]]]


def _answers(exercise: Exercise) -> _Answers:
    def seed(check: Check) -> int:
        return public_seed(exercise.id, check.name)

    with Checks(exercise) as checks:
        return _Answers(checks.answers(seed), checks.derivations(seed), checks.wrong_answers(seed))


def _recorded(exercise: Exercise, answers: _Answers) -> Pack:
    """The files that record answers, beside the exercise's own."""
    return {
        frozen.FILE_NAME: Item(frozen.freeze(exercise, answers.right, answers.derivations)),
        frozen_ways.FILE_NAME: Item(frozen_ways.freeze(exercise, answers.right, answers.wrong)),
    }


def _welcome(exercises: Sequence[Exercise]) -> str:
    listed = "\n".join(f"- {exercise.title}: `grader start {exercise.id}`" for exercise in exercises)
    first = exercises[0]
    page = recipe("student-README.md").replace("EXERCISES", listed)
    return page.replace("FIRST", first.id).replace("SUBMIT", first.submit)
