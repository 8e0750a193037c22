"""The files that a graded class leaves behind: one JUnit file for each submission, a record and a table of all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from grader.errors import GraderError
from grader.reports.csv_table import to_csv
from grader.reports.file_names import junit_file_name
from grader.reports.json_record import to_json
from grader.reports.junit import to_junit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from grader.exercise import Exercise
    from grader.verdict import Outcome, Report, Ungraded


_SHARED = 0o666
_PRIVATE = 0o600
"""The modes of files that students may see, and of those that they may not; the first less the user's mask."""


class Results:
    """The folder that results are written to; lasts as long as the batch.

    A file is there whole or not at all. Results of an earlier run in the same folder are replaced.

    Args:
        folder: The folder; made if need be.

    Raises:
        GraderError: It cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._junit = folder / "junit"
        try:
            self._junit.mkdir(parents=True, exist_ok=True)
            for name in ("results.json", "xp.csv"):
                (folder / name).unlink(missing_ok=True)
            for old in self._junit.glob("*.xml"):
                old.unlink()
        except OSError as error:
            raise GraderError(f"{error.filename} cannot be written: {error.strerror}; name another folder") from error

    def add(self, outcome: Report | Ungraded) -> None:
        """Write one outcome's JUnit file.

        Raises:
            GraderError: It cannot be written.
        """
        self._write(self._junit / junit_file_name(outcome.student, outcome.exercise), to_junit(outcome))

    def finish(self, outcomes: Sequence[Outcome], exercises: Sequence[Exercise]) -> None:
        """Write what is about all of them.

        Raises:
            GraderError: It cannot be written.
        """
        self._write(self.folder / "results.json", to_json(outcomes), mode=_PRIVATE)
        self._write(self.folder / "xp.csv", to_csv(outcomes, exercises), mode=_PRIVATE)

    @staticmethod
    def _write(path: Path, text: str, mode: int = _SHARED) -> None:
        unfinished = path.with_name(f".{path.name[:100]}.part")
        try:
            unfinished.touch(mode)
            unfinished.write_text(text, encoding="utf-8", newline="")
            os.replace(unfinished, path)  # noqa: PTH105  # Path.replace would do the same
        except OSError as error:
            raise GraderError(f"{path} cannot be written: {error.strerror}; results so far are kept") from error
