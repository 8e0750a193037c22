"""What can go wrong on our side.

Anything a submission causes is a `Verdict`, never an exception. Everything here is a fault of the course, of the
machine or of the command line, and the command line alone turns it into a message and an exit status.

    GraderError
    ├── CourseError        no course where one was asked for, or no exercise of that name
    ├── ExerciseError      an exercise that cannot be used as it is: all its mistakes at once
    ├── SubmissionError    a path or file that cannot be read as what it was named for: submissions, a roster, results
    └── SandboxError       the sandbox itself failed, so nothing can be said of the student's work
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class GraderError(Exception):
    """A fault that is not the student's; its text says what is wrong, where, and the next step."""


class CourseError(GraderError):
    """There is no course where one was asked for, or it holds no exercise of that name."""


class ExerciseError(GraderError):
    """An exercise cannot be used as it is.

    Args:
        exercise: The exercise's id, or its path where it has none.
        mistakes: What is wrong, one sentence each, all that could be found.
    """

    def __init__(self, exercise: str, mistakes: Sequence[str]) -> None:
        super().__init__(exercise, mistakes)
        self.exercise = exercise
        self.mistakes = tuple(mistakes)

    def __str__(self) -> str:
        if len(self.mistakes) == 1:
            return f"{self.exercise}: {self.mistakes[0]}"
        return "\n".join([f"{self.exercise}: {len(self.mistakes)} mistakes", *(f"  - {m}" for m in self.mistakes)])


class SubmissionError(GraderError):
    """A path or file cannot be read as what it was named for: submissions, a roster, results, a platform's file."""


class SandboxError(GraderError):
    """The sandbox itself failed, so nothing can be said of the student's work."""
