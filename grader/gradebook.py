"""The gradebook: every attempt at every exercise of a course, in one file that survives whatever interrupts grading.

It is an SQLite database in WAL mode whose every commit is on disk before the call returns (`synchronous=FULL`,
https://sqlite.org/pragma.html#pragma_synchronous), so neither SIGKILL nor a power failure loses an attempt that
counts, or leaves half of one. Attempts are only ever added. Several graders may use one gradebook at once: each commit
waits for its turn.

What a student *stands at* is concluded when it is read: a submission that was graded again stands at its last grade,
a failed regrade takes no grade away, and of several submissions the best or the last counts.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from grader.errors import GraderError
from grader.record import outcome_from_record, to_record, write_json
from grader.roster import Person
from grader.verdict import Absent, Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

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
)
"""What turns version n of the form into version n + 1."""

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


class Gradebook:
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
        with self._told("written"), self._transaction():
            self._database.execute(
                "INSERT INTO attempt (at, student, exercise, key, record) VALUES (?, ?, ?, ?, ?)",
                (
                    datetime.now(UTC).isoformat(timespec="seconds"),
                    outcome.student,
                    outcome.exercise,
                    key,
                    write_json(to_record(outcome)),
                ),
            )

    def reuse(self, student: str, exercise: str, key: str) -> Report | None:
        """Return the last report that was made from the same things, if there is one that holds for good.

        Where something else was graded since, the report counts as the last attempt again.

        Raises:
            GraderError: The gradebook cannot be read or written.
        """
        attempts = self._attempts(student, exercise)
        for made, attempt in reversed(attempts):
            report = attempt.outcome
            if made == key and isinstance(report, Report) and report.is_repeatable:
                if attempts[-1][0] != key:
                    self.keep(report, key)
                return report
        return None

    def outcomes(self, exercises: Sequence[str], policy: Policy = Policy.BEST) -> tuple[Outcome, ...]:
        """Return what everybody in the class stands at in some exercises, by student, then in the given order.

        Raises:
            GraderError: The gradebook cannot be read.
        """
        tried, arrived = (self._pairs(table) for table in ("attempt", "arrival"))
        students = sorted({person.id for person in self.people()} | {student for student, _ in tried | arrived})

        def outcome(student: str, exercise: str) -> Outcome:
            if (student, exercise) in tried:
                return self.stands_at(student, exercise, policy)
            if (student, exercise) in arrived:
                return Ungraded(student, exercise, "It was handed in and has not been graded yet; grade again.")
            return Absent(student, exercise)

        return tuple(outcome(*who) for who in itertools.product(students, exercises))

    def _pairs(self, table: str) -> set[tuple[str, str]]:
        """The students and exercises that a table is about."""
        with self._told("read"):
            rows = self._database.execute(f"SELECT DISTINCT student, exercise FROM {table}")  # noqa: S608  # our own
            return {(str(student), str(exercise)) for student, exercise in rows}

    def exercises(self) -> tuple[str, ...]:
        """Return the ids of all exercises that were ever tried, in order.

        Raises:
            GraderError: The gradebook cannot be read.
        """
        return tuple(sorted({exercise for _, exercise in self._pairs("attempt")}))

    def stands_at(self, student: str, exercise: str, policy: Policy = Policy.BEST) -> Report | Ungraded:
        """Return what one student stands at in an exercise that was tried at least once.

        Raises:
            GraderError: The gradebook cannot be read.
        """
        outcomes = [attempt.outcome for _, attempt in self._attempts(student, exercise)]
        graded: dict[str, Report] = {}
        for outcome in outcomes:
            if isinstance(outcome, Report):
                graded.pop(outcome.provenance.submission, None)  # the last grade of a submission takes the last place
                graded[outcome.provenance.submission] = outcome
        if not graded:
            return outcomes[-1]
        reports = list(graded.values())
        return reports[-1] if policy is Policy.LAST else max(reversed(reports), key=lambda report: report.xp)

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
        return tuple(attempt for _, attempt in self._attempts(student, exercise))

    def _attempts(self, student: str, exercise: str) -> Sequence[tuple[str, Attempt]]:
        """Each attempt with its key."""
        with self._told("read"):
            rows = self._database.execute(
                "SELECT key, at, record FROM attempt WHERE student = ? AND exercise = ? ORDER BY id",
                (student, exercise),
            ).fetchall()
            return [
                (key, Attempt(datetime.fromisoformat(at), _tried(outcome_from_record(json.loads(record)))))
                for key, at, record in rows
            ]

    def keep_people(self, people: Iterable[Person]) -> None:
        """Take people into the class; who is in it already gets the name and aliases given now.

        Raises:
            GraderError: It cannot be written.
        """
        rows = [(person.id, person.name, json.dumps(sorted(person.aliases))) for person in people]
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

    def people(self) -> tuple[Person, ...]:
        """Return the class, by id: everybody who was taken into it.

        Raises:
            GraderError: The gradebook cannot be read.
        """
        with self._told("read"):
            rows = self._database.execute("SELECT id, name, aliases FROM person ORDER BY id").fetchall()
            return tuple(Person(student, name, frozenset(json.loads(aliases))) for student, name, aliases in rows)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> Self:
        """Return the gradebook."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()

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
        except (sqlite3.Error, ValueError) as error:
            advice = "mend it from a copy, or name another folder"
            raise GraderError(f"{self._path} cannot be {what}: {error}; {advice}") from error


def _tried(outcome: object) -> Report | Ungraded:
    if not isinstance(outcome, Report | Ungraded):
        raise ValueError("an attempt that is none")  # noqa: TRY004  # the file is at fault
    return outcome
