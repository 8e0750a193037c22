"""What arrived, as text of a given width for the terminal: who handed in what, and what to look at before grading."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Column
from rich.text import Text

from grader.reports import class_list
from grader.reports.terminal import NARROWEST, folded, render, table_of
from grader.reports.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.console import RenderableType

    from grader.exercise import Exercise
    from grader.inbox import Inbox, Origin
    from grader.submission import Submission

_MOST_NAMED = 5
"""How many files are named of what a student handed in and nothing is done with."""


def inbox_screen(inbox: Inbox, exercises: Sequence[Exercise], *, width: int = 80, colour: bool = False) -> str:
    """Shows all of an inbox: its layout, who handed in what, what is absent, and all that is out of the ordinary."""
    parts = [
        *_handed_in(inbox, max(width, NARROWEST)),
        *_absent(inbox, exercises),
        *_remarks(inbox),
        _counts(inbox),
    ]
    return render(parts, width, colour=colour)


def inbox_remarks(inbox: Inbox, *, width: int = 80, colour: bool = False) -> str:
    """Shows what is out of the ordinary in an inbox; nothing, where nothing is."""
    return render(_remarks(inbox), width, colour=colour)


def _handed_in(inbox: Inbox, width: int) -> Iterator[RenderableType]:
    yield folded(f"Layout: {inbox.layout}. {one_line(inbox.why)}")
    yield Text()
    called = _called(inbox)
    columns = [Column(Text(heading), overflow="fold") for heading in ("student", "exercise", "file", "remarks")]
    # A name has no spaces to be folded at, so the others are, where it leaves them half of the screen.
    columns[2].no_wrap = max((cell_len(file) for _, _, file in _named(inbox)), default=0) <= width // 2
    table = table_of(*columns, padding=1)
    for submission, origin, file in _named(inbox):
        who = "\n".join(map(called, submission.students))
        cells = (who, one_line(submission.exercise), file, ", ".join(_remarks_on(submission, origin)))
        table.add_row(*map(folded, cells))
    yield table
    yield Text()


def _called(inbox: Inbox) -> Callable[[str], str]:
    """What a student is called: the id, and the name where it says more."""
    names = {person.id: person.name for person in inbox.people if person.name}
    return lambda student: one_line(class_list.called(student, names))


def _named(inbox: Inbox) -> Iterator[tuple[Submission, Origin, str]]:
    """Each submission with what its file is called: its name, or its path where the student has two of that name."""
    pairs = zip(inbox.submissions, inbox.origins, strict=True)
    for _, group in itertools.groupby(pairs, lambda pair: pair[0].student):
        theirs = list(group)
        names = Counter(_name(path) for path in {origin.path for _, origin in theirs})
        for submission, origin in theirs:
            name = _name(origin.path)
            yield submission, origin, one_line(origin.path if names[name] > 1 else name)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _remarks_on(submission: Submission, origin: Origin) -> Iterator[str]:
    if origin.attempts > 1:
        yield f"attempt {origin.attempt} of {origin.attempts}"
    if origin.late:
        yield "late"
    if origin.doubt:
        yield "doubtful"
    if submission.problem:
        yield "cannot be run"


def _absent(inbox: Inbox, exercises: Sequence[Exercise]) -> Iterator[RenderableType]:
    """Who is absent from all exercises, then from each of them."""
    called = _called(inbox)
    missed: defaultdict[str, set[str]] = defaultdict(set)
    for absent in inbox.absent:
        missed[called(absent.student)].add(absent.exercise)
    nothing = [student for student, missing in missed.items() if len(missing) == len(exercises)]
    lines = {"everything": nothing} if len(exercises) > 1 else {}
    for exercise in exercises:
        students = [student for student, missing in missed.items() if exercise.id in missing]
        lines[exercise.id] = [student for student in students if len(exercises) == 1 or student not in nothing]
    listed = (one_line(f"{what}: {', '.join(students)}") for what, students in lines.items() if students)
    yield from _section("Absent from", listed)


def _remarks(inbox: Inbox) -> Iterator[RenderableType]:
    called = _called(inbox)
    doubtful, problems = [], []
    for submission, origin, file in _named(inbox):
        who = ", ".join(map(called, submission.students))
        if origin.doubt:
            doubtful.append(f"{who}: {file} {one_line(origin.doubt)}")
        if submission.problem:
            problems.append(f"{who}: {file} {one_line(submission.problem)}")
    ungraded = (one_line(f"{called(each.student)}, {each.exercise}: {each.reason}") for each in inbox.ungraded)
    yield from _section("The inbox:", map(one_line, inbox.remarks))
    yield from _section("Not on the roster, but in the inbox:", map(called, inbox.strangers))
    yield from _section("Doubtful, but used:", doubtful)
    yield from _section("Cannot be run, so that no check passes:", problems)
    yield from _section("Cannot be read by this machine, so that it stays ungraded:", ungraded)
    yield from _section("Absent, though something was handed in:", _unused(inbox, called))
    yield from _section("Ignored:", _ignored(inbox))


def _unused(inbox: Inbox, called: Callable[[str], str]) -> Iterator[str]:
    """What those handed in of whom nothing is used, and for which exercises that is nothing."""
    for student, paths in inbox.unused.items():
        exercises = " or ".join(absent.exercise for absent in inbox.absent if absent.student == student)
        names = [_name(path) for path in paths[:_MOST_NAMED]]
        if more := len(paths) - len(names):
            names.append(f"and {more} more")
        what = f"handed in, but nothing of it is for {exercises}: {', '.join(names)}"
        yield f"{called(student)}: {one_line(what)}"


def _ignored(inbox: Inbox) -> Iterator[str]:
    """What is ignored; what many students have is said once."""
    places: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for ignored in inbox.ignored:
        places[_name(ignored.path), ignored.reason].append(ignored.path)
    for (name, reason), paths in places.items():
        place = paths[0] if len(paths) == 1 else f"{name} ({len(paths)} of them)"
        yield one_line(f"{place}: {reason}")


def _section(heading: str, lines: Iterable[str]) -> Iterator[RenderableType]:
    listed = [*lines]
    if listed:
        yield Text(heading, "bold")
        for line in listed:
            yield Padding(folded(line), (0, 0, 0, 2))
        yield Text()


def _counts(inbox: Inbox) -> Text:
    handed_in = sum(len(submission.students) for submission in inbox.submissions)
    return Text(
        f"Students: {len(inbox.people)}. Handed in: {handed_in}, ungraded: {len(inbox.ungraded)}, "
        f"absent: {len(inbox.absent)}."
    )
