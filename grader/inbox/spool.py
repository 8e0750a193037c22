"""The spool: what students handed in, in a file of this machine's that has no name, so that it takes no memory.

It is read once, as it arrives: what it lies in is closed again, and may be something else when its turn comes.
"""

from __future__ import annotations

import dataclasses
import io
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, overload

from grader.errors import GraderError
from grader.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn


class Spool:
    """The file; lasts until nothing that is kept in it is of use any more.

    Raises:
        GraderError: It cannot be made.
    """

    def __init__(self) -> None:
        try:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the spool
        except OSError as error:
            _refuse(error)
        weakref.finalize(self, self._file.close)

    def keep(self, submission: Submission) -> Kept:
        """Write a submission.

        Raises:
            GraderError: There is no room for it.
        """
        data = submission.to_text().encode("ascii")
        try:
            place = self._file.seek(0, io.SEEK_END)
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            _refuse(error)
        return Kept(self, place, len(data), submission.student, submission.exercise, submission.partners)

    def read(self, kept: Kept) -> Submission:
        """Read a submission of this spool."""
        self._file.seek(kept.place)
        submission = Submission.from_text(self._file.read(kept.size).decode("ascii"))
        return dataclasses.replace(submission, student=kept.student, partners=kept.partners)


@dataclass(frozen=True, slots=True)
class Kept:
    """A submission in the spool: whose it is, which may be settled later, and where the rest lies."""

    spool: Spool
    place: int
    size: int
    student: str
    exercise: str
    partners: tuple[str, ...]


class Submissions(Sequence[Submission]):
    """Submissions in the spool, each read when it is asked for; lasts as long as it is of use.

    Args:
        kept: Where they are, in order.
    """

    def __init__(self, kept: Iterable[Kept]) -> None:
        self._kept = tuple(kept)

    def only(self, numbers: Iterable[int]) -> Submissions:
        """Some of them, by their numbers, which begin with 0."""
        return Submissions(self._kept[number] for number in numbers)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._kept)

    @overload
    def __getitem__(self, number: int) -> Submission: ...

    @overload
    def __getitem__(self, number: slice) -> Submissions: ...

    def __getitem__(self, number: int | slice) -> Submission | Submissions:
        """One of them, read, or some."""
        found = self._kept[number]
        return Submissions(found) if isinstance(found, tuple) else found.spool.read(found)

    def __eq__(self, other: object) -> bool:
        """Whether others are the same, wherever they lie."""
        return isinstance(other, Submissions) and all(one == another for one, another in zip_longest(self, other))

    __hash__ = None  # type: ignore[assignment]  # they are too many to be a key


def _refuse(error: OSError) -> NoReturn:
    where = f"The folder for temporary files, {tempfile.gettempdir()},"
    raise GraderError(f"{where} cannot be written: {error.strerror}; make room, or set TMPDIR") from error
