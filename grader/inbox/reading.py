"""Reading: from what arrived to who handed in what, who did not, and what is ignored."""

from __future__ import annotations

import itertools
import unicodedata
from collections import Counter, defaultdict
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from grader.errors import SubmissionError
from grader.exercise import did_you_mean
from grader.inbox.archives import Allowance, Archive, open_archive, stem_of_archive
from grader.inbox.attempts import Attempt
from grader.inbox.layouts import LAYOUTS, PLAIN, recognise
from grader.inbox.matching import UNCHANGED, allowance_of_a_student, match
from grader.inbox.spool import Kept, Spool, Submissions
from grader.intake import Ignored, ProblemError, folder_on_disk, written
from grader.submission import make_submission
from grader.verdict import Absent, Ungraded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from grader.exercise import Exercise
    from grader.roster import Kind, Person, Roster

LAST = -1
"""The attempt that counts unless another one is asked for."""

LAYOUT_NAMES = tuple(layout.name for layout in (PLAIN, *LAYOUTS))


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxOptions:
    """How an inbox is to be read; lasts as long as the command.

    Attributes:
        layout: Name of the layout; empty if it is to be recognised.
        attempt: Which of a student's attempts counts, of those that have a file for the exercise: 1 is the first.
        due: What comes later is late; a time without an offset is this machine's.
        roster: Who is in the class.
        students: Only these, where any are given: ids, names or aliases, in any Unicode form.
        others: Exercises that are not asked for: their files are not taken for those of others.
    """

    layout: str = ""
    attempt: int = LAST
    due: datetime | None = None
    roster: Roster | None = None
    students: tuple[str, ...] = ()
    others: tuple[Exercise, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a submission comes from.

    Attributes:
        path: Where its file lies in what arrived.
        attempt: Which of the student's attempts it is; 1 is the first.
        attempts: How many there are.
        late: Whether it came too late; None where that is not known.
        doubt: Why the file may not be what was meant, to be read after its path; empty where there is no doubt.
    """

    path: str
    attempt: int
    attempts: int
    late: bool | None
    doubt: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What the student should know of it, a sentence each."""
        doubt = f"{self.path.rpartition('/')[2]} {self.doubt}." if self.doubt else ""
        late = "This was handed in late." if self.late else ""
        return tuple(note for note in (doubt, late) if note)


@dataclass(frozen=True, slots=True)
class Inbox:
    """All that arrived, read once; lasts as long as the command that reads it.

    Every student is the student or a partner of one of `submissions`, or in `absent` or `ungraded`, once for every
    exercise: in the order of the students' ids, then of the exercises.

    Attributes:
        layout: Name of the layout in which it was read.
        why: How the layout is known, a sentence.
        people: Everybody who handed in or is on the roster, in the order of their ids.
        strangers: The ids of those who are not on the roster, where there is one.
        submissions: What students handed in, read from the spool one by one.
        origins: Where each of the submissions comes from.
        absent: What students did not hand in.
        ungraded: What this machine refuses to read, be it a file or all that a student handed in.
        ignored: All else, in the order of the paths.
        unused: Where all that lies which students handed in of whom nothing is used, by the students' ids.
        remarks: What is to be said of it as a whole, a sentence each.
    """

    layout: str
    why: str
    people: tuple[Person, ...]
    strangers: tuple[str, ...]
    submissions: Submissions
    origins: tuple[Origin, ...]
    absent: tuple[Absent, ...]
    ungraded: tuple[Ungraded, ...]
    ignored: tuple[Ignored, ...]
    unused: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def read_inbox(path: Path, exercises: Sequence[Exercise], options: InboxOptions | None = None) -> Inbox:
    """Reads all that arrived.

    Args:
        path: A folder or an archive.
        exercises: What is asked for.
        options: How to read it.

    Raises:
        SubmissionError: It cannot be read, holds no student, or none of a name that was given.
    """
    options = options or InboxOptions()
    where = written(str(path))
    try:
        with _arrived(path) as arrived:
            found = recognise(arrived.root, where, exercises, options.layout)
            community = _community(found.reading.attempts, options.roster, found.layout.kinds)
            found = replace(found, reading=replace(found.reading, attempts=()))  # which are let go one by one
            students = _only(options.students, community.people) if options.students else community.people
            sorting = _Sorting(exercises, options)
            for student in sorted(students):
                sorting.add(student, community.attempts.pop(student, []))
    except OSError as error:
        advice = "name the folder or the archive of the submissions"
        raise SubmissionError(f"{where} cannot be read ({error.strerror}); {advice}.") from error
    return sorting.inbox(
        layout=found.layout.name,
        why=found.why,
        people=[community.people[student] for student in sorted(students)],
        strangers=sorted(community.strangers & students.keys()),
        beside=[] if options.students else [*arrived.ignored, *found.reading.ignored],
        remark=found.remark,
    )


def read_one(folder: Path, people: Sequence[Person], exercises: Sequence[Exercise]) -> Inbox:
    """Reads what one student, or one group, handed in at one time, and nothing else.

    Args:
        folder: It holds the files.
        people: Who handed it in.
        exercises: What is asked for.
    """
    sorting = _Sorting(exercises, InboxOptions())
    attempt = Attempt(tuple(people), folder_on_disk(folder))
    for person in people:
        sorting.add(person.id, [attempt])
    return sorting.inbox(layout="", why="It is what one student or group handed in.", people=people)


@contextmanager
def _arrived(path: Path) -> Iterator[Archive]:
    """What arrived, be it a folder or an archive; closed in the end."""
    if not path.is_file():
        yield Archive(folder_on_disk(path), ())
        return
    allowance = Allowance(entries=100_000, unpacked_bytes=2 << 30, seconds=600)
    try:
        with path.open("rb") as source, open_archive(source, "", allowance) as archive:
            yield replace(archive, root=replace(archive.root, name=stem_of_archive(path.name)))
    except ProblemError as problem:
        advice = "name the folder or the archive of the submissions"
        raise SubmissionError(f"{written(str(path))} {problem}; {advice}.") from problem


def _counted(ignored: Iterable[Ignored]) -> tuple[Ignored, ...]:
    """Each once, and how often it was there."""
    counts = Counter(ignored)
    return tuple(
        sorted(
            replace(each, reason=f"{each.reason}, {times} times") if times > 1 else each
            for each, times in counts.items()
        )
    )


# --------------------------------------------------------------------------------------------------------------------
# Who is who


@dataclass(frozen=True, slots=True)
class _Community:
    """Who is in the class.

    Attributes:
        people: Everybody, by id.
        strangers: The ids of those who are not on the roster.
        attempts: What each of them handed in, by id, in the order in which it came.
    """

    people: dict[str, Person]
    strangers: set[str]
    attempts: dict[str, list[Attempt]]


def _community(attempts: Iterable[Attempt], roster: Roster | None, kinds: Collection[Kind]) -> _Community:
    people = {person.id: person for person in roster or ()}
    strangers: set[str] = set()
    theirs: defaultdict[str, list[Attempt]] = defaultdict(list)
    for attempt in sorted(attempts, key=lambda attempt: attempt.order):
        known = {person: _known(roster, person, kinds) if roster else (person, "") for person in attempt.people}
        doubts = {attempt.doubt, *(doubt for _, doubt in known.values())} - {""}
        doubtful = replace(attempt, doubt=" and ".join(sorted(doubts))) if doubts else attempt
        for person, (member, _) in known.items():
            student = member.id
            if roster and student not in people:
                strangers.add(student)
            people.setdefault(student, member)
            if not people[student].name:
                people[student] = replace(people[student], name=person.name)
            if doubtful not in theirs[student][-1:]:
                theirs[student].append(doubtful)
    return _Community(people, strangers, theirs)


def _known(roster: Roster, person: Person, kinds: Collection[Kind]) -> tuple[Person, str]:
    """Whom of the roster any identifier of a person means, or else the person; and why that is doubtful, if it is."""
    doubt = ""
    for identifier in (person.id, *sorted(person.aliases)):
        meant = roster.meant(identifier, kinds)
        if len(meant) > 1:
            others = " and ".join(each.id for each in meant)
            doubt = f"may be of any of {others}, all of whom {roster.source} calls {identifier}"
        if len(meant) == 1 or (meant and meant[0].id == identifier):
            return meant[0], doubt
    is_taken = any(each.id == person.id for each in roster)
    return (replace(person, id=f"{person.id} (not on the roster)") if is_taken else person), doubt


def _only(asked: Iterable[str], people: Mapping[str, Person]) -> dict[str, Person]:
    """Some of the students. A name stands for everybody of this id, name or alias, in whatever Unicode form."""
    chosen: dict[str, Person] = {}
    for each in asked:
        name = unicodedata.normalize("NFC", written(each))
        named = {student: person for student, person in people.items() if name in _names(person)}
        if not named:
            raise SubmissionError(f"There is no student {name!r}{did_you_mean(name, people) or '.'}")
        chosen |= named
    return chosen


def _names(person: Person) -> set[str]:
    return {unicodedata.normalize("NFC", name) for name in (person.id, person.name, *person.aliases)} - {""}


# --------------------------------------------------------------------------------------------------------------------
# Who handed in what


@dataclass(frozen=True, slots=True)
class _Found:
    """What an attempt has for an exercise: a submission, which is nobody's yet, or why there is none to be read."""

    submission: Kept | None
    path: str = ""
    doubt: str = ""
    unread: str = ""


@dataclass(frozen=True, slots=True)
class _Look:
    """What an attempt has for each exercise, by the exercises' ids; and where all lies of one that has nothing."""

    found: Mapping[str, _Found]
    unfit: Sequence[str]


class _Sorting:
    """What students handed in, sorted; lasts as long as the reading. An attempt is looked at once, if need be."""

    def __init__(self, exercises: Sequence[Exercise], options: InboxOptions) -> None:
        self._absent: list[Absent] = []
        self._ungraded: list[Ungraded] = []
        self._ignored: list[Ignored] = []
        self._exercises = exercises
        self._options = options
        self._spool = Spool()
        self._unused: dict[str, tuple[str, ...]] = {}
        self._timeless: set[int] = set()
        self._looked_at: dict[Attempt, _Look] = {}
        self._taken: dict[int, tuple[Kept, Origin, list[str]]] = {}

    def add(self, student: str, attempts: Sequence[Attempt]) -> None:
        """Finds out what a student handed in for each exercise."""
        allowance = allowance_of_a_student()
        picks = {exercise.id: self._pick(attempts, exercise.id, allowance) for exercise in self._exercises}
        unfit = [path for attempt in attempts if attempt in self._looked_at for path in self._looked_at[attempt].unfit]
        if unfit and not any(picks.values()):
            self._unused[student] = tuple(unfit)
        for exercise in self._exercises:
            picked = picks[exercise.id]
            if picked is None:
                self._absent.append(Absent(student, exercise.id))
                continue
            number, found = picked
            if found.submission is None:
                self._ungraded.append(Ungraded(student, exercise.id, found.unread))
                continue
            attempt = attempts[number]
            origin = Origin(found.path, number + 1, len(attempts), self._is_late(attempt), found.doubt)
            place = found.submission.place  # the same for all who handed it in together
            self._taken.setdefault(place, (found.submission, origin, []))[2].append(student)
            if attempt.time is None:
                self._timeless.add(place)
        for attempt in attempts:
            if len(attempt.people) == 1:
                self._looked_at.pop(attempt, None)

    def inbox(
        self,
        layout: str,
        why: str,
        people: Iterable[Person],
        strangers: Iterable[str] = (),
        beside: Iterable[Ignored] = (),
        remark: str = "",
    ) -> Inbox:
        """What was found: what several students handed in together comes once, under the first of their ids."""
        return Inbox(
            layout=layout,
            why=why,
            people=tuple(people),
            strangers=tuple(strangers),
            submissions=Submissions(
                replace(submission, student=student, partners=tuple(partners))
                for submission, _, (student, *partners) in self._taken.values()
            ),
            origins=tuple(origin for _, origin, _ in self._taken.values()),
            absent=tuple(self._absent),
            ungraded=tuple(self._ungraded),
            ignored=_counted([*beside, *self._ignored]),
            unused=self._unused,
            remarks=tuple(filter(None, (remark, self._timeless_remark()))),
        )

    def _timeless_remark(self) -> str:
        count = len(self._timeless) if self._options.due else 0
        what, them = ("1 submission", "it") if count == 1 else (f"{count} submissions", "them")
        return f"When it came is not known for {what}, so --due says nothing of {them}." if count else ""

    def _pick(self, attempts: Sequence[Attempt], exercise: str, allowance: Allowance) -> tuple[int, _Found] | None:
        """Which of a student's attempts counts for an exercise, and what it has for it."""
        wanted = self._options.attempt
        numbers = range(len(attempts))
        having = (
            (number, found)
            for number in (reversed(numbers) if wanted == LAST else numbers)
            if (found := self._look(attempts[number], allowance).found.get(exercise))
        )
        return next(itertools.islice(having, max(wanted - 1, 0), None), None)

    def _look(self, attempt: Attempt, allowance: Allowance) -> _Look:
        if attempt not in self._looked_at:
            with ExitStack() as stack:
                self._looked_at[attempt] = self._new_look(attempt, allowance, stack)
        return self._looked_at[attempt]

    def _new_look(self, attempt: Attempt, allowance: Allowance, stack: ExitStack) -> _Look:
        matched = match(attempt.contents, self._exercises, self._options.others, allowance, stack)
        found: dict[str, _Found] = {}
        used: set[str] = set()
        not_imported: dict[str, str] = {}
        for exercise in self._exercises:
            choice = matched.chosen.get(exercise.id)
            if choice is None:
                if matched.unread:
                    found[exercise.id] = _Found(None, unread=matched.unread)
                continue
            try:
                submission, left_out = make_submission("", exercise, choice.file, choice.beside)
            except OSError as error:
                unread = f"{written(choice.file.name)} cannot be read: {error.strerror}."
                found[exercise.id] = _Found(None, unread=unread)
                continue
            doubts = [
                attempt.doubt,
                choice.doubt,
                UNCHANGED if submission.source and exercise.is_starter(submission.source) else "",
            ]
            kept = self._spool.keep(submission)
            found[exercise.id] = _Found(kept, choice.file.path, " and ".join(filter(None, doubts)))
            used.update(choice.beside[part.name].path for part in submission.siblings)
            not_imported |= {choice.beside[name].path: reason for name, reason in left_out.items()}
        self._ignored += [Ignored(path, reason) for path, reason in not_imported.items()]
        others = matched.others(used | not_imported.keys())
        self._ignored += [*matched.ignored, *matched.unwanted, *others]
        return _Look(found, () if matched.chosen else [each.path for each in others])

    def _is_late(self, attempt: Attempt) -> bool | None:
        due = self._options.due
        if attempt.late is not None or attempt.time is None or due is None:
            return attempt.late
        return attempt.time.astimezone() > due.astimezone()
