"""How platforms hand submissions out: for each layout, a function that reads a folder as if it had that shape.

What an entry has to do with whom stands in its name. Nothing else is looked at, but for small files of the platforms'
own. Gradescope's layout is in `gradescope`.
"""

from __future__ import annotations

import itertools
import os
import re
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from grader.errors import SubmissionError
from grader.inbox.archives import stem_of_archive
from grader.inbox.attempts import Attempt, Reading, code_name, split, together
from grader.intake import LINK, Entry, File, Folder, Ignored, ProblemError, refuse_link, written
from grader.roster import Person

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from grader.exercise import Exercise

_MOST_NOTE_BYTES = 1 << 16
"""As much as is read of a small file of a platform's own."""

_FEWEST_CLONES = 3
"""So many names do not begin alike by accident."""

_NO_STUDENT = "is no student's folder"

_MOODLE = r"_(?P<id>\d+)_assignsubmission_(?P<plugin>[a-z]+)"
_MOODLE_FOLDER = re.compile(f"(?P<name>.+){_MOODLE}_?", re.DOTALL)
_MOODLE_FILE = re.compile(f"(?={_MOODLE}_(?P<file>.+))", re.DOTALL)

_CANVAS = re.compile(
    r"(?=_(?P<late>LATE_)?(?P<id>\d+)_(?:(?P<submission>\d{1,20})_(?P<file>.+)|(?:text|link)\.html\Z))", re.DOTALL
)
_VERSIONED = re.compile(r"(?P<stem>.+)-(?P<number>\d{1,9})(?P<suffix>(?:\.[^.]+)?)", re.DOTALL)

_BLACKBOARD = re.compile(r"(?=_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt\Z))", re.DOTALL)
_RECEIPT = re.compile(r"\ufeff?\s*Name: (?P<name>.*) \((?P<id>[^()\n]+)\)")

