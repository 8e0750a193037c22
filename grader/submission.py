"""Submissions: which of the files that were handed in belongs to whom, and for which exercise.

    <root>/<student>/<file>

A file belongs to the exercise that asks for its name. Nothing here is trusted, run or followed: what is no
regular file is never opened, and a file is read once, up to a bound. Whatever a student handed in under such
a name is a `Submission`, if need be one with a `problem`; `Ungraded` is what this machine refuses to read.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from grader.errors import SubmissionError
from grader.exercise import Exercise, did_you_mean
from grader.verdict import Absent, Ungraded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

_MOST_BYTES = 1024 * 1024

_MOST_IGNORED = 20
"""How many ignored files of one student are listed; the rest are counted."""

_LITTER = {"__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini"}
"""What systems and tools leave behind, besides names that start with a dot."""

_KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
}


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a student's code that is compiled on its own; lasts as long as its submission.

    Attributes:
        name: What tracebacks call it: the file's name (`value.py`), or the cell's (`cell 3`).
        source: Its text, encoded as the student's editor or notebook did.
    """

    name: str
    source: bytes


@dataclass(frozen=True, slots=True)
class Submission:
    r"""What one student handed in for one exercise, read once; lasts until it is graded. Not run on the host.

    Attributes:
        student: The student's id: as the platform or the folder has it, but for bytes that are not UTF-8: `\xff`.
        exercise: The exercise's id.
        file: Name of the file, written like the student's id.
        source: A Python file's bytes, as many as 1 MiB; empty for a notebook.
        problem: Why it cannot be run, to be read after the file's name (`is a folder, not a regular file`);
            then there is no source. Empty where it can.
        cells: A notebook's code cells, in order; none for a Python file.
        siblings: Python files handed in beside it, which it may import.
        partners: Ids of those who handed it in together with the student: it is graded once for all of them.
    """

    student: str
    exercise: str
    file: str
    source: bytes
    problem: str = ""
    cells: tuple[str, ...] = ()
    siblings: tuple[Part, ...] = ()
    partners: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """What is run, in order: the Python file, or each cell of the notebook."""
        if not self.cells:
            return (Part(self.file, self.source),)
        cells = enumerate(self.cells, start=1)
        return tuple(Part(f"cell {number}", cell.encode("utf-8", "surrogatepass")) for number, cell in cells)

    @property
    def digest(self) -> str:
        """SHA-256 in hexadecimal of what a grade depends on: of each piece's length and bytes, in order."""
        digest = hashlib.sha256()
        named = (*self.parts, *self.siblings)
        pieces = [self.file.encode(), self.problem.encode(), b"cells" if self.cells else b"file"]
        pieces += [piece for part in named for piece in (part.name.encode(), part.source)]
        for piece in pieces:
            digest.update(len(piece).to_bytes(8) + piece)
        return digest.hexdigest()


@dataclass(frozen=True, slots=True, order=True)
class Ignored:
    """Something among the submissions that nothing is done with.

    Attributes:
        path: Where it lies in the folder of submissions; for what systems and tools leave, the name alone.
        reason: Why it is ignored, to be read after the path.
    """

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Inbox:
    """All that lies in a folder of submissions, read once; lasts as long as the command that reads it.

    Every student is in `submissions`, `absent` or `ungraded` once for every exercise: in the order of the
    students' ids, then of the exercises.

    Attributes:
        submissions: What students handed in.
        absent: What they did not.
        ungraded: What this machine refuses to read, be it a file or a student's whole folder.
        ignored: All else, in the order of the paths.
    """

    submissions: tuple[Submission, ...]
    absent: tuple[Absent, ...]
    ungraded: tuple[Ungraded, ...]
    ignored: tuple[Ignored, ...]


def find_submissions(root: Path, exercises: Sequence[Exercise], students: Collection[str] = ()) -> Inbox:
    """Reads a folder of submissions.

    Args:
        root: It holds a folder for each student, named for the student, with the student's files in it.
        exercises: What is asked for.
        students: Only these, where any are given; a name may be in any Unicode form.

    Raises:
        SubmissionError: The folder cannot be read, or holds no student, or none of a name that was given.
    """
    folders, beside = _student_folders(root)
    if students:
        folders, beside = _only(students, folders), []
    if not folders:
        advice = "put the files of each student into a folder named for the student"
        raise SubmissionError(f"{_text(str(root))} holds no student's folder; {advice}.")
    found: list[_Found] = [*beside]
    for student, folder in sorted(folders.items()):
        found += _look_through(student, folder, exercises)
    ignored = Counter(each for each in found if isinstance(each, Ignored))
    return Inbox(
        submissions=tuple(each for each in found if isinstance(each, Submission)),
        absent=tuple(each for each in found if isinstance(each, Absent)),
        ungraded=tuple(each for each in found if isinstance(each, Ungraded)),
        ignored=tuple(sorted(_counted(each, times) for each, times in ignored.items())),
    )


def read_submission(file: Path, exercise: Exercise, student: str) -> Submission:
    """Reads one file as a submission.

    Args:
        file: The file, whatever its name.
        exercise: What it is for.
        student: Whose it is.

    Raises:
        SubmissionError: It is not there, or this machine refuses to read it.
    """
    try:
        return _submission(file, exercise, student)
    except OSError as error:
        raise SubmissionError(f"{_text(str(file))} cannot be read ({error.strerror}); name another file.") from error


