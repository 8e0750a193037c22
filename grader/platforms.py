"""One submission as an autograding platform hands it over: in a container of its own, with files that say whose it is.

    Gradescope     https://gradescope-autograders.readthedocs.io/en/latest/specs/#file-hierarchy
    PrairieLearn   https://docs.prairielearn.com/externalGrading/#the-grading-process

What is handed over is graded like one student's of a class. What the platform gets back is in `reports`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.batch import grade_all
from grader.batch.local import LocalExecutor, longest_seconds
from grader.errors import GraderError
from grader.inbox import read_one
from grader.roster import Person
from grader.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from grader.exercise import Exercise
    from grader.sandbox.kinds import SandboxChoice
    from grader.verdict import Absent, Outcome, Report, Ungraded

NOBODY = "nobody"
"""Whose a submission is where the platform does not say, as when an instructor tries a container out."""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What one student or group handed in; lasts until it is graded.

    Attributes:
        found: For each exercise what was found, in the order of the exercises.
        remarks: What the student should know of how it was read, one sentence each.
    """

    found: tuple[Submission | Absent | Ungraded, ...]
    remarks: tuple[str, ...]


def gradescope_people(metadata: Path) -> tuple[str, ...]:
    """Return the ids of those who handed in together, in order; of `submission_metadata.json` only this is read.

    https://gradescope-autograders.readthedocs.io/en/latest/submission_metadata/

    Raises:
        GraderError: It cannot be read, or names nobody.
    """
    try:
        ids = {int(user["id"]) for user in _read(metadata)["users"]}
    except (LookupError, TypeError, ValueError):
        ids = set()
    if not ids:
        raise GraderError(f"{metadata} does not say who handed in: it should have `users`, each with an `id`")
    return tuple(map(str, sorted(ids)))


def prairielearn_people(data: Path) -> tuple[str, ...]:
    """Return who stands for the student: PrairieLearn says which variant of the question it is, and not whose.

    Raises:
        GraderError: The file cannot be read, or names no variant.
    """
    try:
        return (f"variant {int(_read(data)['variant_seed'])}",)
    except (LookupError, TypeError, ValueError):
        raise GraderError(f"{data} does not say which variant it is: it should have a `variant_seed`") from None


def _read(path: Path) -> dict[str, Any]:
    """Read a file of the platform's own.

    Raises:
        GraderError: It cannot be read, or is no JSON object.
    """
    try:
        told = json.loads(path.read_bytes())
    except OSError as error:
        raise GraderError(f"{path} cannot be read ({error.strerror}); name the platform's file") from error
    except ValueError as error:
        raise GraderError(f"{path} is not JSON ({error}); name the platform's file") from error
    if not isinstance(told, dict):
        raise GraderError(f"{path} is no JSON object; name the platform's file")
    return told


def read_handed_in(folder: Path, exercises: Sequence[Exercise], people: Sequence[str]) -> HandedIn:
    """Read what was handed in.

    Args:
        folder: It holds the files.
        exercises: What is asked for.
        people: Whose it is: the ids of a student, or of the members of a group.
    """
    inbox = read_one(folder, [Person(each) for each in people], exercises)
    everything: list[Submission | Absent | Ungraded] = [*inbox.absent, *inbox.ungraded, *inbox.submissions]
    found = {each.exercise: each for each in everything if each.student == people[0]}
    notes = [note for origin in inbox.origins for note in origin.notes]
    ignored = [f"{each.path} {each.reason}." for each in inbox.ignored]
    return HandedIn(tuple(found[exercise.id] for exercise in exercises), (*notes, *ignored))


def not_handed_in(absent: Absent, exercise: Exercise) -> Submission:
    """Return what stands for a file that was not handed in, where every exercise must have a score: it has none."""
    return Submission(absent.student, exercise.id, exercise.submit, b"", "was not handed in")


def grade_handed_in(
    found: Sequence[Submission | Absent | Ungraded],
    exercises: Sequence[Exercise],
    sandbox: SandboxChoice,
    secret: bytes,
) -> list[Outcome]:
    """Grade what was handed in, one exercise after the other, and return what came of each.

    Args:
        found: What was found for the exercises, in their order.
        exercises: What it is for.
        sandbox: Where the student's code runs.
        secret: What hidden inputs are drawn from.
    """
    graded: dict[str, Report | Ungraded] = {}
    submissions = [each for each in found if isinstance(each, Submission)]
    if submissions:
        # What a worker leaves goes when the sandbox is closed.
        with sandbox.open(), LocalExecutor(exercises, sandbox, secret, jobs=1) as executor:
            grade_all(submissions, executor, lambda outcome: graded.update({outcome.exercise: outcome}))
    return [graded[each.exercise] if isinstance(each, Submission) else each for each in found]


def warn_of_time(exercises: Sequence[Exercise], seconds: float, platform: str) -> str:
    """Say what to do if the limits of all exercises together leave more time than a platform does; empty if not.

    Args:
        exercises: What a submission is graded for.
        seconds: What the platform allows.
        platform: Its name.
    """
    longest = sum(map(longest_seconds, exercises))
    if longest <= seconds:
        return ""
    return (
        f"Grading may take as long as {longest:.0f} s before every limit is reached, and {platform} stops it after "
        f"{seconds:g} s, which counts as a zero: allow more there and with --timeout, or lower the exercises' limits."
    )
