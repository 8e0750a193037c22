"""The class list: who is in the class, and under which names each platform knows them.

    student,name,email,github
    ada,Ada Lovelace,ada@example.org,adal

One column says who a student is; every other one but those of names and groups holds a further identifier, an
*alias*. A gradebook exported from Canvas and a grading worksheet of Moodle will do as they are.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from grader.errors import SubmissionError
from grader.sheet import read_sheet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from grader.sheet import Row, Sheet

_MOST_MIB = 10

_IDS = (
    *("student", "id", "identifier", "student id", "canvas id", "user id", "sid", "moodle"),
    *("sis user id", "sis id", "sis login id", "login", "username", "user name", "github", "github username", "email"),
)
"""The columns that say who a student is; the first that there is counts."""


class Kind(enum.Enum):
    """What gave an identifier: one of one kind says nothing of the same characters in another."""

    CANVAS = enum.auto()
    MOODLE = enum.auto()
    GITHUB = enum.auto()
    EMAIL = enum.auto()
    LOGIN = enum.auto()
    NUMBER = enum.auto()


_KINDS = {
    **dict.fromkeys(("canvas id", "canvas", "canvas user id", "user id"), Kind.CANVAS),
    **dict.fromkeys(("moodle", "moodle id", "participant", "participant id"), Kind.MOODLE),
    **dict.fromkeys(("github", "github username", "github login", "github id"), Kind.GITHUB),
    **dict.fromkeys(("email", "e-mail", "mail", "email address"), Kind.EMAIL),
    **dict.fromkeys(("sis login id", "login", "login id", "username", "user name"), Kind.LOGIN),
    **dict.fromkeys(("sid", "sis user id", "sis id", "student id", "id number", "integration id"), Kind.NUMBER),
}
"""The kinds of columns; those of any other name, such as `student` or `id`, may hold what they like."""

_NAMES = ("name", "full name")
_FIRST_NAMES = ("first name", "firstname")
_LAST_NAMES = ("last name", "lastname", "surname")

_CANVAS_ALIASES = {"sis user id", "sis login id", "integration id"}
_MOODLE_ALIASES = {"email address", "id number", "username"}
"""What identifies somebody in a platform's file; its other columns hold scores, dates and comments."""

_SHARED = {*_NAMES, *_FIRST_NAMES, *_LAST_NAMES, "section", "group", "groups", "team", "role", "status"}
"""Columns of any other roster that do not identify anybody."""

_Index: TypeAlias = "dict[str, list[int]]"

_PARTICIPANT = re.compile(r"Participant ([0-9]+)")
"""How Moodle's worksheet writes a participant's id (`hiddenuser` in its language file of mod_assign)."""

_NO_STUDENT = re.compile(r"\s*(?:Points Possible|Muted|Manual Posting.*)?\s*")
"""How the rows of a Canvas gradebook begin that are about assignments; the name's cell may also be empty."""

_NOBODY = {"Student, Test", "Test Student"}
"""What a Canvas gradebook calls the student that Canvas makes for whoever looks at a course as students see it."""


