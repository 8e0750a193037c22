"""Matching: which of the files that somebody handed in is for which exercise.

By its name, if need be one that is nearly right; else by what it defines; else because it is the only one. All but the
first are marked, so that people can see what was taken for what.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections import deque
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, NoReturn

from grader import notebook
from grader.exercise import did_you_mean
from grader.inbox.archives import Allowance, open_archive, stem_of_archive
from grader.inbox.attempts import code_name, is_litter
from grader.intake import Entry, File, Folder, Ignored, ProblemError
from grader.submission import MOST_CODE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import ExitStack

    from grader.exercise import Exercise

_MOST_ENTRIES = 2_000
"""How many entries of what somebody handed in are looked at."""

_MOST_IGNORED = 20
"""How many ignored files are listed; the rest are counted."""

_MOST_ARCHIVES = 3
_MOST_ARCHIVE_BYTES = 64 << 20
"""What is opened of the archives that somebody handed in at one time."""

_MOST_SCANNED = 10
"""How many files are searched for what they define."""

_CODE = {".py", ".ipynb"}

_CLASS = re.compile(r"^class[ \t]+(\w+)", re.MULTILINE)

_COPY = re.compile(r"^copy_of_|_copy$|_?\(\d+\)$|_\d+$")
"""What browsers, editors and people add to a name that is taken: `Copy of value`, `value (1)`, `value-2`."""

_NO_PREFIX = {"test", "tests", "check", "checks", "my_test", "starter"}
"""What comes before a name without making it a student's: `test_value.py` is no `lovelace_value.py`."""

_STARTER = "starter.py"
UNCHANGED = "is the starter, unchanged"
"""What is said of a file that the student got and did nothing to."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The file that is taken for an exercise's; lasts as long as what holds it is open.

    Attributes:
        file: The file, by its name without what a system hung on it.
        beside: What lies in the same folder, by name.
        doubt: Why it may not be what was meant, to be read after its path; empty where there is no doubt.
    """

    file: File
    beside: Mapping[str, Entry]
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """What was found among what somebody handed in; lasts as long as what holds it is open.

    Attributes:
        chosen: The file for each exercise that there is one for, by the exercise's id.
        ignored: The files that could have been chosen as well.
        unwanted: Those for exercises that are not asked for.
        others: Says of all that is no exercise's file, but for the paths that are given, why it is ignored.
        unread: Why this machine refuses to look at a part of it; empty where it does not.
    """

    chosen: Mapping[str, Choice]
    ignored: Sequence[Ignored]
    unwanted: Sequence[Ignored]
    others: Callable[[Collection[str]], list[Ignored]]
    unread: str


def allowance_of_a_student() -> Allowance:
    """What may be spent on all archives of one student, in however many attempts."""
    return Allowance(entries=10_000, unpacked_bytes=256 << 20, seconds=30)


def match(
    contents: Folder,
    exercises: Sequence[Exercise],
    others: Sequence[Exercise],
    allowance: Allowance,
    stack: ExitStack,
) -> Match:
    """Says which file is for which exercise.

    Args:
        contents: What somebody handed in: files, which may lie in folders or in an archive.
        exercises: What is asked for.
        others: What is not asked for, but may have been handed in as well.
        allowance: What may be spent on archives.
        stack: Keeps archives open, so that files can be read that were chosen from them.
    """
    known = [*exercises, *others]
    survey = _Survey(contents, known)
    claims = _claims(survey.candidates, known)
    if any(not claims[exercise.id] or claims[exercise.id][0].is_broken for exercise in exercises):
        survey.open_archives(allowance, stack)
        claims = _claims(survey.candidates, known)
    if not all(claims[exercise.id] for exercise in exercises):
        survey.set_aside(lambda candidate: _is_untouched(candidate, known))
        claims |= dict(_guesses(survey.candidates, exercises, known, claims))
    claimed = {each.file.path for claim in claims.values() for each in claim}
    rivals = [(claims[exercise.id][0], rival) for exercise in exercises for rival in claims[exercise.id][1:]]
    unwanted = [(exercise.id, each) for exercise in others for each in claims[exercise.id]]
    return Match(
        chosen={exercise.id: _choice(claims[exercise.id], exercise) for exercise in exercises if claims[exercise.id]},
        ignored=[Ignored(rival.file.path, f"is not used: {best.file.path} is") for best, rival in rivals],
        unwanted=[Ignored(each.file.path, f"is for {exercise}") for exercise, each in unwanted],
        others=lambda used: survey.others(claimed.union(used)),
        unread=survey.unread,
    )


