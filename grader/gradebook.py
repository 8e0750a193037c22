"""The gradebook: every attempt at every exercise of a course, in one file that survives whatever interrupts grading.

It is an SQLite database in WAL mode whose every commit is on disk before the call returns (`synchronous=FULL`,
https://sqlite.org/pragma.html#pragma_synchronous), so neither SIGKILL nor a power failure loses an attempt that
counts, or leaves half of one. Attempts are only ever added. Several graders may use one gradebook at once: each commit
waits for its turn.

What a student *stands at* is concluded when it is read: a submission that was graded again stands at its last grade,
a failed regrade takes no grade away, and of several submissions the best or the last counts. An attempt's XP and
submission, NULL where it was not graded, stand beside its record, so that no record is read but the one that counts.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from grader.closing import Closing
from grader.errors import GraderError
from grader.outcomes import Reread
from grader.record import outcome_from_record, to_record, write_json
from grader.roster import Person
from grader.verdict import Absent, Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from grader.verdict import Outcome

FILE_NAME = "gradebook.sqlite"

_APPLICATION = 0x47524452
"""What marks an SQLite file as a gradebook of ours: `GRDR`."""

_MIGRATIONS = (
    """
    CREATE TABLE attempt (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        student TEXT NOT NULL,
        exercise TEXT NOT NULL,
        key TEXT NOT NULL,
        record TEXT NOT NULL
    ) STRICT;
    CREATE INDEX attempt_of ON attempt (student, exercise);
    CREATE TABLE arrival (
        student TEXT NOT NULL,
        exercise TEXT NOT NULL,
        PRIMARY KEY (student, exercise)
    ) STRICT;
    CREATE TABLE person (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        aliases TEXT NOT NULL
    ) STRICT;
    """,
    """
    ALTER TABLE attempt ADD COLUMN xp INTEGER;
    ALTER TABLE attempt ADD COLUMN submission TEXT;
    UPDATE attempt SET
        xp = json_extract(record, '$.xp'), submission = json_extract(record, '$.provenance.submission');
    DROP INDEX attempt_of;
    CREATE INDEX attempt_stands ON attempt (student, exercise, submission, xp, key);
    """,
)
"""What turns version n of the form into version n + 1."""

_ADD = """
    INSERT INTO attempt (at, student, exercise, key, record, xp, submission) VALUES (?, ?, ?, ?, ?, ?, ?)
    """

_STUDENTS = """
    SELECT id FROM person UNION SELECT student FROM attempt UNION SELECT student FROM arrival ORDER BY 1
    """

_COUNTS = """
    SELECT record FROM attempt WHERE id = (
        SELECT id FROM attempt AS this
        WHERE student = ?1 AND exercise = ?2 AND NOT EXISTS (
            SELECT 1 FROM attempt AS later
            WHERE student = ?1 AND exercise = ?2 AND submission = this.submission AND later.id > this.id
        )
        ORDER BY xp IS NULL, CASE ?3 WHEN 'best' THEN xp END DESC, id DESC
        LIMIT 1
    )
    """
"""The attempt that counts: of what could be graded, which has XP, the last grade of each submission; else the last.

All but its record stands in the index `attempt_stands`.
"""

_LAST_FIRST = "SELECT id, record FROM attempt WHERE student = ? AND exercise = ? AND key = ? ORDER BY id DESC"

_GRADED_SINCE = """
    SELECT EXISTS (
        SELECT 1 FROM attempt WHERE student = ? AND exercise = ? AND key <> ? AND id > ? AND xp IS NOT NULL
    )
    """

_PATIENCE_SECONDS = 60.0
"""How long a commit waits for another grader's."""


