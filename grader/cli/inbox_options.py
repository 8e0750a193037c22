"""The options of every command that reads what students handed in."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.shared import FILE, options_as

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.course import Course
    from grader.exercise import Exercise
    from grader.inbox import Inbox

ARRIVED = click.Path(path_type=Path)
"""A folder or an archive of submissions."""

LAYOUTS = (
    *("plain", "blackboard", "canvas", "moodle", "moodle-flat", "gradescope"),
    *("github-classroom", "nbgrader", "brightspace"),
)
"""Names of the layouts, which `grader.inbox` has too, but takes its time to import."""


_ATTEMPTS = {"first": 1, "last": -1}


def _attempt(_context: click.Context, _option: click.Parameter, text: str) -> int:
    """The number of an attempt: 1 is the first, and -1 the last."""
    number = _ATTEMPTS.get(text, int(text) if re.fullmatch(r"[0-9]{1,6}", text) else 0)
    if not number:
        raise click.BadParameter(f"{text!r} is neither 'first' nor 'last' nor a number from 1 on.")
    return number


def _time(_context: click.Context, _option: click.Parameter, text: str | None) -> datetime | None:
    """A time, which is its last moment if it is a date."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no time such as 2026-03-01 or 2026-03-01T18:00+01:00.") from None
    is_date = len(text) <= len("2026-03-01")
    return datetime.combine(found, time.max) if is_date else found


@dataclass(frozen=True, slots=True)
class Asked:
    """What the options ask for; lasts as long as the command.

    Attributes:
        only: Ids of the exercises; none stands for all.
        students: Ids, names or aliases of the students; none stands for all.
        layout: Name of the layout; None if it is to be recognised.
        attempt: Which attempt counts; -1 is the last.
        due: What comes later is late.
        roster: The file that says who is in the class.
    """

    only: tuple[str, ...]
    students: tuple[str, ...]
    layout: str | None
    attempt: int
    due: datetime | None
    roster: Path | None

    def exercises(self, course: Course) -> tuple[Exercise, ...]:
        """Loads the exercises.

        Raises:
            CourseError: There is none of a name.
            ExerciseError: One cannot be used as it is.
        """
        if not self.only:
            return course.exercises()
        return tuple(course.exercise(name) for name in dict.fromkeys(self.only))

    def read(self, arrived: Path, exercises: Sequence[Exercise], course: Course) -> Inbox:
        """Reads what arrived for some exercises of a course.

        Raises:
            SubmissionError: It, or the roster, cannot be read or has nothing of what is asked for.
        """
        from grader.errors import ExerciseError  # noqa: PLC0415  # see shared
        from grader.inbox import InboxOptions, read_inbox  # noqa: PLC0415
        from grader.roster import read_roster  # noqa: PLC0415

        others: tuple[Exercise, ...] = ()
        with contextlib.suppress(ExerciseError):  # what is not asked for need not be sound
            others = tuple(each for each in course.exercises() if self.only and each.id not in self.only)
        options = InboxOptions(
            layout=self.layout or "",
            attempt=self.attempt,
            due=self.due,
            roster=read_roster(self.roster) if self.roster else None,
            students=self.students,
            others=others,
        )
        return read_inbox(arrived, exercises, options)


_OPTIONS = (
    click.option("--exercise", "only", multiple=True, metavar="ID", help="Only this exercise. May be repeated."),
    click.option(
        "--student",
        "students",
        multiple=True,
        metavar="ID",
        help="Only this student, by id, name or e-mail address. May be repeated.",
    ),
    click.option(
        "--layout", type=click.Choice(LAYOUTS), help="Whose export it is. [default: recognised by what lies in it]"
    ),
    click.option(
        "--attempt",
        callback=_attempt,
        default="last",
        show_default=True,
        metavar="[first|last|N]",
        help="Which of a student's attempts counts, of those that have a file for the exercise.",
    ),
    click.option(
        "--due",
        callback=_time,
        metavar="TIME",
        help="What came later is marked as late, where the platform tells when it came: 2026-03-01, or "
        "2026-03-01T18:00. A time without an offset is this machine's.",
    ),
    click.option(
        "--roster",
        type=FILE,
        metavar="FILE",
        help="The class list, a CSV file: students get its ids, and who handed in nothing is absent.",
    ),
)


inbox_options = options_as("asked", Asked, _OPTIONS)
"""Gives a command the options, whose values it gets as `asked`."""
