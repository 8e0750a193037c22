"""The files that a graded class leaves behind: one for each submission, and some of all of them."""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
from typing import TYPE_CHECKING

from grader.errors import GraderError
from grader.outcomes import outlines
from grader.reports import class_list
from grader.reports.class_page import to_class_page
from grader.reports.csv_table import to_csv
from grader.reports.file_names import junit_file_name, page_file_name
from grader.reports.json_record import to_json
from grader.reports.junit import to_junit, to_junit_batch
from grader.reports.markdown import class_markdown
from grader.reports.student_page import to_student_page
from grader.verdict import Absent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from grader.exercise import Exercise
    from grader.outcomes import Outcomes


_SHARED = 0o666
_PRIVATE = 0o600
"""The modes of files that students may see, and of those that they may not; the first less the user's mask."""

_JUNIT, _PAGES = "junit", "pages"
"""The folders of what students may see."""


_OF_ALL: Mapping[str, Callable[[Outcomes, Sequence[Exercise], Mapping[str, str]], Iterable[str]]] = {
    "results.json": lambda outcomes, *_: to_json(outcomes),
    "xp.csv": to_csv,
    "junit.xml": lambda outcomes, *_: to_junit_batch(outcomes),
    "summary.md": lambda outcomes, exercises, names: [class_markdown(outlines(outcomes), exercises, names)],
    "class.html": lambda outcomes, exercises, names: to_class_page(outcomes, exercises, _page, names),
}
"""The files about everybody, each with what writes its text, piece by piece."""


def _page(student: str) -> str:
    """Where a student's page lies, seen from the folder."""
    return f"{_PAGES}/{page_file_name(student)}"


class Results:
    """The folder that results are written to; lasts as long as the command that grades.

    Files are there whole or not at all; those of an earlier run are replaced.

    Args:
        folder: The folder; made if need be.

    Raises:
        GraderError: It cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._junit = folder / _JUNIT
        self._pages = folder / _PAGES
        try:
            self._junit.mkdir(parents=True, exist_ok=True)
            self._pages.mkdir(exist_ok=True)
        except OSError as error:
            raise GraderError(f"{error.filename} cannot be written: {error.strerror}; name another folder") from error

    def write(
        self, outcomes: Outcomes, exercises: Sequence[Exercise], names: Mapping[str, str] = class_list.NO_NAMES
    ) -> None:
        """Write all of them, holding no more than outlines of the class.

        Args:
            outcomes: What the class stands at, by student, then exercise.
            exercises: All exercises that occur in them.
            names: What people call the students, by id.

        Raises:
            GraderError: One cannot be written.
        """
        for folder, pattern in ((self._junit, "*.xml"), (self._pages, "*.html")):
            for old in folder.glob(pattern):
                _remove(old)
        for name, pieces_of in _OF_ALL.items():
            write(self.folder / name, pieces_of(outcomes, exercises, names), _PRIVATE)
        for student, group in itertools.groupby(outcomes, lambda outcome: outcome.student):
            theirs = list(group)
            for outcome in theirs:
                if not isinstance(outcome, Absent):
                    write(self._junit / junit_file_name(student, outcome.exercise), [to_junit(outcome)])
            write(self._pages / page_file_name(student), [to_student_page(theirs, exercises, names)])


def write(path: Path, pieces: Iterable[str], mode: int = _SHARED) -> None:
    """Write a file, as UTF-8 whatever the machine's language, in one step: it is there whole or as it was before.

    Args:
        path: The file.
        pieces: Its text, written as it comes.
        mode: Its mode, less the user's mask.

    Raises:
        GraderError: It cannot be written.
    """
    # A name of its own, which nobody else has made: another grader may write the same file at the same time.
    unfinished = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}.part")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as opened:
            opened.writelines(pieces)
        os.replace(unfinished, path)  # noqa: PTH105  # Path.replace would do the same
    except OSError as error:
        raise GraderError(f"{path} cannot be written: {error.strerror}; make room, or name another place") from error
    finally:
        with contextlib.suppress(OSError):  # it took the file's place, or was never made
            unfinished.unlink()


def _remove(path: Path) -> None:
    """Remove a file that may be gone, or another grader's to remove.

    Raises:
        GraderError: It is something else, or cannot be removed.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise GraderError(f"{path} cannot be removed: {error.strerror}; remove it, or name another place") from error
