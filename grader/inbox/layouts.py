"""Layouts: the shapes in which submissions arrive, recognised by what lies in them, or named.

A layout is a name and a function that reads a folder as if it had that shape. What those functions, in `platforms` and
`gradescope`, say of a folder is compared here; `plain` takes what no other one recognises.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from grader.errors import SubmissionError
from grader.inbox.attempts import is_litter, litter, split, together
from grader.inbox.gradescope import gradescope
from grader.inbox.platforms import (
    blackboard,
    brightspace,
    canvas,
    github_classroom,
    moodle,
    moodle_flat,
    nbgrader,
    plain,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from grader.exercise import Exercise
    from grader.inbox.attempts import Reading
    from grader.intake import Folder, Ignored

_MOST_ENCLOSING = 4
"""How many folders are looked through that hold nothing but another one."""

_FITTING_FOR_A_MISFIT = 4
"""A layout is recognised where at least so many entries fit for each that does not."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A shape in which submissions arrive.

    Attributes:
        name: What the command line calls it.
        shape: What it looks like, as people write it.
        read: Reads a folder as if it had this shape.
    """

    name: str
    shape: str
    read: Callable[[Folder, Sequence[Exercise]], Reading]


LAYOUTS = (
    Layout("canvas", "<lastfirst>_[LATE_]<user id>_<submission id>_<file>", canvas),
    Layout("moodle", "<full name>_<participant id>_assignsubmission_file_/<file>", moodle),
    Layout("moodle-flat", "<full name>_<participant id>_assignsubmission_file_<file>", moodle_flat),
    Layout("gradescope", "submission_metadata.yml and <submission>/<file>", gradescope),
    Layout("github-classroom", "<assignment>-<login>/<file>", github_classroom),
    Layout("nbgrader", "submitted/<student>/<assignment>/<file> with timestamp.txt", nbgrader),
    Layout("blackboard", "<assignment>_<username>_attempt_<date>_<file>", blackboard),
    Layout("brightspace", "<id>-<id> - <name> - <date>/<file>", brightspace),
)
PLAIN = Layout("plain", "<student>/<file>, or <student>.py", plain)


@dataclass(frozen=True, slots=True)
class Recognised:
    """A folder of submissions whose layout is known.

    Attributes:
        layout: Its layout.
        why: How that is known, a sentence.
        reading: The folder as read in that layout.
    """

    layout: Layout
    why: str
    reading: Reading


def recognise(root: Folder, where: str, exercises: Sequence[Exercise], name: str = "") -> Recognised:
    """Finds out in which layout submissions arrived.

    Args:
        root: What arrived; folders that hold nothing but another one may enclose it.
        where: What errors call it.
        exercises: What is asked for.
        name: Of the layout, where it is known.

    Raises:
        SubmissionError: There is nothing of that layout, or of any.
        OSError: This machine refuses to look into it.
    """
    levels = _levels(root)
    found = _of_platform(levels, exercises, name) if name != PLAIN.name else None
    if found is None and name in {"", PLAIN.name}:
        found = _plain(levels, exercises)
    if found is None:
        shape = next(layout.shape for layout in LAYOUTS if layout.name == name)
        raise SubmissionError(f"Nothing in {where} looks like {name}: {shape}; leave out --layout, or name another.")
    if not found.reading.attempts:
        advice = "put the files of each student into a folder named for the student"
        raise SubmissionError(f"{where} holds no student's folder; {advice}.")
    return found


class _Level(NamedTuple):
    """A folder that may be the one of the submissions, without what systems left in it and around it."""

    folder: Folder
    left: list[Ignored]


def _levels(root: Folder) -> list[_Level]:
    """What arrived, and each folder that is all that lies in the one before."""
    levels: list[_Level] = []
    left: list[Ignored] = []
    pending = [root]
    while len(pending) == 1 and len(levels) < _MOST_ENCLOSING:
        level = pending.pop()
        try:
            inside = level.inside()
        except OSError:
            if level is root:
                raise
            break  # which will be told of the student it may be
        own = {name: entry for name, entry in inside.items() if not is_litter(name)}
        left = left + [litter(name) for name in inside if name not in own]
        levels.append(_Level(replace(together(own, level.path), name=level.name), left))
        folders, files = split(levels[-1].folder)
        pending = [] if files else [*folders.values()]
    return levels


def _of_platform(levels: Sequence[_Level], exercises: Sequence[Exercise], name: str) -> Recognised | None:
    """What is read in a layout other than `plain`: the one that is named, or else the first that fits."""
    layouts = [layout for layout in LAYOUTS if name in {"", layout.name}]
    readings = [[(layout, layout.read(level.folder, exercises)) for layout in layouts] for level in levels]
    for suffices in (_fits, _has_any) if name else (_fits,):
        for level, of_level in zip(levels, readings, strict=True):
            fitting = [(layout, reading) for layout, reading in of_level if suffices(reading)]
            if fitting:
                layout, reading = fitting[0]
                why = f"{_count(reading)} {layout.shape}"
                if len(fitting) > 1:
                    others = ", ".join(other.name for other, _ in fitting[1:])
                    why += f"; it could also be {others}, if --layout says so"
                return _recognised(layout, f"{'As --layout says: ' if name else ''}{why}.", reading, level)
    return None


def _plain(levels: Sequence[_Level], exercises: Sequence[Exercise]) -> Recognised:
    """What is read as `plain`."""
    level = _of_students(levels, exercises)
    reading = PLAIN.read(level.folder, exercises)
    return _recognised(PLAIN, f"It looks like no platform's; {_count(reading)} {PLAIN.shape}.", reading, level)


def _of_students(levels: Sequence[_Level], exercises: Sequence[Exercise]) -> _Level:
    """The level of what is named for students: one that holds files, or a folder of an exercise, is a student's own."""
    names = {exercise.id for exercise in exercises}
    for outer, inner in pairwise(levels):
        folders, files = split(inner.folder)
        is_same = inner.folder.name == outer.folder.name  # an archive that was packed with the folder it is named for
        encloses = folders and not files and not names & folders.keys()
        if not encloses and not (is_same and PLAIN.read(inner.folder, exercises).attempts):
            return outer
    return levels[-1]


def _recognised(layout: Layout, why: str, reading: Reading, level: _Level) -> Recognised:
    return Recognised(layout, why, replace(reading, ignored=[*reading.ignored, *level.left]))


def _fits(reading: Reading) -> bool:
    return reading.fitting > 0 and reading.fitting >= _FITTING_FOR_A_MISFIT * reading.misfits


def _has_any(reading: Reading) -> bool:
    return bool(reading.attempts)


def _count(reading: Reading) -> str:
    return f"{reading.fitting} of {reading.fitting + reading.misfits} entries are"
