"""Submissions: what a student handed in for an exercise, as it is graded.

Nothing here is trusted, run or followed: a file is read once, up to a bound, and what it means is for the sandbox to
find out. Whatever was handed in is a `Submission`, if need be one with a `problem`.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from grader import notebook
from grader.errors import SubmissionError
from grader.intake import File, Folder, ProblemError, file_on_disk, folder_on_disk, written

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from grader.exercise import Exercise
    from grader.intake import Entry

MOST_CODE_BYTES = 1 << 20
"""How much code is read: of a Python file, and of all those beside it together."""

_MOST_SIBLINGS = 20

_SETTINGS = {"conftest", "sitecustomize", "usercustomize"}
"""Modules that Python and pytest import by themselves."""


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
    def students(self) -> tuple[str, ...]:
        """Everybody whose it is: the student, then the partners."""
        return (self.student, *self.partners)

    @property
    def parts(self) -> tuple[Part, ...]:
        """What is run, in order: the Python file, or each cell of the notebook."""
        if not self.cells:
            return (Part(self.file, self.source),)
        cells = enumerate(self.cells, start=1)
        return tuple(Part(f"cell {number}", _bytes(cell)) for number, cell in cells)

    @property
    def digest(self) -> str:
        """SHA-256 in hexadecimal of what a grade depends on: of each piece's length and bytes, in order."""
        digest = hashlib.sha256()
        named = (*self.parts, *self.siblings)
        pieces = [_bytes(self.file), _bytes(self.problem), b"cells" if self.cells else b"file"]
        pieces += [piece for part in named for piece in (_bytes(part.name), part.source)]
        for piece in pieces:
            digest.update(len(piece).to_bytes(8) + piece)
        return digest.hexdigest()

    def to_text(self) -> str:
        """Return all of it as JSON of ASCII characters."""
        record = dataclasses.asdict(self)
        record["source"] = _base64(self.source)
        record["cells"] = [_base64(_bytes(cell)) for cell in self.cells]
        record["siblings"] = [[part.name, _base64(part.source)] for part in self.siblings]
        return json.dumps(record)

    @classmethod
    def from_text(cls, text: str) -> Submission:
        """Return what `to_text` wrote, down to what no text of a cell should have in it."""
        record = json.loads(text)
        record["source"] = base64.b64decode(record["source"])
        record["cells"] = tuple(base64.b64decode(cell).decode("utf-8", "surrogatepass") for cell in record["cells"])
        record["siblings"] = tuple(Part(name, base64.b64decode(source)) for name, source in record["siblings"])
        record["partners"] = tuple(record["partners"])
        return cls(**record)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _bytes(text: str) -> bytes:
    """Text as bytes: a surrogate, which no text should have, is encoded like any other character."""
    return text.encode("utf-8", "surrogatepass")


def read_submission(path: Path, exercise: Exercise, student: str) -> Submission:
    """Reads one file as a submission, together with what lies beside it.

    Args:
        path: The file, whatever its name.
        exercise: What it is for.
        student: Whose it is.

    Raises:
        SubmissionError: It is not there, or this machine refuses to read it.
    """
    file = file_on_disk(path, written(path.name))
    try:
        beside = folder_on_disk(path.parent).inside()
        return make_submission(student, exercise, file, beside)[0]
    except OSError as error:
        raise SubmissionError(f"{written(str(path))} cannot be read ({error.strerror}); name another file.") from error


def make_submission(
    student: str, exercise: Exercise, file: File, beside: Mapping[str, Entry], partners: tuple[str, ...] = ()
) -> tuple[Submission, dict[str, str]]:
    """Makes a submission of a file that was handed in.

    Args:
        student: Whose it is.
        exercise: What it is for.
        file: It is taken for what the exercise asks for, whatever its name.
        beside: What lies in the same folder, by name; the file itself does not count.
        partners: Ids of those who handed it in together with the student.

    Returns:
        The submission, and for each Python file beside it that it may not import, by name, the reason.

    Raises:
        OSError: This machine refuses to read the file.
    """
    suffix = PurePath(file.name).suffix.lower()
    asked = next((name for name in exercise.accepts if PurePath(name).suffix == suffix), exercise.submit)
    try:
        if asked.endswith(".ipynb"):
            source, cells = b"", notebook.read_cells(file.read(notebook.MOST_BYTES))
        else:
            source, cells = file.read(MOST_CODE_BYTES), ()
    except (ProblemError, notebook.NotebookProblem) as problem:
        return Submission(student, exercise.id, written(file.name), b"", str(problem), partners=partners), {}
    siblings, left_out = _siblings(beside, {PurePath(file.name).stem, PurePath(asked).stem})
    return Submission(student, exercise.id, asked, source, "", cells, siblings, partners), left_out


def _siblings(beside: Mapping[str, Entry], taken: Collection[str]) -> tuple[tuple[Part, ...], dict[str, str]]:
    """The Python files that may be imported, but for those of some names; and why others may not."""
    parts: list[Part] = []
    left_out: dict[str, str] = {}
    room = MOST_CODE_BYTES
    for name, file in sorted(beside.items()):
        module = name.removesuffix(".py")
        if module == name or not module.isidentifier() or module in taken or isinstance(file, Folder):
            continue
        try:
            source = _sibling(module, file, room=room, count=len(parts))
        except OSError as error:
            left_out[name] = f"cannot be read: {error.strerror}"
        except ProblemError as problem:
            left_out[name] = f"is not imported: {problem}"
        else:
            parts.append(Part(name, source))
            room -= len(source)
    return tuple(parts), left_out


def _sibling(module: str, file: File, room: int, count: int) -> bytes:
    """The source of a module beside a submission, where there is room for it after a count of others."""
    if module in sys.stdlib_module_names:
        raise ProblemError(f"Python has a module {module} of its own")
    if module in _SETTINGS:
        raise ProblemError("it would change how Python starts or tests run")
    if count == _MOST_SIBLINGS:
        raise ProblemError(f"{_MOST_SIBLINGS} other files are")
    try:
        source = file.read(MOST_CODE_BYTES)
    except ProblemError as problem:
        raise ProblemError(f"it {problem}") from None
    if len(source) > room:
        raise ProblemError(f"it would be more than {MOST_CODE_BYTES >> 20} MiB together with others")
    return source
