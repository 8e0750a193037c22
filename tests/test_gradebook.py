"""The gradebook keeps every attempt, whatever interrupts, and says what each student stands at."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.errors import GraderError
from grader.gradebook import Gradebook, Policy
from grader.record import to_record, write_json
from grader.roster import Person
from grader.verdict import Absent, Provenance, Report, Result, Ungraded, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from grader.verdict import Outcome

FIRST, SECOND = "a" * 64, "b" * 64
"""Two submissions."""

FORM_1 = """
    CREATE TABLE attempt (
        id INTEGER PRIMARY KEY, at TEXT NOT NULL, student TEXT NOT NULL, exercise TEXT NOT NULL, key TEXT NOT NULL,
        record TEXT NOT NULL
    ) STRICT;
    CREATE INDEX attempt_of ON attempt (student, exercise);
    CREATE TABLE arrival (student TEXT NOT NULL, exercise TEXT NOT NULL, PRIMARY KEY (student, exercise)) STRICT;
    CREATE TABLE person (id TEXT PRIMARY KEY, name TEXT NOT NULL, aliases TEXT NOT NULL) STRICT;
    PRAGMA application_id = 1196573778;
    PRAGMA user_version = 1;
"""

TEXT = st.text(st.characters(codec="utf-8"))


def report(xp: int, submission: str = FIRST, student: str = "ada", what: str = "", **result: Any) -> Report:
    """A report of one check that earned some of 25 XP, and one that earned nothing."""
    provenance = Provenance(submission, "e" * 64, "docker", "sha256:c0ffee", "f00d", (("grader", "0.1.0"),))
    results = (
        Result("check_a", "Right?", False, Verdict.PASSED, xp, what=what),  # noqa: FBT003  # hidden
        replace(Result("check_b", "Right elsewhere?", True, Verdict.FAILED, 25 - xp), **result),  # noqa: FBT003
    )
    return Report(student, "pow", "Powers", "value.py", 25, results, provenance)


def everything(book: Gradebook, *exercises: str, policy: Policy = Policy.BEST) -> tuple[Outcome, ...]:
    """What everybody stands at in some exercises."""
    with book.outcomes(exercises, policy) as outcomes:
        return tuple(outcomes)


def write_form_1(path: Path, attempts: Sequence[Report | Ungraded]) -> None:
    """A gradebook as the first graders made it."""
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.executescript(FORM_1)
        database.executemany(
            "INSERT INTO attempt (at, student, exercise, key, record) VALUES (?, ?, ?, 'k', ?)",
            [
                ("2026-03-01T18:00:00+00:00", each.student, each.exercise, write_json(to_record(each)))
                for each in attempts
            ],
        )


def dump(path: Path) -> list[str]:
    """All that a database holds."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the gradebook is."""
    return tmp_path / "gradebook.sqlite"


@pytest.fixture
def book(path: Path) -> Iterator[Gradebook]:
    """A new gradebook."""
    with Gradebook(path) as opened:
        yield opened