# --------------------------------------------------------------------------------------------------------------------
# Looking through folders and archives


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A file that may be an exercise's.

    Attributes:
        file: The file.
        beside: What lies in the same folder, by name.
        folder: Name of that folder.
        depth: How deep the file lies.
        is_broken: Whether it is known that it cannot be read.
        doubt: Why it is a candidate, where its name is not the reason.
    """

    file: File
    beside: Mapping[str, Entry]
    folder: str
    depth: int
    is_broken: bool
    doubt: str = ""


class _Survey:
    """What lies in what somebody handed in, the least deep first; lasts as long as the matching."""

    def __init__(self, top: Folder, exercises: Sequence[Exercise]) -> None:
        self.candidates: list[_Candidate] = []
        self.unread = ""
        self._top = top
        self._asked = {name for exercise in exercises for name in exercise.accepts}
        self._archives: list[_Candidate] = []
        self._not_asked: list[File] = []
        self._ignored: list[Ignored] = []
        self._left = _MOST_ENTRIES
        self._look(top, 0)

    def open_archives(self, allowance: Allowance, stack: ExitStack) -> None:
        """Looks through what lies in archives as well, but for archives in them."""
        closed, self._archives = self._archives, []
        for archive in closed[:_MOST_ARCHIVES]:
            try:
                data = io.BytesIO(archive.file.read(_MOST_ARCHIVE_BYTES))
                opened = stack.enter_context(open_archive(data, archive.file.path, allowance))
            except OSError as error:
                self._refused(archive.file.path, error)
            except ProblemError as problem:
                self.candidates.append(replace(archive, file=_broken(archive.file, str(problem)), is_broken=True))
            else:
                self._ignored += opened.ignored
                self._look(opened.root, archive.depth + 1)
        self._ignored += [Ignored(each.file.path, "is one archive too many") for each in closed[_MOST_ARCHIVES:]]
        self._ignored += [Ignored(each.file.path, "is an archive in an archive") for each in self._archives]
        self._archives = []

    def set_aside(self, is_untouched: Callable[[_Candidate], bool]) -> None:
        """Takes for no exercise's what the student did nothing to."""
        untouched = {each.file.path for each in self.candidates if is_untouched(each)}
        self.candidates = [each for each in self.candidates if each.file.path not in untouched]
        self._ignored += [Ignored(path, UNCHANGED) for path in untouched]

    def others(self, used: Collection[str]) -> list[Ignored]:
        """Why all but what lies at these paths is ignored. Nobody reads a long list: its end is counted."""
        files = [each.file for each in (*self.candidates, *self._archives) if each.file.path not in used]
        files = sorted([*self._not_asked, *files], key=lambda file: file.path)
        told = [each for each in self._ignored if each.path not in used]
        room = max(0, _MOST_IGNORED - len(told))
        ignored = [*told, *map(self._unasked, files[:room])][:_MOST_IGNORED]
        more = len(told) + len(files) - len(ignored)
        return [*ignored, *([Ignored(self._top.path, f"holds {more} more that are not asked for")] if more else [])]

    def _unasked(self, file: File) -> Ignored:
        return Ignored(file.path, f"is not asked for{did_you_mean(file.name, self._asked)}")

    def _look(self, top: Folder, depth: int) -> None:
        """Looks through a folder and those in it."""
        pending = deque([(top, depth)])
        while pending:
            folder, depth = pending.popleft()
            try:
                inside = folder.inside()
            except OSError as error:
                self._refused("The student's folder" if folder is self._top else folder.path, error)
                continue
            for entry in inside.values():
                if self._left == 0:
                    self._ignored.append(Ignored(entry.path, "and what follows is too much to look at"))
                    return
                self._left -= 1
                if is_litter(entry.name):
                    continue
                if isinstance(entry, Folder):
                    pending.append((entry, depth + 1))
                    if entry.name in self._asked:
                        file = File(entry.name, entry.path, bytes, "a folder")
                        self.candidates.append(_Candidate(file, inside, folder.name, depth, is_broken=True))
                else:
                    self._note(_Candidate(entry, inside, folder.name, depth, is_broken=bool(entry.odd)))

    def _note(self, candidate: _Candidate) -> None:
        name = candidate.file.name
        if name in self._asked or _suffix(candidate.file) in _CODE:
            self.candidates.append(candidate)
        elif stem_of_archive(name):
            self._archives.append(candidate)
        else:
            self._not_asked.append(candidate.file)

    def _refused(self, what: str, error: OSError) -> None:
        self.unread = self.unread or f"{what} cannot be read: {error.strerror}."


def _broken(file: File, problem: str) -> File:
    """A file that turned out to be unreadable."""

    def refuse(_: int) -> NoReturn:
        raise ProblemError(problem)

    return replace(file, reader=refuse)


def _suffix(file: File) -> str:
    return PurePath(code_name(file.name)).suffix.lower()


# --------------------------------------------------------------------------------------------------------------------
# By name


