"""Layouts: the shapes in which submissions arrive, recognised by what lies in them, or named.

A layout is a name and a function that reads a folder as if it had that shape. What those functions, in `platforms` and
`gradescope`, say of a folder is compared here; `plain` takes what no other one recognises.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from grader.errors import SubmissionError
from grader.inbox.archives import stem_of_archive
from grader.inbox.attempts import is_litter, split, together
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
from grader.roster import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from grader.exercise import Exercise
    from grader.inbox.attempts import Attempt, Reading
    from grader.intake import Folder

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
        kinds: The kinds of identifiers by which it knows students, where those are known.
    """

    name: str
    shape: str
    read: Callable[[Folder, Sequence[Exercise]], Reading]
    kinds: frozenset[Kind] = frozenset()


LAYOUTS = (
    Layout("blackboard", "<assignment>_<username>_attempt_<date>_<file>", blackboard),
    Layout("canvas", "<lastfirst>_[LATE_]<user id>_<submission id>_<file>", canvas, frozenset({Kind.CANVAS})),
    Layout("moodle", "<full name>_<participant id>_assignsubmission_file_/<file>", moodle, frozenset({Kind.MOODLE})),
    Layout(
        "moodle-flat",
        "<full name>_<participant id>_assignsubmission_file_<file>",
        moodle_flat,
        frozenset({Kind.MOODLE}),
    ),
    Layout(
        "gradescope",
        "submission_metadata.yml and <submission>/<file>",
        gradescope,
        frozenset({Kind.NUMBER, Kind.EMAIL}),
    ),
    Layout("github-classroom", "<assignment>-<login>/<file>", github_classroom, frozenset({Kind.GITHUB})),
    Layout("nbgrader", "submitted/<student>/<assignment>/<file> with timestamp.txt", nbgrader),
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
        remark: What may be wrong with it, a sentence; usually empty.
    """

    layout: Layout
    why: str
    reading: Reading
    remark: str = ""


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
        found = _plain(levels, where, exercises)
    if found is None:
        shape = next(layout.shape for layout in LAYOUTS if layout.name == name)
        raise SubmissionError(f"Nothing in {where} looks like {name}: {shape}; leave out --layout, or name another.")
    if not found.reading.attempts:
        advice = "put the files of each student into a folder named for the student"
        raise SubmissionError(f"{where} holds no student's folder; {advice}.")
    return replace(found, reading=replace(found.reading, attempts=_with_doubts(found.reading.attempts)))


def _with_doubts(attempts: Sequence[Attempt]) -> list[Attempt]:
    """What was handed in, with a doubt where one student comes under several names."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    for attempt in attempts:
        for person in attempt.people:
            names[person.id] |= {person.name} - {""}

    def doubt(attempt: Attempt) -> str:
        several = [who.id for who in attempt.people if len(names[who.id]) > 1]
        others = [f"may be somebody else's, as {who} is called {' and '.join(sorted(names[who]))}" for who in several]
        return " and ".join(filter(None, [attempt.doubt, *others]))

    return [replace(attempt, doubt=doubt(attempt)) for attempt in attempts]


def _levels(root: Folder) -> list[Folder]:
    """What arrived, and each folder that is all that lies in the one before, without what systems left in them."""
    levels: list[Folder] = []
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
        levels.append(replace(together(own, level.path), name=level.name))
        folders, files = split(levels[-1])
        pending = [] if files else [*folders.values()]
    return levels


def _of_platform(levels: Sequence[Folder], exercises: Sequence[Exercise], name: str) -> Recognised | None:
    """What is read in a layout other than `plain`: the one that is named, or else the first that fits."""
    layouts = [layout for layout in LAYOUTS if name in {"", layout.name}]
    readings = [[(layout, layout.read(level, exercises)) for layout in layouts] for level in levels]
    for suffices in (_fits, _has_any) if name else (_fits,):
        for of_level in readings:
            fitting = [(layout, reading) for layout, reading in of_level if suffices(reading)]
            if fitting:
                layout, reading = fitting[0]
                why = f"{_count(reading)} {layout.shape}"
                if len(fitting) > 1:
                    others = ", ".join(other.name for other, _ in fitting[1:])
                    why += f"; it could also be {others}, if --layout says so"
                return Recognised(layout, f"{'As --layout says: ' if name else ''}{why}.", reading)
    return None


def _plain(levels: Sequence[Folder], where: str, exercises: Sequence[Exercise]) -> Recognised:
    """What is read as `plain`."""
    reading = PLAIN.read(_of_students(levels, exercises), exercises)
    why = f"It looks like no platform's; {_count(reading)} {PLAIN.shape}."
    archives = sum(bool(stem_of_archive(each.path)) for each in reading.ignored)
    remark = ""
    if archives and reading.fitting <= reading.misfits:
        held = f"{archives} archives; if one of them is" if archives > 1 else "an archive; if that is"
        remark = f"{where} holds {held} what was handed in, name it."
    return Recognised(PLAIN, why, reading, remark)


def _of_students(levels: Sequence[Folder], exercises: Sequence[Exercise]) -> Folder:
    """The level of what is named for students: one that holds files, or a folder of an exercise, is a student's own."""
    names = {exercise.id for exercise in exercises}
    for outer, inner in pairwise(levels):
        folders, files = split(inner)
        is_same = inner.name == outer.name  # an archive that was packed with the folder it is named for
        encloses = folders and not files and not names & folders.keys()
        if not encloses and not (is_same and PLAIN.read(inner, exercises).attempts):
            return outer
    return levels[-1]


def _fits(reading: Reading) -> bool:
    return reading.fitting > 0 and reading.fitting >= _FITTING_FOR_A_MISFIT * reading.misfits


def _has_any(reading: Reading) -> bool:
    return bool(reading.attempts)


def _count(reading: Reading) -> str:
    return f"{reading.fitting} of {reading.fitting + reading.misfits} entries are"