@dataclass(frozen=True, slots=True)
class Person:
    """A student of the class; lasts as long as the roster.

    Attributes:
        id: The student's id.
        name: What people call the student; may be empty, and need not be the student's alone.
        aliases: Further identifiers, such as a login or an e-mail address; none of them is the id.
    """

    id: str
    name: str = ""
    aliases: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Roster:
    """A class, in the order of its file.

    Attributes:
        source: What errors call it: its path.
        people: The students; each id is there once.
        lines: On which line of the file each of them is.
        columns: What each column says that identifies people, as far as is known: its kind, None where it has none,
            and each person's identifier; an empty one is none.
    """

    source: str
    people: tuple[Person, ...]
    lines: tuple[int, ...]
    columns: tuple[tuple[Kind | None, tuple[str, ...]], ...] = ()
    _indexes: dict[frozenset[Kind], tuple[_Index, _Index]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_indexes", {})

    def __iter__(self) -> Iterator[Person]:
        return iter(self.people)

    def __len__(self) -> int:
        return len(self.people)

    def find(self, identifier: str) -> Person | None:
        """Finds whom an identifier means.

        It is somebody's id, else an alias, else either of them but for capitals and Unicode form.

        Raises:
            SubmissionError: It may mean several people.
        """
        meant = self.meant(identifier)
        if len(meant) > 1 and meant[0].id != identifier:
            lines = " and ".join(str(self.lines[self.people.index(person)]) for person in meant)
            raise SubmissionError(
                f"{self.source}: {identifier!r} may mean the students on lines {lines}; give each an identifier "
                "that is nobody else's."
            )
        return meant[0] if meant else None

    def meant(self, identifier: str, kinds: Collection[Kind] = ()) -> tuple[Person, ...]:
        """Everybody whom an identifier may mean, first the one whose id it is.

        Capitals and Unicode form matter where somebody has it as it is.

        Args:
            identifier: The identifier.
            kinds: What it may be; anything, if there are none. Columns of another kind do not count, nor do those that
                may hold anything, unless one for a kind is missing: students choose what they are called on one
                platform, and may choose what somebody else is called on another.
        """
        exact, folded = self._index(frozenset(kinds))
        places = exact.get(identifier) or folded.get(fold(identifier), [])
        people = [self.people[place] for place in places]
        return tuple(sorted(people, key=lambda person: person.id != identifier))

    def called(self, person: Person, kinds: Sequence[Kind]) -> frozenset[str]:
        """What somebody of the class is called by the first of some kinds.

        Where that is not known, it may be an identifier of the other kinds, or of a column that may hold anything.
        """
        if not self.columns:
            return person.aliases | {person.id}
        place = self.people.index(person)
        of_first = {names[place] for kind, names in self.columns if kind in kinds[:1]} - {""}
        others = {names[place] for kind, names in self.columns if kind in {None, *kinds[1:]}} - {""}
        return frozenset(of_first or others)

    def _index(self, kinds: frozenset[Kind]) -> tuple[_Index, _Index]:
        """The places of people by their identifiers of some kinds: as they are, and folded."""
        if kinds not in self._indexes:
            known = {kind for kind, _ in self.columns}
            counting = kinds if kinds <= known else {None, *kinds}
            names: list[set[str]] = [{person.id, *person.aliases} for person in self.people]
            if kinds and self.columns:
                columns = [each for kind, each in self.columns if kind in counting]
                names = [{each[place] for each in columns} - {""} for place in range(len(self.people))]
            self._indexes[kinds] = _index(names), _index({fold(name) for name in each} for each in names)
        return self._indexes[kinds]


def read_roster(path: Path) -> Roster:
    """Reads a roster: a CSV file with a header, at most 10 MiB of UTF-8, its cells set apart by `,`, `;` or tabs.

    The columns are known by their names, whatever the capitals. Read as they are, too: the gradebook that Canvas
    exports (https://github.com/instructure/canvas-lms, lib/gradebook_exporter.rb) and the grading worksheet of
    Moodle's assignments (https://github.com/moodle/moodle, mod/assign/gradingtable.php).

    Raises:
        SubmissionError: It cannot be read, holds no student, says of one not who it is, or holds one twice.
    """
    sheet = read_sheet(path, _MOST_MIB, {*_IDS, *_SHARED, *_CANVAS_ALIASES, *_MOODLE_ALIASES})
    names = [" ".join(name.casefold().replace("_", " ").split()) for name in sheet.columns]
    columns = _columns(sheet, names)
    people: dict[str, Person] = {}
    lines: list[int] = []
    rows: list[tuple[str, ...]] = []
    for row in sheet.body:
        if columns.about_assignments(row):
            continue
        person = columns.person(sheet, row)
        if columns.canvas and person.name in _NOBODY:
            continue
        if person.id in people:
            first = lines[list(people).index(person.id)]
            raise sheet.wrong(row, f"student {person.id!r} is there already, on line {first}; remove one")
        people[person.id] = person
        lines.append(row.line)
        rows.append((person.id, *(sheet.values(row)[place] for place in columns.aliases)))
    if not people:
        raise SubmissionError(f"{path} holds no student; write a line for each below the header.")
    kinds = (columns.kind, *(_KINDS.get(names[place]) for place in columns.aliases))
    return Roster(
        str(path), tuple(people.values()), tuple(lines), tuple(zip(kinds, zip(*rows, strict=True), strict=True))
    )


@dataclass(frozen=True, slots=True)
class _Columns:
    """Which columns hold what."""

    identity: int
    kind: Kind | None
    names: tuple[int, ...]
    aliases: tuple[int, ...]
    canvas: bool

    def about_assignments(self, row: Row) -> bool:
        """Whether a row is one of those of a Canvas gradebook that are no student's."""
        values = row.values
        nobody = not "".join(values[self.identity : self.identity + 1]).strip()
        return self.canvas and nobody and bool(_NO_STUDENT.fullmatch(values[0]))

    def person(self, sheet: Sheet, row: Row) -> Person:
        values = sheet.values(row)
        identity = values[self.identity]
        if not identity:
            raise sheet.wrong(row, f"no {sheet.columns[self.identity]}; say who the student is, or remove the line")
        aliases = {values[place] for place in self.aliases}
        if participant := _PARTICIPANT.fullmatch(identity):
            aliases.add(identity)
            identity = participant[1]
        name = " ".join(values[place] for place in self.names if values[place])
        return Person(identity, name, frozenset(aliases - {"", identity}))


def _columns(sheet: Sheet, names: Sequence[str]) -> _Columns:
    """Finds out what each column is for, from its name without capitals."""
    canvas = {"id", "sis login id", "section"} <= set(names)
    moodle = {"identifier", "last modified (grade)"} <= set(names)
    called = next((name for name in _NAMES if name in names), "student" if "id" in names else "")
    identity = next((name for name in _IDS if name in names and name != called), "")
    if not identity:
        advice = f"name one 'student' or 'id'{sheet.listed_columns()}"
        raise SubmissionError(f"{sheet.source}, line {sheet.header.line}: no column says who a student is; {advice}")
    named = [called] if called in names else [name for name in (*_FIRST_NAMES, *_LAST_NAMES) if name in names]
    aliases = tuple(
        place
        for place, name in enumerate(names)
        if (name in _CANVAS_ALIASES if canvas else name in _MOODLE_ALIASES if moodle else name not in _SHARED)
        and name != called
    )
    kind = Kind.CANVAS if canvas and identity == "id" else Kind.MOODLE if moodle else _KINDS.get(identity)
    return _Columns(names.index(identity), kind, tuple(map(names.index, named)), aliases, canvas)


def _index(names: Iterable[Iterable[str]]) -> _Index:
    """For each name, the places of those who have it."""
    index: _Index = {}
    for place, each in enumerate(names):
        for name in each:
            index.setdefault(name, []).append(place)
    return index


def fold(identifier: str) -> str:
    """Gives an identifier the form in which those agree that differ only in capitals or in Unicode form."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", identifier).casefold())