def _claims(candidates: Iterable[_Candidate], exercises: Sequence[Exercise]) -> dict[str, list[_Candidate]]:
    """The files that are for each exercise by their names, the best first."""
    claims: dict[str, list[_Candidate]] = {exercise.id: [] for exercise in exercises}
    for candidate in candidates:
        exact = [exercise for exercise in exercises if candidate.file.name in exercise.accepts]
        if exact:
            claims[exact[0].id].append(candidate)
            continue
        close = [exercise for exercise in exercises if _is_close(candidate.file, exercise.module)]
        if close:  # to several, if one's name is the end of another's
            exercise = max(close, key=lambda exercise: len(exercise.module))
            doubt = f"is taken for {exercise.submit} by its name"
            claims[exercise.id].append(replace(candidate, doubt=doubt))
    return {exercise.id: _best_first(claims[exercise.id], exercise) for exercise in exercises}


def _best_first(claim: Sequence[_Candidate], exercise: Exercise) -> list[_Candidate]:
    return sorted(claim, key=lambda candidate: (_rank(candidate, exercise), candidate.file.path))


def _rank(candidate: _Candidate, exercise: Exercise) -> tuple[bool, bool, int, bool, bool]:
    """How well a file suits an exercise, the best first: its name, how deep it lies, in which folder, and its kind."""
    is_elsewhere = candidate.folder != exercise.id
    return candidate.is_broken, bool(candidate.doubt), candidate.depth, is_elsewhere, _suffix(candidate.file) != ".py"


def _choice(claim: Sequence[_Candidate], exercise: Exercise) -> Choice:
    """The best of the files for an exercise."""
    best, *rivals = claim
    doubt = best.doubt
    if rivals and not doubt and _rank(best, exercise) == _rank(rivals[0], exercise):
        doubt = f"is taken for {exercise.submit}, as {rivals[0].file.path} could be"
    return Choice(replace(best.file, name=code_name(best.file.name)), best.beside, doubt)


def _is_close(file: File, module: str) -> bool:
    """Whether a name is nearly that of a module's file: `Copy of value.py`, `lovelace_value.ipynb`."""
    form = _plain(stem_of_archive(file.name) or (PurePath(code_name(file.name)).stem if _suffix(file) in _CODE else ""))
    wanted = _plain(module)
    forms = [form]
    while (shorter := _COPY.sub("", forms[-1])) != forms[-1]:
        forms.append(shorter)
    ends = [form.removesuffix(wanted) for form in forms if form.endswith(wanted)]
    return any(not before or (before.endswith("_") and before[:-1] not in _NO_PREFIX) for before in ends)


def _plain(stem: str) -> str:
    return re.sub(r"[\s_-]+", "_", unicodedata.normalize("NFKC", stem).casefold().strip())


# --------------------------------------------------------------------------------------------------------------------
# By other signs


def _guesses(
    candidates: Sequence[_Candidate],
    exercises: Sequence[Exercise],
    known: Sequence[Exercise],
    claims: Mapping[str, Sequence[_Candidate]],
) -> Iterator[tuple[str, list[_Candidate]]]:
    """The files for exercises of which no file has the name, the best first."""
    claimed = {each.file.path for claim in claims.values() for each in claim}
    spare = [each for each in candidates if each.file.path not in claimed]
    missing = {exercise.id: exercise for exercise in exercises if not claims[exercise.id]}
    found: dict[str, list[_Candidate]] = {}
    if any(exercise.names for exercise in missing.values()):
        for candidate in [each for each in spare if not each.is_broken][:_MOST_SCANNED]:
            scanned, classes = _scan(candidate)
            fitting = [exercise for exercise in known if exercise.names and exercise.names.keys() <= classes]
            if len(fitting) == 1 and fitting[0].id in missing:
                doubt = f"is taken for {fitting[0].submit} because it defines {' and '.join(fitting[0].names)}"
                found.setdefault(fitting[0].id, []).append(replace(scanned, doubt=doubt))
    if not found and missing and len(exercises) == 1 and len(spare) == 1:
        doubt = f"is taken for {exercises[0].submit} because it is the only file"
        found[exercises[0].id] = [replace(spare[0], doubt=doubt)]
    for name, claim in found.items():
        yield name, _best_first(claim, missing[name])


def _is_untouched(candidate: _Candidate, exercises: Iterable[Exercise]) -> bool:
    """Whether a file is a starter that the student got, and did nothing to."""
    if candidate.file.name.lower() != _STARTER:
        return False
    try:
        data = candidate.file.read(MOST_CODE_BYTES)
    except (OSError, ProblemError):
        return False
    return any(exercise.is_starter(data) for exercise in exercises)


def _scan(candidate: _Candidate) -> tuple[_Candidate, set[str]]:
    """A file that need not be read again, and the names of the classes that it seems to define."""
    is_notebook = _suffix(candidate.file) == ".ipynb"
    try:
        data = candidate.file.read(notebook.MOST_BYTES if is_notebook else MOST_CODE_BYTES)
        parts = notebook.read_cells(data) if is_notebook else [data.decode("utf-8", "replace")]
    except (OSError, ProblemError, notebook.NotebookProblem):
        return candidate, set()
    file = replace(candidate.file, reader=lambda most_bytes: data[:most_bytes])
    return replace(candidate, file=file), {name for part in parts for name in _CLASS.findall(part)}