class TestStanding:
    """What a student stands at."""

    def test_nobody(self, book: Gradebook) -> None:
        """A new gradebook holds nothing."""
        assert () == everything(book, "pow")
        assert () == book.attempts("ada", "pow")
        assert (0, None) == book.activity()

    def test_round_trip(self, book: Gradebook, path: Path) -> None:
        """A report comes back as it was, texts and all, also when the file is opened again."""
        kept = report(7, what="Müller \ud800\x1b[31m\n'; DROP TABLE attempt; --")
        book.keep(kept, "k")
        back = replace(kept.results[0], what="Müller \\ud800\x1b[31m\n'; DROP TABLE attempt; --")

        with Gradebook(path) as again:
            assert (replace(kept, results=(back, kept.results[1])),) == everything(again, "pow")

    @pytest.mark.parametrize(
        ("attempts", "best", "last"),
        [
            ([(7, FIRST)], 7, 7),
            ([(7, FIRST), (19, SECOND)], 19, 19),
            ([(19, FIRST), (7, SECOND)], 19, 7),
            ([(19, FIRST), (7, SECOND), (4, FIRST)], 7, 4),
            ([(7, FIRST), (7, SECOND)], 7, 7),
        ],
    )
    def test_policy(self, book: Gradebook, attempts: list[tuple[int, str]], best: int, last: int) -> None:
        """Of several submissions the best or the last counts; one that was graded again stands at its last grade."""
        for xp, submission in attempts:
            book.keep(report(xp, submission), "k")
        stands = [book.stands_at("ada", "pow", policy) for policy in (Policy.BEST, Policy.LAST)]

        assert [best, last] == [outcome.xp for outcome in stands if isinstance(outcome, Report)]

    def test_failed_regrade(self, book: Gradebook) -> None:
        """A regrade that fails takes no grade away; where there is none, its reason is told."""
        book.keep(Ungraded("ada", "pow", "No engine."), "k")
        before = book.stands_at("ada", "pow")
        book.keep(report(7), "k")
        book.keep(Ungraded("ada", "pow", "The engine died."), "k")

        assert Ungraded("ada", "pow", "No engine.") == before
        assert report(7) == book.stands_at("ada", "pow")
        assert report(7) == book.stands_at("ada", "pow", Policy.LAST)
        assert 3 == len(book.attempts("ada", "pow"))

    def test_everybody(self, book: Gradebook) -> None:
        """There is one outcome for each student and exercise, in order, whoever is known from whatever."""
        for student in ("bo", "ada", "Ada", "ada\u0301"):
            book.keep(report(7, student=student), "k")
        book.keep_people([Person("carl")])
        book.keep_arrivals([("dora", "pow"), ("bo", "pow")])
        found = everything(book, "pow", "fit")

        assert ["Ada", "ada", "ada\u0301", "bo", "carl", "dora"] == [each.student for each in found[::2]]
        assert ["pow", "fit"] * 6 == [each.exercise for each in found]
        assert Absent("carl", "pow") == found[8]
        assert Ungraded("dora", "pow", "It was handed in and has not been graded yet; grade again.") == found[10]
        assert {Absent(each.student, "fit") for each in found} == set(found[1::2])
        assert ("pow",) == book.exercises()
        assert 4 == book.activity()[0]

    def test_one_moment(self, book: Gradebook, path: Path) -> None:
        """Outcomes can be gone through again, and stay what they were although another grader goes on."""
        book.keep(report(7), "k")
        with book.outcomes(["pow"]) as outcomes, Gradebook(path) as other:
            first = list(outcomes)
            other.keep(report(19), "l")
            other.keep(report(19, student="bo"), "l")
            again = list(outcomes)

        assert [report(7)] == first == again
        assert (report(19), report(19, student="bo")) == everything(book, "pow")

    def test_one_record(self, book: Gradebook, path: Path) -> None:
        """Of all attempts of a student only the one that counts is read."""
        for xp in (7, 19, 4):
            book.keep(report(xp, f"{xp:064}"), "k")
        with contextlib.closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE attempt SET record = '' WHERE xp <> 19")

        assert report(19, f"{19:064}") == book.stands_at("ada", "pow")


class TestReuse:
    """What need not be graded again."""

    def test_same_key(self, book: Gradebook) -> None:
        """A report is reused for its student, exercise and key alone, and adds no attempt."""
        book.keep(report(7), "k")

        assert report(7) == book.reuse("ada", "pow", "k")
        assert [None] * 3 == [
            book.reuse(*who) for who in (("bo", "pow", "k"), ("ada", "fit", "k"), ("ada", "pow", "l"))
        ]
        assert 1 == len(book.attempts("ada", "pow"))

    def test_back_to_an_earlier_one(self, book: Gradebook) -> None:
        """Who hands in an earlier file again stands at it under `last`."""
        book.keep(report(7, FIRST), "k")
        book.keep(report(19, SECOND), "l")
        book.reuse("ada", "pow", "k")

        assert report(7, FIRST) == book.stands_at("ada", "pow", Policy.LAST)

    @pytest.mark.parametrize("result", [{"verdict": Verdict.TIMEOUT}, {"retried": True}])
    def test_time(self, book: Gradebook, result: dict[str, Any]) -> None:
        """What a limit of time took part in is not reused."""
        book.keep(report(7, **result), "k")

        assert book.reuse("ada", "pow", "k") is None

    def test_ungraded(self, book: Gradebook) -> None:
        """What could not be graded is tried again."""
        book.keep(Ungraded("ada", "pow", "No engine."), "k")

        assert book.reuse("ada", "pow", "k") is None

    def test_after_a_fault(self, book: Gradebook) -> None:
        """An earlier grade is reused past a regrade that failed."""
        book.keep(report(7), "k")
        book.keep(Ungraded("ada", "pow", "No engine."), "k")

        assert report(7) == book.reuse("ada", "pow", "k")
        assert 2 == len(book.attempts("ada", "pow"))


