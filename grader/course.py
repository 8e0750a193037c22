"""Courses: where the exercises are, and how the command line finds them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import CourseError, ExerciseError
from grader.exercise import Exercise, did_you_mean, load_exercise

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Course:
    """A folder that holds `exercises/` and `reference/`; lasts as long as the command that found it.

    Attributes:
        root: The folder, an absolute path.
    """

    root: Path

    def exercises(self) -> tuple[Exercise, ...]:
        """Loads every exercise: each folder under `exercises/` with an `exercise.toml`, sorted by id.

        Raises:
            CourseError: There is none.
            ExerciseError: At least one cannot be used as it is; holds the mistakes of all of them.
        """
        exercises: list[Exercise] = []
        mistakes: list[str] = []
        for name, has_manifest in self._folders().items():
            if not has_manifest:
                continue
            try:
                exercise = load_exercise(self.root / "exercises" / name)
            except ExerciseError as error:
                mistakes += [f"{name}: {mistake}" for mistake in error.mistakes]
                continue
            # A file that is handed in belongs to the exercise that asks for its name.
            rivals = [other.id for other in exercises if other.submit == exercise.submit]
            mistakes += [f"{name}: exercise.toml: submit is the same as in {other}; rename one" for other in rivals]
            exercises.append(exercise)
        if mistakes:
            raise ExerciseError("exercises", mistakes)
        if not exercises:
            raise CourseError(f"No folder in {self.root / 'exercises'} has an exercise.toml; write one.")
        return tuple(exercises)

    def passed_over(self) -> tuple[str, ...]:
        """Names the folders under `exercises/` that are no exercises, because they have no `exercise.toml`.

        Raises:
            CourseError: It cannot be read.
        """
        return tuple(name for name, has_manifest in self._folders().items() if not has_manifest)

    def exercise(self, name: str) -> Exercise:
        """Loads one exercise.

        Args:
            name: Its id.

        Raises:
            CourseError: There is none of this name.
            ExerciseError: It cannot be used as it is.
        """
        names = self._folders()
        if name not in names:
            advice = did_you_mean(name, names) or f"; there are: {', '.join(names) or 'none'}."
            raise CourseError(f"There is no exercise {name!r} in {self.root}{advice}")
        return load_exercise(self.root / "exercises" / name)

    def _folders(self) -> dict[str, bool]:
        """What can be an exercise, by name in order: whether it has an `exercise.toml`."""
        try:
            return {
                path.name: (path / "exercise.toml").exists()
                for path in sorted((self.root / "exercises").iterdir())
                if path.is_dir() and not path.name.startswith((".", "_"))
            }
        except OSError as error:
            raise CourseError(f"{error.filename} cannot be read ({error.strerror}); mend it.") from error


def find_course(asked: Path | None, environment: Mapping[str, str], start: Path) -> Course:
    """Finds the course that a command is about.

    Args:
        asked: The folder named on the command line, if one was.
        environment: The environment; `GRADER_COURSE` may name the folder.
        start: Where to look otherwise: here, then in each folder above.

    Raises:
        CourseError: The folder named is no course, or none was named and none found.
    """
    if asked is not None:
        return _named(asked, "--course")
    if environment.get("GRADER_COURSE"):
        return _named(Path(environment["GRADER_COURSE"]), "GRADER_COURSE")
    here = start.absolute()
    for folder in (here, *here.parents):
        if _has_exercises(folder):
            return Course(folder.resolve())
    advice = "go into one, or name it with --course or GRADER_COURSE"
    raise CourseError(f"Neither {here} nor a folder above it is a course, with a folder exercises/; {advice}.")


def _named(folder: Path, source: str) -> Course:
    if not _has_exercises(folder):
        raise CourseError(f"{source} names {folder}, which has no folder exercises/; name a course, which has one.")
    return Course(folder.resolve())


def _has_exercises(folder: Path) -> bool:
    try:
        return (folder / "exercises").is_dir()
    except OSError:  # no name a folder can have, or not ours to look into
        return False