_Found: TypeAlias = Submission | Absent | Ungraded | Ignored


def _student_folders(root: Path) -> tuple[dict[str, Path], list[Ignored]]:
    """Each student's folder by the student's id, and what lies beside them."""
    try:
        inside = _inside(root, follow=True)
    except OSError as error:
        advice = "name the folder that holds a folder for each student"
        raise SubmissionError(f"{_text(str(root))} cannot be read ({error.strerror}); {advice}.") from error
    folders: dict[str, Path] = {}
    beside: list[Ignored] = []
    for name, entry in inside.items():
        student = _text(name)
        if _is_litter(name):
            beside.append(_litter(name))
        elif not (entry.is_dir(follow_symlinks=False) or entry.is_symlink()):
            beside.append(Ignored(student, "is no student's folder"))
        elif student in folders:
            raise SubmissionError(f"Two folders in {_text(str(root))} are both written {student}; rename one.")
        else:
            folders[student] = root / name  # a link as well: it will be refused, but its student is not forgotten
    return folders, beside


def _only(students: Collection[str], folders: dict[str, Path]) -> dict[str, Path]:
    """The folders of some students. A name stands for every folder of this name, in whatever Unicode form."""
    chosen: dict[str, Path] = {}
    for asked in students:
        name = unicodedata.normalize("NFC", _text(asked))
        named = {each: path for each, path in folders.items() if unicodedata.normalize("NFC", each) == name}
        if not named:
            raise SubmissionError(f"There is no student {name!r}{did_you_mean(name, folders) or '.'}")
        chosen |= named
    return chosen


def _look_through(student: str, folder: Path, exercises: Sequence[Exercise]) -> Iterator[_Found]:
    """Says of each exercise what one student handed in, and of everything else why it is ignored."""
    try:
        inside = _inside(folder)
    except OSError as error:
        reason = f"The student's folder cannot be read: {error.strerror}."
        yield from (Ungraded(student, exercise.id, reason) for exercise in exercises)
        return
    for exercise in exercises:
        if exercise.submit not in inside:
            yield Absent(student, exercise.id)
            continue
        try:
            yield _submission(folder / exercise.submit, exercise, student)
        except OSError as error:
            yield Ungraded(student, exercise.id, f"{exercise.submit} cannot be read: {error.strerror}.")
    asked = {exercise.submit for exercise in exercises}
    others = sorted((_is_litter(name), name) for name in inside if name not in asked)
    for is_litter, name in others[:_MOST_IGNORED]:
        if is_litter:
            yield _litter(name)
        elif inside[name].is_dir(follow_symlinks=False):
            yield Ignored(f"{student}/{_text(name)}", "is a folder in the student's folder")
        else:
            yield Ignored(f"{student}/{_text(name)}", f"is not asked for{did_you_mean(name, asked)}")
    if len(others) > _MOST_IGNORED:
        yield Ignored(student, f"holds {len(others) - _MOST_IGNORED} more that are not asked for")


def _inside(folder: Path, *, follow: bool = False) -> dict[str, os.DirEntry[str]]:
    """What a folder holds, by name in order. Only a folder that is named on the command line may be a link."""
    if not follow and folder.is_symlink():
        raise OSError(errno.ELOOP, "it is a symbolic link, and none is followed")
    with os.scandir(folder) as entries:
        return {entry.name: entry for entry in sorted(entries, key=lambda entry: entry.name)}


def _is_litter(name: str) -> bool:
    return name.startswith(".") or name in _LITTER


def _litter(name: str) -> Ignored:
    return Ignored(_text(name), "was left by a system or a tool")


def _counted(ignored: Ignored, times: int) -> Ignored:
    return ignored if times == 1 else replace(ignored, reason=f"{ignored.reason}, {times} times")


class _ProblemError(Exception):
    """Why a file that was handed in cannot be run; becomes the submission's `problem`."""


def _submission(file: Path, exercise: Exercise, student: str) -> Submission:
    try:
        source, problem = _read(file), ""
    except _ProblemError as error:
        source, problem = b"", str(error)
    return Submission(student, exercise.id, _text(file.name), source, problem)


def _read(file: Path) -> bytes:
    """Reads a regular file, and opens nothing else: to open a device or a pipe can have effects, or last."""
    _refuse_odd(file.lstat().st_mode)
    follow_nothing = sum(getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK"))  # Windows has neither
    descriptor = os.open(file, os.O_RDONLY | follow_nothing)
    with os.fdopen(descriptor, "rb") as opened:
        _refuse_odd(os.fstat(descriptor).st_mode)  # what was looked at need not be what was opened
        source = opened.read(_MOST_BYTES + 1)
    if len(source) > _MOST_BYTES:
        raise _ProblemError("is larger than 1 MiB")
    return source


def _refuse_odd(mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise _ProblemError(f"is {_KINDS.get(stat.S_IFMT(mode), 'a device')}, not a regular file")


def _text(name: str) -> str:
    r"""A name as text that can be written anywhere: bytes of it that are not UTF-8 become `\xff`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")