class TestTheFile:
    """One file, for its owner alone, of a known form."""

    def test_private(self, book: Gradebook, path: Path) -> None:
        """Nobody else reads it, nor what lies beside it while it is open."""
        book.keep(report(7), "k")
        beside = sorted(path.parent.iterdir())

        assert 3 == len(beside)
        assert {0o600} == {stat.S_IMODE(file.stat().st_mode) for file in beside}

    def test_durable(self, book: Gradebook) -> None:
        """A commit is on disk when it returns, also with a write-ahead log."""
        settings = [book._database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]  # noqa: SLF001

        assert ["wal", 2] == settings

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"student,xp\n" * 1000, "file is not a database"),
            ("CREATE TABLE attempt (x)", "is no gradebook"),
            ("PRAGMA application_id = 1196573778; CREATE TABLE t (x); PRAGMA user_version = 99", "newer grader"),
        ],
    )
    def test_something_else(self, path: Path, content: bytes | str, said: str) -> None:
        """What is no gradebook, or a newer one, is refused in one line and left alone."""
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            with sqlite3.connect(path) as other:
                other.executescript(content)
            other.close()
        before = path.read_bytes()
        with pytest.raises(GraderError, match=said) as caught:
            Gradebook(path)

        assert 1 == len(str(caught.value).splitlines())
        assert before == path.read_bytes()

    def test_nowhere(self, tmp_path: Path) -> None:
        """A place where no file can be is told."""
        with pytest.raises(GraderError, match="cannot be opened: No such file"):
            Gradebook(tmp_path / "nowhere" / "gradebook.sqlite")

    def test_damaged(self, book: Gradebook, path: Path) -> None:
        """An attempt that cannot be read back is told, not passed over."""
        book.keep(report(7), "k")
        with sqlite3.connect(path) as other:
            other.execute('UPDATE attempt SET record = \'{"state": "absent", "student": "a", "exercise": "b"}\'')
        other.close()
        with pytest.raises(GraderError, match="cannot be read: an attempt that is none"):
            everything(book, "pow")

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ("UPDATE person SET aliases = '5'", "'int' object is not iterable"),
            ("UPDATE person SET aliases = '[[1]]'", "unhashable type: 'list'"),
            ("UPDATE attempt SET record = replace(hex(zeroblob(4500)), '0', '[')", "maximum recursion depth exceeded"),
        ],
    )
    def test_damaged_elsewhere(self, book: Gradebook, path: Path, change: str, said: str) -> None:
        """So is whatever else is damaged, in a line."""
        book.keep_people([Person("ada", "Ada", frozenset())])
        book.keep(report(7), "k")
        with sqlite3.connect(path) as other:
            other.execute(change)
        other.close()
        with pytest.raises(GraderError, match="cannot be read: " + re.escape(said)):
            everything(book, "pow"), list(book.people())

    def test_migration(self, path: Path) -> None:
        """An earlier form is brought forward, keeping all, with a copy of what was and a remark that says so."""
        attempts: list[Report | Ungraded] = [
            *(report(19, FIRST), report(7, SECOND), report(4, FIRST), Ungraded("ada", "pow", "No engine.")),
            *(Ungraded("bo", "pow", "No engine."), report(7, FIRST, student="bo")),
            Ungraded("carl", "pow", "No engine."),
        ]
        write_form_1(path, attempts)
        with Gradebook(path.with_name("new.sqlite")) as book:
            for attempt in attempts:
                book.keep(attempt, "k")
            expected = [everything(book, "pow", policy=policy) for policy in Policy]
        copy = path.with_name("gradebook.sqlite.form-1")
        before = dump(path)
        with Gradebook(path) as book:
            remark, reused = book.remark, book.reuse("ada", "pow", "k")
            found = [everything(book, "pow", policy=policy) for policy in Policy]
            kept = [each.outcome for who in ("ada", "bo", "carl") for each in book.attempts(who, "pow")]
        with Gradebook(path) as book:
            again = book.remark

        assert f"{path} was brought from form 1 to 2; {copy} is as it was." == remark
        assert not again
        assert before == dump(copy)
        assert expected == found
        assert attempts == kept
        assert report(4, FIRST) == reused