class Policy(StrEnum):
    """Which of a student's submissions for one exercise counts."""

    BEST = "best"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at grading one submission, as the gradebook holds it.

    Attributes:
        at: When it was kept, in UTC.
        outcome: What came of it.
    """

    at: datetime
    outcome: Report | Ungraded


class Gradebook(Closing):
    """A gradebook that is open; lasts as long as the command that grades or reads it.

    Args:
        path: The file; made where there is none, for its owner alone.

    Attributes:
        remark: What was done to the file in opening it that its owner should know of; usually empty.

    Raises:
        GraderError: It is no gradebook, a newer grader's, or cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.remark = ""
        with self._told("opened"):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # what SQLite puts beside it takes its mode
            self._database = sqlite3.connect(path, timeout=_PATIENCE_SECONDS, isolation_level=None)
        try:
            with self._told("opened"):
                self._database.execute("PRAGMA synchronous = FULL")
                self._database.execute("PRAGMA trusted_schema = OFF")
                self._check_form()
                self._database.execute("PRAGMA journal_mode = WAL")
        except BaseException:
            self._database.close()
            raise

    def _check_form(self) -> None:
        """Bring the database to the present form."""
        with self._transaction():
            is_new = not self._number("schema_version")
            version = self._number("user_version")
            if not is_new and self._number("application_id") != _APPLICATION:
                raise GraderError(f"{self._path} is no gradebook; name another folder")
            if version > len(_MIGRATIONS):
                advice = "update the grader, or name another folder"
                raise GraderError(f"{self._path} was written by a newer grader (form {version}); {advice}")
            if version == len(_MIGRATIONS):
                return
            if not is_new:
                self._remark_copy(version)
            for migration in _MIGRATIONS[version:]:
                for statement in filter(str.strip, migration.split(";")):
                    self._database.execute(statement)
            self._database.execute(f"PRAGMA application_id = {_APPLICATION}")
            self._database.execute(f"PRAGMA user_version = {len(_MIGRATIONS)}")

    def _remark_copy(self, version: int) -> None:
        """Copy a database of an earlier form before it is changed, and remark on it."""
        kept = self._path.with_name(f"{self._path.name}.form-{version}")
        os.close(os.open(kept, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
        with (
            contextlib.closing(sqlite3.connect(self._path)) as source,
            contextlib.closing(sqlite3.connect(kept)) as copy,
        ):
            source.backup(copy)
        self.remark = f"{self._path} was brought from form {version} to {len(_MIGRATIONS)}; {kept} is as it was."

    def _number(self, pragma: str) -> int:
        return int(self._database.execute(f"PRAGMA {pragma}").fetchone()[0])

    def keep(self, outcome: Report | Ungraded, key: str) -> None:
        """Add an attempt; when this returns, it is on disk.

        Args:
            outcome: What came of it.
            key: What all of it depended on; see `grading.reuse_key`.

        Raises:
            GraderError: It cannot be written.
        """
        xp, submission = (outcome.xp, outcome.provenance.submission) if isinstance(outcome, Report) else (None, None)
        at, record = datetime.now(UTC).isoformat(timespec="seconds"), write_json(to_record(outcome))
        row = (at, outcome.student, outcome.exercise, key, record, xp, submission)
        with self._told("written"), self._transaction():
            self._database.execute(_ADD, row)

    def reuse(self, student: str, exercise: str, key: str) -> Report | None:
        """Return the last report that was made from the same things, if there is one that holds for good.

        Where something else was graded since, the report counts as the last attempt again.

        Raises:
            GraderError: The gradebook cannot be read or written.
        """
        theirs = (student, exercise, key)
        with self._told("read"):
            same = ((number, _tried(record)) for number, record in self._database.execute(_LAST_FIRST, theirs))
            lasting = ((number, each) for number, each in same if isinstance(each, Report) and each.is_repeatable)
            number, report = next(lasting, (0, None))
            (is_past,) = self._database.execute(_GRADED_SINCE, (*theirs, number)).fetchone()
        if report and is_past:
            self.keep(report, key)
        return report

    @contextlib.contextmanager
    def outcomes(self, exercises: Sequence[str], policy: Policy = Policy.BEST) -> Iterator[Reread]:
        """Let what everybody in the class stands at in some exercises be read, as it is now, however often.

        Whatever is kept meanwhile, elsewhere, is not seen; here, nothing can be.

        Args:
            exercises: Ids of the exercises; their order is that of each student's outcomes.
            policy: Which of a student's submissions counts.

        Raises:
            GraderError: The gradebook cannot be read, also while the outcomes are gone through.
        """

        def read() -> Iterator[Outcome]:
            with self._told("read"):
                for (student,) in self._database.execute(_STUDENTS):
                    for exercise in exercises:
                        yield self.stands_at(student, exercise, policy)

        with self._told("read"):
            self._database.execute("BEGIN")
        try:
            yield Reread(read)
        finally:
            self._database.rollback()

    def exercises(self) -> tuple[str, ...]:
        """Return the ids of all exercises that were ever tried, in order.

        Raises:
            GraderError: The gradebook cannot be read.
        """
        with self._told("read"):
            found = self._database.execute("SELECT DISTINCT exercise FROM attempt ORDER BY exercise")
            return tuple(exercise for (exercise,) in found)

    def stands_at(self, student: str, exercise: str, policy: Policy = Policy.BEST) -> Outcome:
        """Return what one student stands at in an exercise.

        Raises:
            GraderError: The gradebook cannot be read.
        """
        with self._told("read"):
            counts = self._database.execute(_COUNTS, (student, exercise, policy)).fetchone()
            if counts:
                return _tried(*counts)
            arrived = self._database.execute(
                "SELECT 1 FROM arrival WHERE student = ? AND exercise = ?", (student, exercise)
            ).fetchone()
        if arrived:
            return Ungraded(student, exercise, "It was handed in and has not been graded yet; grade again.")
        return Absent(student, exercise)

    def activity(self) -> tuple[int, datetime | None]:
        """Return how many attempts there are, and when the last was kept.

        Raises:
            GraderError: The gradebook cannot be read.
        """
        with self._told("read"):
            number, last = self._database.execute("SELECT count(*), max(at) FROM attempt").fetchone()
            return int(number), datetime.fromisoformat(last) if last else None

    def attempts(self, student: str, exercise: str) -> tuple[Attempt, ...]:
        """Return every attempt of one student at one exercise, the first first.

        Raises:
            GraderError: The gradebook cannot be read.
        """
        with self._told("read"):
            rows = self._database.execute(
                "SELECT at, record FROM attempt WHERE student = ? AND exercise = ? ORDER BY id", (student, exercise)
            )
            return tuple(Attempt(datetime.fromisoformat(at), _tried(record)) for at, record in rows)

    def keep_people(self, people: Iterable[Person]) -> None:
        """Take people into the class; who is in it already gets the name and aliases given now.

        Raises:
            GraderError: It cannot be written.
        """
        rows = ((person.id, person.name, json.dumps(sorted(person.aliases))) for person in people)
        with self._told("written"), self._transaction():
            self._database.executemany("INSERT OR REPLACE INTO person (id, name, aliases) VALUES (?, ?, ?)", rows)

    def keep_arrivals(self, arrivals: Iterable[tuple[str, str]]) -> None:
        """Note that students handed something in for exercises, before it is graded.

        Args:
            arrivals: Ids of a student and of an exercise.

        Raises:
            GraderError: It cannot be written.
        """
        with self._told("written"), self._transaction():
            self._database.executemany("INSERT OR IGNORE INTO arrival (student, exercise) VALUES (?, ?)", arrivals)

    def people(self) -> Iterator[Person]:
        """Read the class, by id: everybody who was taken into it.

        Raises:
            GraderError: The gradebook cannot be read.
        """
        with self._told("read"):
            for student, name, aliases in self._database.execute("SELECT id, name, aliases FROM person ORDER BY id"):
                yield Person(student, name, frozenset(json.loads(aliases)))

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Do all of something or nothing, alone."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.rollback()
            raise
        self._database.commit()

    @contextlib.contextmanager
    def _told(self, what: str) -> Iterator[None]:
        """Say of the file what went wrong with it."""
        try:
            yield
        except OSError as error:
            raise GraderError(f"{self._path} cannot be {what}: {error.strerror}; name another folder") from error
        except (sqlite3.Error, ValueError, TypeError, RecursionError) as error:
            advice = "make room, mend it from a copy, or name another folder"
            raise GraderError(f"{self._path} cannot be {what}: {error}; {advice}") from error


def _tried(record: str) -> Report | Ungraded:
    """What came of an attempt, by its record."""
    outcome = outcome_from_record(json.loads(record))
    if not isinstance(outcome, Report | Ungraded):
        raise ValueError("an attempt that is none")  # noqa: TRY004  # the file is at fault
    return outcome