_BRIGHTSPACE = re.compile(
    r"(?P<first>\d+)-(?P<second>\d+) - (?P<name>.+?) - (?P<date>[^-]*\d{4}[^-]*?)(?: - (?P<file>.+))?", re.DOTALL
)
_DATE = re.compile(
    r"(?:(?P<month1>[A-Z][a-z]{2})[a-z]*\.? (?P<day1>\d\d?)|(?P<day2>\d\d?) (?P<month2>[A-Z][a-z]{2})[a-z]*\.?),? "
    r"(?P<year>\d{4}),? (?P<hour>\d\d?):?(?P<minute>\d\d) (?P<half>[AP]M)"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


# --------------------------------------------------------------------------------------------------------------------
# Folders of students


def plain(folder: Folder, exercises: Sequence[Exercise]) -> Reading:
    """Reads `<student>/<file>`; where there are no folders, `<student>.py`, `.ipynb`, or an archive of that name."""
    folders, files = split(folder)
    # A link is refused, but its student is not forgotten.
    links = {name: Folder(name, file.path, refuse_link) for name, file in files.items() if file.odd == LINK}
    if not folders and not links:
        return _files_named_for_students(files, exercises)
    attempts = [Attempt((Person(who),), contents) for who, contents in _by_id({**folders, **links}).items()]
    strays = [Ignored(file.path, _NO_STUDENT) for name, file in files.items() if name not in links]
    return Reading(attempts, len(attempts), len(strays), strays)


def _files_named_for_students(files: Mapping[str, File], exercises: Sequence[Exercise]) -> Reading:
    asked = {name for exercise in exercises for name in exercise.accepts}
    handed_in: defaultdict[str, dict[str, Entry]] = defaultdict(dict)
    strays = []
    for name, file in files.items():
        suffix = PurePath(name).suffix.lower()
        code = PurePath(code_name(name))
        student = stem_of_archive(name) or (code.stem if code.suffix.lower() in {".py", ".ipynb"} else "")
        if not student or name in asked:
            strays.append(Ignored(file.path, _NO_STUDENT))
            continue
        # The name says whose it is, not what for; that goes without saying where there is but one exercise.
        accepts = exercises[0].accepts if len(exercises) == 1 else ()
        handed_in[student][next((each for each in accepts if PurePath(each).suffix == suffix), name)] = file
    folders = {student: together(each) for student, each in handed_in.items()}
    attempts = [Attempt((Person(who),), contents) for who, contents in _by_id(folders).items()]
    return Reading(attempts, len(attempts), len(strays), strays)


def _by_id(folders: Mapping[str, Folder]) -> dict[str, Folder]:
    """Students' folders by the students' ids, which are the folders' names as text."""
    found: dict[str, Folder] = {}
    for name, folder in folders.items():
        student = written(name)
        if student in found:
            raise SubmissionError(f"Two students are both written {student}; rename what one of them handed in.")
        found[student] = folder
    return found


def github_classroom(folder: Folder, _exercises: Sequence[Exercise]) -> Reading:
    """Reads a clone for each student, `<assignment>-<GitHub login>/`.

    It is what `gh classroom clone student-repos` makes, in a folder `<assignment>-submissions`:
    https://github.com/github/gh-classroom. Where that folder has another name, the assignment is what the names of all
    clones begin with, up to a hyphen: of three at least, or the folder's name, for students may be called `ann-a` and
    `ann-b`.
    """
    folders, files = split(folder)
    assignment = folder.name.removesuffix("submissions")
    is_named = assignment.endswith("-") and assignment != folder.name
    if not is_named:
        common = os.path.commonprefix([*folders])  # noqa: RUF071  # it is about characters
        assignment = common[: common.rfind("-") + 1] if len(folders) > 1 else common.rpartition("-")[0] + "-"
    clones = {name.removeprefix(assignment): each for name, each in folders.items() if name.startswith(assignment)}
    clones.pop("", None)
    others: list[Entry] = [each for name, each in folders.items() if name.removeprefix(assignment) not in clones]
    ignored = [Ignored(each.path, f"is no clone {written(assignment)}<login>") for each in [*others, *files.values()]]
    attempts = [Attempt((Person(who),), contents) for who, contents in _by_id(clones).items()]
    count = sum(map(_is_clone, clones.values()))
    is_sure = count >= _FEWEST_CLONES or folder.name == assignment.removesuffix("-")
    fitting = len(clones) if is_named else count if is_sure else 0
    return Reading(attempts if assignment else [], fitting if assignment else 0, len(folders) - fitting, ignored)


def _is_clone(folder: Folder) -> bool:
    with suppress(OSError):
        return ".git" in folder.inside()
    return False


def nbgrader(folder: Folder, _exercises: Sequence[Exercise]) -> Reading:
    """Reads `submitted/<student>/<assignment>/<file>`, with a `timestamp.txt` for each assignment.

    It is what `nbgrader collect` makes: https://nbgrader.readthedocs.io/en/stable/user_guide/philosophy.html. The time
    is written like `2015-02-02 15:58:23.948203 UTC`.
    """
    folders, files = split(folder)
    submitted = folders.pop("submitted", None)
    ignored = []
    if submitted:
        others: list[Entry] = [*folders.values(), *files.values()]
        ignored = [Ignored(each.path, "does not lie in submitted/") for each in others]
        folders, files = split(submitted)
    theirs = [[*_assignments(Person(who), inside)] for who, inside in _by_id(folders).items()]
    ignored += [Ignored(file.path, _NO_STUDENT) for file in files.values()]
    # Students count, not what they handed in: whoever hands in much has no more say in what the class's layout is.
    fitting = len(theirs) if submitted else sum(any(attempt.time for attempt in each) for each in theirs)
    return Reading([*itertools.chain(*theirs)], fitting, len(theirs) - fitting, ignored)


def _assignments(who: Person, folder: Folder) -> Iterator[Attempt]:
    """What a student handed in for each assignment; all of it, where it does not lie in folders of assignments."""
    folders: Mapping[str, Folder] = {}
    files: Mapping[str, File] = {}
    with suppress(OSError):  # which will be told of the attempt
        folders, files = split(folder)
    if files or not folders:
        yield Attempt((who,), folder)
        return
    for inside in folders.values():
        handed_in, stamp = inside, None
        with suppress(OSError):
            entries = {**inside.inside()}
            stamp = entries.pop("timestamp.txt", None)
            handed_in = replace(together(entries, inside.path), name=inside.name)
        date, _, hour = _note(stamp).strip().removesuffix(" UTC").partition(" ")
        yield _timed(who, handed_in, inside.name, f"{date}T{hour}+00:00")


def moodle(folder: Folder, _exercises: Sequence[Exercise]) -> Reading:
    """Reads `<full name>_<participant id>_assignsubmission_file_/<file>`.

    It is what *Download all submissions* makes with *Download submissions in folders*: `download_submissions` in
    mod/assign/locallib.php of https://github.com/moodle/moodle. What was typed into the platform lies in folders of
    other plugins, such as `onlinetext`.
    """
    folders, files = split(folder)
    handed_in: defaultdict[tuple[str, str], dict[str, Folder]] = defaultdict(dict)
    ignored = [Ignored(file.path, "is no participant's folder") for file in files.values()]
    for name, inside in folders.items():
        if match := _MOODLE_FOLDER.fullmatch(written(name)):
            handed_in[match["id"], match["name"]][match["plugin"]] = inside
        else:
            ignored.append(Ignored(inside.path, "is no participant's folder"))
    misfits = len(ignored)
    attempts = []
    for who, parts in handed_in.items():
        contents = parts.pop("file", None) or together({})
        attempts.append(Attempt((Person(*who),), contents))
        ignored += [Ignored(part.path, "was not uploaded as a file") for part in parts.values()]
    return Reading(attempts, len(folders) + len(files) - misfits, misfits, ignored)


def brightspace(folder: Folder, _exercises: Sequence[Exercise]) -> Reading:
    """Reads `<id>-<id> - <first and last name> - <date>/<file>`, or with ` - ` in place of the slash.

    It is what *Download* makes of an assignment's submissions, with an `index.html` that lists them. One of the two
    ids is the assignment's, and so the same for all; the date is written like `Sep 12, 2020 1159 PM`.
    """
    handed_in: dict[tuple[str, ...], Folder] = {}
    beside: defaultdict[tuple[str, ...], dict[str, Entry]] = defaultdict(dict)
    ignored = []
    entries = {name: entry for name, entry in folder.inside().items() if name != "index.html"}
    for name, entry in entries.items():
        match = _BRIGHTSPACE.fullmatch(written(name))
        key = match.group("first", "second", "name", "date") if match else ()
        file = match["file"] if match else None
        if match and isinstance(entry, Folder) and not file:
            handed_in[key] = entry
        elif match and isinstance(entry, File) and file:
            beside[key][file] = entry
        else:
            ignored.append(Ignored(entry.path, _NO_STUDENT))
    for key, of_one in beside.items():
        handed_in.setdefault(key, together(of_one))
    is_second = len({key[0] for key in handed_in}) == 1 < len({key[1] for key in handed_in})
    attempts = [_timed(Person(key[is_second], key[2]), each, key[3], _iso(key[3])) for key, each in handed_in.items()]
    return Reading(attempts, len(entries) - len(ignored), len(ignored), ignored)


def _iso(date: str) -> str:
    """A date of Brightspace's as ISO 8601 has it; empty where it is not in English."""
    match = _DATE.fullmatch(date)
    month = (match["month1"] or match["month2"]) if match else ""
    if not match or month not in _MONTHS:
        return ""
    hour = int(match["hour"]) % 12 + (12 if match["half"] == "PM" else 0)
    day = int(match["day1"] or match["day2"])
    return f"{match['year']}-{_MONTHS.index(month) + 1:02}-{day:02}T{hour:02}:{match['minute']}"


# --------------------------------------------------------------------------------------------------------------------
# Files of all students side by side


def moodle_flat(folder: Folder, _exercises: Sequence[Exercise]) -> Reading:
    """Reads `<full name>_<participant id>_assignsubmission_file_<file>`.

    It is what *Download all submissions* makes without *Download submissions in folders*, see `moodle`.
    """
    handed_in: defaultdict[tuple[str, str], dict[str, Entry]] = defaultdict(dict)
    found, strays = _splits(folder, _MOODLE_FILE)
    ignored = [*strays]
    for file, splits in found:
        first = splits[0]
        if len(_ids(splits)) > 1:
            ignored.append(_nobodys(file, splits))
            continue
        files = handed_in[first.mark["id"], first.before]
        if first.mark["plugin"] == "file":
            files[first.mark["file"]] = file
        else:
            ignored.append(Ignored(file.path, "was not uploaded as a file"))
    attempts = [Attempt((Person(*who),), together(files)) for who, files in handed_in.items()]
    return Reading(attempts, len(found), len(strays), ignored)


def canvas(folder: Folder, exercises: Sequence[Exercise]) -> Reading:
    """Reads `<lastfirst>_[LATE_]<user id>_<submission id>_<file>`.

    It is what *Download Submissions* makes: content_zipper.rb of https://github.com/instructure/canvas-lms. To the name
    of a file that was handed in anew, Canvas adds `-1`, `-2`, before its suffix: the files of a student that had the
    same name are attempts. What was typed into the platform is `<lastfirst>_<user id>_text.html`.

    A student's name may end in `_<number>`, and the name of a file may begin so. The first number is taken for the id,
    with a doubt, unless the id is known to be of another name.
    """
    asked = {name for exercise in exercises for name in exercise.accepts}
    handed_in: defaultdict[Person, list[_Version]] = defaultdict(list)
    found, ignored = _splits(folder, _CANVAS)
    misfits = len(ignored)
    names: defaultdict[str, set[str]] = defaultdict(set)
    for _, (first, *more) in found:
        if len(_ids([first, *more])) == 1:
            names[first.mark["id"]].add(first.before)
    for file, splits in found:
        sensible = (each for each in splits if names.get(each.mark["id"], {each.before}) == {each.before})
        chosen = next(sensible, splits[0] if len(_ids(splits)) == 1 else None)
        if chosen is None:
            ignored.append(_nobodys(file, splits))
            continue
        versions = handed_in[Person(chosen.mark["id"], chosen.before)]
        others = [other for other in _ids(splits) if other != chosen.mark["id"]]
        doubt = f"is, or came with, what may be of {' or '.join(others)} instead" if others else ""
        if chosen.mark["file"]:
            versions.append(_version(file, chosen.mark, asked, doubt))
    attempts = [attempt for who, versions in handed_in.items() for attempt in _attempts(who, versions)]
    return Reading(attempts, len(found), misfits, ignored)


class _Version(NamedTuple):
    """A file of Canvas': how often one of its name was handed in before, and where it comes among all files."""

    number: int
    place: int
    name: str
    is_late: bool
    file: File
    doubt: str


def _version(file: File, mark: re.Match[str], asked: Collection[str], doubt: str) -> _Version:
    name, number = mark["file"], 0
    if name not in asked and (versioned := _VERSIONED.fullmatch(name)):
        name, number = versioned["stem"] + versioned["suffix"], int(versioned["number"])
    return _Version(number, int(mark["submission"]), name, bool(mark["late"]), file, doubt)


def _attempts(who: Person, versions: Iterable[_Version]) -> Iterator[Attempt]:
    """A student's attempts: a file belongs to the first of them that has none of its name yet."""
    attempts: list[dict[str, _Version]] = [{}]
    for version in sorted(versions, key=lambda version: version[:2]):
        number = sum(version.name in attempt for attempt in attempts)
        if number == len(attempts):
            attempts.append({})
        attempts[number][version.name] = version
    for number, attempt in enumerate(attempts):
        files = {name: version.file for name, version in attempt.items()}
        is_late = any(version.is_late for version in attempt.values())
        doubt = next((version.doubt for version in attempt.values() if version.doubt), "")
        yield Attempt((who,), together(files), f"{number:06}", late=is_late, doubt=doubt)


def blackboard(folder: Folder, _exercises: Sequence[Exercise]) -> Reading:
    """Reads `<assignment>_<username>_attempt_<date>_<file>`, with a receipt `..._attempt_<date>.txt` for each attempt.

    It is what *Assignment File Download* makes in the Grade Center of Blackboard Learn. A receipt begins with
    `Name: <full name> (<username>)`, which tells where the username begins. A name that can be read in several ways,
    because that of the file looks like one of the platform's, is read in the first, if there is a receipt for it.
    """
    handed_in: defaultdict[tuple[str, str], dict[str, Entry]] = defaultdict(dict)
    receipts: dict[tuple[str, str], str] = {}
    found, ignored = _splits(folder, _BLACKBOARD)
    misfits = len(ignored)
    for file, splits in sorted(found, key=lambda each: len(each[1])):
        first = splits[0]
        key = first.before, first.mark["time"]
        if len(splits) > 1 and key not in receipts:
            ignored.append(Ignored(file.path, "does not say clearly whose it is, and there is no receipt for it"))
        elif first.mark["file"]:
            handed_in[key][first.mark["file"]] = file
        else:
            handed_in[key]  # it is there, whatever lies beside it
            receipts[key] = _note(file)
    attempts = []
    for (whose, stamp), files in handed_in.items():
        receipt = _RECEIPT.match(receipts.get((whose, stamp), ""))
        is_known = receipt is not None and whose.endswith(f"_{receipt['id']}")
        who = Person(receipt["id"], receipt["name"]) if receipt and is_known else Person(whose.rpartition("_")[2])
        iso = f"{stamp[:10]}T{stamp[11:].replace('-', ':')}"
        attempts.append(_timed(who, together(files), stamp, iso))
    return Reading(attempts, len(found), misfits, ignored)


# --------------------------------------------------------------------------------------------------------------------
# What they have in common


class _Split(NamedTuple):
    """One way to read the name of a file: what comes before a platform's mark, and the mark with all that follows."""

    before: str
    mark: re.Match[str]


def _splits(folder: Folder, mark: re.Pattern[str]) -> tuple[list[tuple[File, list[_Split]]], list[Ignored]]:
    """The files whose names hold a mark, each with all ways to read its name, and all else that a folder holds.

    What follows the mark is called as a student likes, and so may hold another one.
    """
    folders, files = split(folder)
    found = []
    strays = [Ignored(each.path, "is a folder among files") for each in folders.values()]
    for name, file in files.items():
        text = written(name)
        if splits := [_Split(text[: each.start()], each) for each in mark.finditer(text, 1)]:
            found.append((file, splits))
        else:
            strays.append(Ignored(file.path, "does not say whose it is"))
    return found, strays


def _ids(splits: Iterable[_Split]) -> list[str]:
    """Whose a file may be, each once."""
    return [*dict.fromkeys(split.mark["id"] for split in splits)]


def _nobodys(file: File, splits: Iterable[_Split]) -> Ignored:
    """What is said of a file that may be several students'."""
    return Ignored(file.path, f"may be of {' or '.join(_ids(splits))}, and is used for nobody")


def _timed(who: Person, contents: Folder, order: str, iso: str) -> Attempt:
    """An attempt of a time, where that is one; else it comes in an order."""
    time = None
    with suppress(ValueError):
        time = datetime.fromisoformat(iso)
    return Attempt((who,), contents, time.isoformat() if time else order, time)


def _note(entry: Entry | None) -> str:
    """The text of a small file of the platform's own; empty where there is none."""
    if isinstance(entry, File):
        with suppress(OSError, ProblemError):
            return entry.read(_MOST_NOTE_BYTES).decode("utf-8", "replace")
    return ""