class TestThePeople:
    """Who is in the class."""

    @given(people=st.dictionaries(TEXT.filter(bool), st.sets(TEXT)))
    @settings(max_examples=30)
    def test_round_trip(self, people: dict[str, set[str]], tmp_path_factory: pytest.TempPathFactory) -> None:
        """They come back by id, as they were told last."""
        persons = [Person(student, f"{student}!", frozenset(aliases)) for student, aliases in people.items()]
        with Gradebook(tmp_path_factory.mktemp("book") / "gradebook.sqlite") as book:
            book.keep_people(Person(person.id, "before") for person in persons)
            book.keep_people(persons)

            assert sorted(persons, key=lambda person: person.id.encode()) == list(book.people())


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from test_gradebook import report
from grader.gradebook import Gradebook

with Gradebook(Path(sys.argv[1])) as book:
    for number in range(10_000):
        book.keep(report(number % 25, f"{number:064}", student=sys.argv[2]), "k")
        print(number, flush=True)
"""


class TestInterrupted:
    """Whatever happens to a grader, what it said is kept is there."""

    def writer(self, path: Path, student: str) -> subprocess.Popen[str]:
        """Start a process that keeps one attempt after another and tells each."""
        arguments = [sys.executable, "-c", WRITER, str(path), student, os.path.dirname(__file__)]  # noqa: PTH120
        return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)  # noqa: S603

    def test_killed(self, path: Path) -> None:
        """Killed at any instant, a writer leaves what it had told, at most one more, and nothing in pieces."""
        told: list[int] = []
        for _ in range(8):
            with self.writer(path, f"student {len(told)}") as process:
                assert process.stdout is not None
                assert process.stdout.readline() == "0\n"
                time.sleep(0.01 * len(told))
                process.send_signal(signal.SIGKILL)
                told.append(1 + len(process.stdout.read().splitlines()))
        with Gradebook(path) as book:
            kept = [len(book.attempts(f"student {number}", "pow")) for number in range(len(told))]
            whole = book._database.execute("PRAGMA integrity_check").fetchone()[0]  # noqa: SLF001

        assert "ok" == whole
        assert [True] * len(told) == [0 <= found - said <= 1 for found, said in zip(kept, told, strict=True)]

    def test_two_at_once(self, path: Path) -> None:
        """Two graders share a gradebook, and each keeps all of its own."""

        def keep(student: str) -> None:
            with Gradebook(path) as book:
                for number in range(50):
                    book.keep(report(number % 25, f"{number:064}", student=student), "k")

        threads = [threading.Thread(target=keep, args=[student]) for student in ("ada", "bo")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with Gradebook(path) as book:
            assert [50, 50] == [len(book.attempts(student, "pow")) for student in ("ada", "bo")]

    def test_full_disk(self, book: Gradebook) -> None:
        """A disk that is full is told, and what was kept before stays."""
        book.keep(report(7), "k")
        pages = book._database.execute("PRAGMA page_count").fetchone()[0]  # noqa: SLF001
        book._database.execute(f"PRAGMA max_page_count = {pages}")  # noqa: SLF001
        with pytest.raises(GraderError, match="cannot be written: database or disk is full"):
            book.keep(report(7, what="x" * 100_000), "k")

        assert (report(7),) == everything(book, "pow")
