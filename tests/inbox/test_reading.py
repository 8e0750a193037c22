"""Every file that arrived belongs to somebody, for something; nothing odd is opened, followed or forgotten."""

from __future__ import annotations

import dataclasses
import os
import socket
import tempfile
import threading
import unicodedata
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.inbox import LAST, InboxOptions, Origin, read_inbox, read_one
from grader.inbox.attempts import is_litter
from grader.intake import Ignored, folder_on_disk
from grader.roster import Person, read_roster
from grader.submission import Part, Submission
from grader.verdict import Absent, Ungraded
from tests.arrivals import FIT, POW, as_folder, exercise, handed_in, ignored, notebook, problems, tarred, zipped

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.exercise import Exercise

X = b"x = 1\n"


def only(*students: str) -> InboxOptions:
    """Options that ask for some students."""
    return InboxOptions(students=students)


class TestWhatIsHandedIn:
    """Which file belongs to whom, and for what."""

    def test_a_file_belongs_to_the_exercise_that_asks_for_its_name(self, tmp_path: Path) -> None:
        """And to the student whose folder it lies in; what is not there is absent."""
        files = {"bob/value.py": b"bob's", "ann/fit.ipynb": notebook("ann's fit"), "ann/value.py": b"ann's"}
        inbox = read_inbox(as_folder(tmp_path, files), [POW, FIT])

        assert (
            Submission("ann", "pow", "value.py", b"ann's"),
            Submission("ann", "fit", "fit.ipynb", b"", cells=("ann's fit",), siblings=(Part("value.py", b"ann's"),)),
            Submission("bob", "pow", "value.py", b"bob's"),
        ) == tuple(inbox.submissions)
        assert (
            Origin("ann/value.py", 1, 1, late=None, doubt=""),
            Origin("ann/fit.ipynb", 1, 1, late=None, doubt=""),
            Origin("bob/value.py", 1, 1, late=None, doubt=""),
        ) == inbox.origins
        assert (Absent("bob", "fit"),) == inbox.absent
        assert (Person("ann"), Person("bob")) == inbox.people
        assert ((), (), ()) == (inbox.strangers, inbox.ungraded, inbox.ignored)

    def test_a_student_who_hands_in_nothing_is_absent(self, tmp_path: Path) -> None:
        """From every exercise."""
        inbox = read_inbox(as_folder(tmp_path, {"ann/": b""}), [POW, FIT])

        assert (Absent("ann", "pow"), Absent("ann", "fit")) == inbox.absent

    @pytest.mark.parametrize("name", ["-rf", "=1+1", "a\nb", "x" * 255, "Müller, Jr.", "\u202eann"])
    def test_the_students_id_is_the_folders_name(self, tmp_path: Path, name: str) -> None:
        """As it is: who writes it somewhere makes it fit there."""
        inbox = read_inbox(as_folder(tmp_path, {f"{name}/value.py": X}), [POW])

        assert name == inbox.submissions[0].student

    @pytest.mark.parametrize(
        "twins", [("ann", "Ann"), tuple(unicodedata.normalize(form, "é") for form in ("NFC", "NFD"))]
    )
    def test_names_that_look_alike_are_two_students(self, tmp_path: Path, twins: tuple[str, str]) -> None:
        """Case and Unicode form tell them apart, also in archives."""
        files = {f"{twin}/value.py": twin.encode() for twin in twins}
        archive = tmp_path / "class.zip"
        archive.write_bytes(zipped(files))

        for arrived in (as_folder(tmp_path / "class", files), archive):
            assert {twin: twin.encode() for twin in twins} == {
                submission.student: submission.source for submission in read_inbox(arrived, [POW]).submissions
            }

    def test_a_name_that_is_not_utf_8_becomes_text(self, tmp_path: Path) -> None:
        """So that it can be written anywhere, and given back as it was written."""
        as_folder(tmp_path, {"m\udcfcller/value.py": X, "m\udcfcller/na\udcefve.txt": X})

        for students in ((), ("m\\xfcller",), ("m\udcfcller",)):
            inbox = read_inbox(tmp_path, [POW], only(*students))

            assert "m\\xfcller" == inbox.submissions[0].student
            assert "m\\xfcller/na\\xefve.txt" == inbox.ignored[0].path

    @pytest.mark.parametrize("suffix", ["/", ".py"])
    def test_two_names_that_become_one_text_are_refused(self, tmp_path: Path, suffix: str) -> None:
        """A report could not tell them apart."""
        as_folder(tmp_path, {f"m\\xfcller{suffix}": X, f"m\udcfcller{suffix}": X})
        with pytest.raises(SubmissionError, match=r"are both written m\\xfcller; rename"):
            read_inbox(tmp_path, [POW, FIT])

    def test_a_class_has_its_files_read_one_by_one(self, tmp_path: Path) -> None:
        """However many there are."""
        as_folder(tmp_path, {f"s{number:04}/value.py": b"%d" % number for number in range(1500)})
        inbox = read_inbox(tmp_path, [POW])

        assert [b"%d" % number for number in range(1500)] == [each.source for each in inbox.submissions]


class TestWhatIsOdd:
    """What a student handed in under the right name counts, whatever it is; none of it is opened."""

    def test_a_link_is_not_followed(self, tmp_path: Path) -> None:
        """Neither to a file, nor to a folder, nor to nowhere."""
        as_folder(tmp_path, {"eve/value.py": X})
        targets = {"ann": tmp_path / "eve/value.py", "bob": Path(), "cid": Path("nowhere")}
        for student, target in targets.items():
            (tmp_path / student).mkdir()
            (tmp_path / student / "value.py").symlink_to(target)

        assert dict.fromkeys(targets, "is a symbolic link, not a regular file") | {"eve": ""} == problems(
            read_inbox(tmp_path, [POW])
        )

    def test_other_kinds_are_not_opened(self, tmp_path: Path) -> None:
        """To open a pipe would wait for ever."""
        as_folder(tmp_path, {"dir/value.py/": b"", "fifo/": b"", "sock/": b""})
        os.mkfifo(tmp_path / "fifo/value.py")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(tmp_path / "sock/value.py"))

        assert {
            "dir": "is a folder, not a regular file",
            "fifo": "is a named pipe, not a regular file",
            "sock": "is a socket, not a regular file",
        } == problems(read_inbox(tmp_path, [POW]))

    def test_a_file_is_read_up_to_a_bound(self, tmp_path: Path) -> None:
        """A larger one is the student's problem, however large it is."""
        as_folder(tmp_path, {"ann/value.py": b"#" * (1024 * 1024 + 1), "bob/value.py": b"", "cid/value.ipynb": b""})
        os.truncate(tmp_path / "bob/value.py", 1 << 40)
        os.truncate(tmp_path / "cid/value.ipynb", 1 << 40)
        inbox = read_inbox(tmp_path, [POW])

        assert {
            "ann": "is larger than 1 MiB",
            "bob": "is larger than 1 MiB",
            "cid": "is larger than 64 MiB",
        } == problems(inbox)
        assert {b""} == {submission.source for submission in inbox.submissions}

    def test_a_file_that_changes_while_it_is_looked_at_is_not_followed(self, tmp_path: Path) -> None:
        """Whatever it is by the time it is opened, the answer is its own bytes, a problem or an error of ours."""
        as_folder(tmp_path, {"ann/value.py": b"own", "eve/value.py": b"secret"})
        file, secret, spare = tmp_path / "ann/value.py", tmp_path / "eve/value.py", tmp_path / "spare"
        done = threading.Event()

        def swap() -> None:
            while not done.is_set():
                spare.symlink_to(secret)
                spare.replace(file)
                spare.write_bytes(b"own")
                spare.replace(file)

        swapper = threading.Thread(target=swap)
        swapper.start()
        try:
            inboxes = [read_inbox(tmp_path, [POW], only("ann")) for _ in range(200)]
        finally:
            done.set()
            swapper.join()

        assert {1} == {len(inbox.submissions) + len(inbox.ungraded) for inbox in inboxes}
        assert {b"own", b""} >= {submission.source for inbox in inboxes for submission in inbox.submissions}


class TestWhatCannotBeRead:
    """What this machine refuses stops nobody else."""

    def test_a_file_that_cannot_be_read_is_ungraded(self) -> None:
        """Neither zero nor absent: here each thread of this process is a student, whose memory it is."""
        students = sorted(task.name for task in Path("/proc/self/task").iterdir())

        assert [Ungraded(student, "memory", "mem cannot be read: Input/output error.") for student in students] == [
            *read_inbox(Path("/proc/self/task"), [exercise("memory", "mem")]).ungraded
        ]

    def test_a_students_folder_that_is_a_link_is_ungraded(self, tmp_path: Path) -> None:
        """It is not followed, and the student is not forgotten."""
        as_folder(tmp_path, {"ann/value.py": X})
        (tmp_path / "bob").symlink_to("ann")
        inbox = read_inbox(tmp_path, [POW, FIT])
        reason = "The student's folder cannot be read: it is a symbolic link, and none is followed."

        assert (Ungraded("bob", "pow", reason), Ungraded("bob", "fit", reason)) == inbox.ungraded
        assert ["ann"] == [submission.student for submission in inbox.submissions]

    def test_a_folder_that_has_become_a_link_is_not_followed(self, tmp_path: Path) -> None:
        """What was looked at need not be what is opened."""
        (tmp_path / "ann").symlink_to("/etc")
        with pytest.raises(OSError, match="it is a symbolic link, and none is followed"):
            folder_on_disk(tmp_path / "ann", "ann").inside()

    def test_a_folder_in_it_that_cannot_be_read(self, tmp_path: Path) -> None:
        """It could hold what is missing, and has nothing to do with what is there."""
        long = "/".join(["x" * 250] * 17)  # as long as a path may be
        as_folder(tmp_path, {"ann/value.py": X})
        here = os.open(tmp_path / "ann", os.O_RDONLY)
        try:
            for name in long.split("/"):
                os.mkdir(name, dir_fd=here)
                here, outer = os.open(name, os.O_RDONLY, dir_fd=here), here
                os.close(outer)
        finally:
            os.close(here)
        inbox = read_inbox(tmp_path, [POW, FIT])

        assert {("ann", "pow"): "ann/value.py"} == handed_in(inbox)
        assert [("ann", "fit")] == [(each.student, each.exercise) for each in inbox.ungraded]
        assert inbox.ungraded[0].reason.endswith("cannot be read: File name too long.")


class TestWhatIsIgnored:
    """What belongs to no exercise is named, with the reason."""

    def test_other_files_are_named(self, tmp_path: Path) -> None:
        """With the name that was perhaps meant."""
        names = ("value (1).py", "notes.txt", "valu.txt", "Value.py", "value.py", "own.py", "math.py", "deep/own.py")
        as_folder(tmp_path, {f"ann/{name}": X for name in names} | {"list.csv": b""})

        assert {
            "ann/Value.py": "is not used: ann/value.py is",
            "ann/deep/own.py": "is not asked for",
            "ann/math.py": "is not imported: Python has a module math of its own",
            "ann/notes.txt": "is not asked for",
            "ann/valu.txt": "is not asked for; did you mean 'value.py'?",
            "ann/value (1).py": "is not used: ann/value.py is",
            "list.csv": "is no student's folder",
        } == ignored(read_inbox(tmp_path, [POW]))

    def test_what_systems_leave_behind_is_passed_over(self, tmp_path: Path) -> None:
        """It lies everywhere, and says nothing of anybody, so nobody is told."""
        names = ["ann/.DS_Store", "bob/.DS_Store", "__MACOSX/.DS_Store", ".DS_Store"]
        names += ["ann/__pycache__/value.cpython-311.pyc", "ann/.git/value.py", "ann/.ipynb_checkpoints/value.py"]
        inbox = read_inbox(as_folder(tmp_path, dict.fromkeys(names, b"")), [POW])

        assert {"ann", "bob"} == {absent.student for absent in inbox.absent}
        assert {} == ignored(inbox)
        assert {} == inbox.unused

    def test_a_flood_of_files_is_counted(self, tmp_path: Path) -> None:
        """A list that nobody reads helps nobody."""
        as_folder(tmp_path, {f"ann/{number:02}.txt": b"" for number in range(30)})
        found = read_inbox(tmp_path, [POW]).ignored

        assert Ignored("ann", "holds 10 more that are not asked for") == found[0]
        assert [f"ann/{number:02}.txt" for number in range(20)] == [each.path for each in found[1:]]

    def test_a_flood_of_folders_is_not_waded_through(self, tmp_path: Path) -> None:
        """What lies on top is found, and the end of the search is told."""
        as_folder(tmp_path, {f"ann/a{number:04}/{name}/": b"" for number in range(900) for name in ("x", "y", "z")})
        inbox = read_inbox(as_folder(tmp_path, {"ann/value.py": X, "ann/a/fit.py": X}), [POW, FIT])

        assert {("ann", "pow"): "ann/value.py", ("ann", "fit"): "ann/a/fit.py"} == handed_in(inbox)
        assert "and what follows is too much to look at" in ignored(inbox).values()


class TestWhatIsUnused:
    """Who handed in something of which nothing is used is absent, and named."""

    def test_nothing_of_it_fits(self, tmp_path: Path) -> None:
        """A report is no program; who handed in nothing, or something that is used, is not named."""
        files = {"ann/report.pdf": X, "ann/hw/notes.docx": X, "bob/": b"", "cid/value.py": X, "cid/report.pdf": X}
        inbox = read_inbox(as_folder(tmp_path, files), [POW, FIT])

        assert {"ann", "bob"} == {each.student for each in inbox.absent if each.exercise == "pow"}
        assert {"ann": ("ann/hw/notes.docx", "ann/report.pdf")} == inbox.unused

    def test_of_another_exercise(self, tmp_path: Path) -> None:
        """What is for an exercise that is not asked for is no mistake."""
        as_folder(tmp_path, {"ann/fit.py": X, "bob/fit.py": X, "bob/report.pdf": X})
        inbox = read_inbox(tmp_path, [POW], InboxOptions(others=(FIT,)))

        assert {"bob": ("bob/report.pdf",)} == inbox.unused

    def test_several_attempts(self, tmp_path: Path) -> None:
        """Of all attempts; and one that is not asked for could be used."""
        name = "l_ann_attempt_2026-03-0{}-09-00-00_{}"
        as_folder(tmp_path / "no", {name.format(1, "a.pdf"): X, name.format(2, "b.pdf"): X})
        as_folder(tmp_path / "yes", {name.format(1, "value.py"): X})

        assert {"ann": (name.format(1, "a.pdf"), name.format(2, "b.pdf"))} == read_inbox(tmp_path / "no", [POW]).unused
        assert {} == read_inbox(tmp_path / "yes", [POW], InboxOptions(attempt=2)).unused


class TestTheStarter:
    """What the student got and did nothing to."""

    STARTER = b"class Value:\r\n    pass\r\n"

    @pytest.fixture
    def pow_(self, tmp_path: Path) -> Exercise:
        """An exercise with a starter."""
        as_folder(tmp_path / "course", {"starter.py": self.STARTER.replace(b"\r", b"")})
        return dataclasses.replace(POW, folder=tmp_path / "course")

    @pytest.mark.parametrize(
        ("name", "doubt"),
        [
            ("value.py", "is the starter, unchanged"),
            ("Value.py", "is taken for value.py by its name and is the starter, unchanged"),
            ("hw1.py", "is taken for value.py because it defines Value and is the starter, unchanged"),
        ],
    )
    def test_handed_in(self, tmp_path: Path, pow_: Exercise, name: str, doubt: str) -> None:
        """It is graded, and marked, whatever its line ends."""
        inbox = read_inbox(as_folder(tmp_path / "class", {f"ann/{name}": self.STARTER}), [pow_])

        assert [doubt] == [origin.doubt for origin in inbox.origins]
        assert self.STARTER == inbox.submissions[0].source

    def test_lies_there(self, tmp_path: Path, pow_: Exercise) -> None:
        """Under its own name it is nothing that was handed in, unless the student worked in it."""
        files = {"ann/starter.py": self.STARTER, "bob/starter.py": self.STARTER + b"x = 1\n"}
        files |= {"cid/starter.py": self.STARTER, "cid/hw1.py": X, "dee/value.py": X, "dee/starter.py": self.STARTER}
        inbox = read_inbox(as_folder(tmp_path / "class", files), [pow_])

        assert {"bob/starter.py", "cid/hw1.py", "dee/value.py"} == {*handed_in(inbox).values()}
        assert {"ann/starter.py": "is the starter, unchanged"} == ignored(inbox)
        assert {"ann": ("ann/starter.py",)} == inbox.unused

    def test_unreadable(self, tmp_path: Path, pow_: Exercise) -> None:
        """What cannot be read is none."""
        as_folder(tmp_path / "class/ann", {})
        (tmp_path / "class/ann/starter.py").symlink_to("nowhere")

        assert {("ann", "pow"): "ann/starter.py"} == handed_in(read_inbox(tmp_path / "class", [pow_]))


class TestRemarks:
    """What is to be said of an inbox as a whole."""

    @pytest.mark.parametrize(
        ("known", "unknown", "said"),
        [
            (2, 0, ()),
            (1, 1, ("When it came is not known for 1 submission, so --due says nothing of it.",)),
            (0, 2, ("When it came is not known for 2 submissions, so --due says nothing of them.",)),
        ],
    )
    def test_times(self, tmp_path: Path, known: int, unknown: int, said: tuple[str, ...]) -> None:
        """Where the platform does not tell when something came, a date says nothing of it."""
        for number in range(known + unknown):
            as_folder(tmp_path, {f"submitted/s{number}/ps1/value.py": X, f"submitted/t{number}/": b""})
        as_folder(
            tmp_path,
            {f"submitted/s{number}/ps1/timestamp.txt": b"2026-03-01 12:00:00 UTC" for number in range(known)},
        )
        due = datetime(2026, 3, 2, tzinfo=UTC)

        assert said == read_inbox(tmp_path, [POW], InboxOptions(due=due, layout="nbgrader")).remarks
        assert () == read_inbox(tmp_path, [POW], InboxOptions(layout="nbgrader")).remarks

    def test_a_group_counts_once(self, tmp_path: Path) -> None:
        """For it handed in one thing."""
        data = b"s:\n  :submitters:\n  - :sid: '1'\n  - :sid: '2'\n"
        as_folder(tmp_path, {"submission_metadata.yml": data, "s/value.py": X})
        inbox = read_inbox(tmp_path, [POW], InboxOptions(due=datetime(2026, 3, 2, tzinfo=UTC)))

        assert ("When it came is not known for 1 submission, so --due says nothing of it.",) == inbox.remarks

    @pytest.mark.parametrize(
        ("archives", "folders", "said"),
        [
            (["a.zip", "b.tar.gz"], ["ann"], "2 archives; if one of them is"),
            (["a.zip"], ["out"], "an archive; if that is"),
            (["a.zip"], ["ann", "bob"], ""),
            ([], ["ann"], ""),
        ],
    )
    def test_archives(self, tmp_path: Path, archives: list[str], folders: list[str], said: str) -> None:
        """A folder of many things is no class, and an archive in it may be one."""
        as_folder(tmp_path, dict.fromkeys(archives, b"") | {f"{name}/value.py": X for name in folders})

        assert ((f"{tmp_path} holds {said} what was handed in, name it.",) if said else ()) == (
            read_inbox(tmp_path, [POW]).remarks
        )


class TestAskingForStudents:
    """Only some of the students."""

    def test_the_others_are_not_looked_at(self, tmp_path: Path) -> None:
        """Nor what lies beside them."""
        as_folder(tmp_path, {f"{name}/value.py": X for name in ("ann", "bob", "cid")})
        as_folder(tmp_path, {"bob/notes.txt": X, "list.csv": X})
        inbox = read_inbox(tmp_path, [POW], only("cid", "ann"))

        assert {"ann": "", "cid": ""} == problems(inbox)
        assert () == inbox.ignored

    def test_a_name_stands_for_all_its_unicode_forms(self, tmp_path: Path) -> None:
        """A keyboard writes one form, and a folder may have another."""
        forms = {unicodedata.normalize(form, "Müller") for form in ("NFC", "NFD")}
        as_folder(tmp_path, {f"{form}/value.py": X for form in forms})

        assert forms == problems(read_inbox(tmp_path, [POW], only("Müller"))).keys()

    @pytest.mark.parametrize("name", ["7", "Ann Lee"])
    def test_a_student_has_several_names(self, tmp_path: Path, name: str) -> None:
        """The platform's number is not what people know."""
        as_folder(tmp_path, {f"{who}_assignsubmission_file_/value.py": X for who in ("Ann Lee_7", "Bob Ray_8")})

        assert {"7": ""} == problems(read_inbox(tmp_path, [POW], only(name)))

    @pytest.mark.parametrize(("name", "advice"), [("Bop", "; did you mean 'bob'?"), ("zebra", "."), ("", ".")])
    def test_an_unknown_student_is_refused(self, tmp_path: Path, name: str, advice: str) -> None:
        """The nearest name is named."""
        as_folder(tmp_path, {"bob/": b""})
        with pytest.raises(SubmissionError) as caught:
            read_inbox(tmp_path, [POW], only(name))

        assert f"There is no student {name!r}{advice}" == str(caught.value)


class TestWhatArrived:
    """A folder or an archive, and what cannot be one."""

    @pytest.mark.parametrize("suffix", [".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"])
    def test_archives(self, tmp_path: Path, suffix: str) -> None:
        """An archive is read like the folder that it was made of."""
        files = {"ann/value.py": b"ann's", "ann/loss.py": X, "bob/fit.ipynb": notebook("x"), "bob/notes.txt": b"."}
        packing = {".tar": "", ".tar.gz": "gz", ".tgz": "gz", ".tar.bz2": "bz2", ".tar.xz": "xz"}
        archive = tmp_path / f"class{suffix}"
        archive.write_bytes(zipped(files) if suffix == ".zip" else tarred(files, packing[suffix]))

        assert read_inbox(as_folder(tmp_path / "class", files), [POW, FIT]) == read_inbox(archive, [POW, FIT])

    def test_it_may_be_a_link(self, tmp_path: Path) -> None:
        """Who grades names it, and means where it leads."""
        as_folder(tmp_path / "class", {"ann/value.py": X})
        (tmp_path / "link").symlink_to("class")

        assert {"ann": ""} == problems(read_inbox(tmp_path / "link", [POW]))

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("nowhere", "cannot be read (No such file or directory)"),
            ("pipe", "cannot be read (Not a directory)"),
            ("loop", "cannot be read (Too many levels of symbolic links)"),
            ("x" * 300, "cannot be read (File name too long)"),
            ("empty", "is damaged, or no archive"),
            ("value.py", "is damaged, or no archive"),
            ("class.rar", "is an archive of a kind that cannot be read; make it a .zip"),
        ],
    )
    def test_it_is_none(self, tmp_path: Path, name: str, reason: str) -> None:
        """The message says what to name instead."""
        as_folder(tmp_path, {"empty": b"", "value.py": X * 1000, "class.rar": b"Rar!\x1a\x07\x01\x00"})
        (tmp_path / "loop").symlink_to("loop")
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(SubmissionError) as caught:
            read_inbox(tmp_path / name, [POW])

        assert f"{tmp_path / name} {reason}; name the folder or the archive of the submissions." == str(caught.value)

    @pytest.mark.parametrize(
        "name", ["value.py", "value.ipynb", "list.csv", ".git/HEAD", "__MACOSX/ann/value.py", None]
    )
    def test_it_holds_no_student(self, tmp_path: Path, name: str | None) -> None:
        """Nothing to grade is not all graded."""
        files = {name: X} if name else {}
        (tmp_path / "class.zip").write_bytes(zipped(files))

        for arrived in (as_folder(tmp_path / "class", files), tmp_path / "class.zip"):
            with pytest.raises(SubmissionError, match="holds no student's folder; put the files of each student into"):
                read_inbox(arrived, [POW])


class TestOneHandIn:
    """What one student or group handed in, where that is all there is."""

    def test_group(self, tmp_path: Path) -> None:
        """It is read like a student's folder among others."""
        as_folder(tmp_path, {"Value.py": X, "notes.txt": b"", "hw/loss.py": b""})
        inbox = read_one(tmp_path, [Person("bob"), Person("ann", "Ann")], [POW, FIT])

        assert {("bob", "pow"): "Value.py", ("ann", "pow"): "Value.py"} == handed_in(inbox)
        assert 1 == len(inbox.submissions)
        assert [("bob", "fit"), ("ann", "fit")] == [(each.student, each.exercise) for each in inbox.absent]
        assert {"hw/loss.py": "is not asked for", "notes.txt": "is not asked for"} == ignored(inbox)

    def test_archive(self, tmp_path: Path) -> None:
        """An archive in it is opened."""
        as_folder(tmp_path, {"hw.zip": zipped({"hw/value.py": X})})

        assert {("ann", "pow"): "hw.zip/hw/value.py"} == handed_in(read_one(tmp_path, [Person("ann")], [POW]))


class TestAttempts:
    """Of several attempts the last counts, unless another one is asked for."""

    FILES: ClassVar = {
        f"Lab_ann_attempt_{stamp}_{name}": stamp.encode()
        for stamp, name in [
            ("2026-03-01-09-00-00", "value.py"),
            ("2026-03-02-09-00-00", "value.py"),
            ("2026-03-03-09-00-00", "value.py"),
            ("2026-03-04-09-00-00", "fit.py"),
        ]
    }

    @pytest.mark.parametrize(("attempt", "number"), [(LAST, 3), (1, 1), (2, 2), (3, 3)])
    def test_choice(self, tmp_path: Path, attempt: int, number: int) -> None:
        """Those count that have a file for the exercise."""
        options = InboxOptions(attempt=attempt, others=(FIT,))
        inbox = read_inbox(as_folder(tmp_path, self.FILES), [POW], options)

        assert b"2026-03-%02d-09-00-00" % number == inbox.submissions[0].source
        assert (number, 4) == (inbox.origins[0].attempt, inbox.origins[0].attempts)

    def test_none(self, tmp_path: Path) -> None:
        """Who made fewer is absent."""
        inbox = read_inbox(as_folder(tmp_path, self.FILES), [POW, FIT], InboxOptions(attempt=4))

        assert (Absent("ann", "pow"), Absent("ann", "fit")) == inbox.absent

    def test_each_exercise_has_its_own(self, tmp_path: Path) -> None:
        """One exercise's attempt is not the other's."""
        inbox = read_inbox(as_folder(tmp_path, self.FILES), [POW, FIT])

        assert {"pow": 3, "fit": 4} == {
            each.exercise: origin.attempt for each, origin in zip(inbox.submissions, inbox.origins, strict=True)
        }


class TestDue:
    """What came after the time that it was due is late, where the time is known that it came."""

    @pytest.mark.parametrize(
        ("due", "late"),
        [
            (datetime(2026, 3, 1, 12, tzinfo=UTC), False),
            (datetime(2026, 3, 1, 11, 59, 59, tzinfo=UTC), True),
            (datetime(2026, 3, 1, 13, tzinfo=timezone(timedelta(hours=1))), False),
            (datetime(2026, 3, 1, 12, 59, tzinfo=timezone(timedelta(hours=1))), True),
            (None, None),
        ],
    )
    def test_due(self, tmp_path: Path, due: datetime | None, late: bool | None) -> None:  # noqa: FBT001  # a parameter
        """The moment itself is in time."""
        stamp = {"ann/lab/timestamp.txt": b"2026-03-01 12:00:00.000000 UTC\n", "ann/lab/value.py": X}
        inbox = read_inbox(as_folder(tmp_path, stamp), [POW], InboxOptions(due=due))

        assert late is inbox.origins[0].late
        assert (("This was handed in late.",) if late else ()) == inbox.origins[0].notes

    def test_no_offset(self, tmp_path: Path) -> None:
        """A time without an offset is this machine's, on either side."""
        files = {"Lab_ann_attempt_2026-03-01-12-00-00_value.py": X}
        dues = [datetime(2026, 3, 1, 11, 59), datetime(2026, 3, 1, 12)]  # noqa: DTZ001  # it is about these
        dues += [due.astimezone(UTC) for due in dues]
        as_folder(tmp_path, files)

        assert [True, False, True, False] == [
            read_inbox(tmp_path, [POW], InboxOptions(due=due)).origins[0].late for due in dues
        ]

    def test_unknown(self, tmp_path: Path) -> None:
        """Where the time is not known, nothing is said."""
        inbox = read_inbox(as_folder(tmp_path, {"ann/value.py": X}), [POW], InboxOptions(due=datetime.now(UTC)))

        assert inbox.origins[0].late is None


class TestRoster:
    """A roster says who is in the class, and under which id."""

    @pytest.fixture
    def options(self, tmp_path: Path) -> InboxOptions:
        """A class of three, who have a name on each platform."""
        text = "student,name,github,email\nada,Ada L.,adal,ada@x.org\nbob,,bobby,bob@x.org\ncy,Cy,cyc,cy@x.org\n"
        (tmp_path / "roster.csv").write_text(text)
        return InboxOptions(roster=read_roster(tmp_path / "roster.csv"))

    def test_who_is_who(self, tmp_path: Path, options: InboxOptions) -> None:
        """Who handed in gets the roster's id, who did not is absent, and who is not on it is named."""
        files = {f"lab-{login}/{name}": X for login in ("adal", "BOBBY", "eve") for name in ("value.py", ".git/HEAD")}
        inbox = read_inbox(as_folder(tmp_path / "class", files), [POW, FIT], options)

        assert ["ada", "bob", "cy", "eve"] == [person.id for person in inbox.people]
        assert {"ada", "bob", "eve"} == problems(inbox).keys()
        assert ("eve",) == inbox.strangers
        assert {"cy": ["pow", "fit"]} == {"cy": [each.exercise for each in inbox.absent if each.student == "cy"]}

    def test_names(self, tmp_path: Path, options: InboxOptions) -> None:
        """A name that the roster lacks is the platform's."""
        files = {f"{name}_assignsubmission_file_/value.py": X for name in ("Robert_1", "Zoe_2")}
        (tmp_path / "roster.csv").write_text("student,name,moodle\nbob,,1\nada,Ada,\n")
        options = InboxOptions(roster=read_roster(tmp_path / "roster.csv"))
        inbox = read_inbox(as_folder(tmp_path / "class", files), [POW], options)

        assert {"ada": "Ada", "bob": "Robert", "2": "Zoe"} == {person.id: person.name for person in inbox.people}

    def test_one_student_under_two_names(self, tmp_path: Path, options: InboxOptions) -> None:
        """What arrived under several names of a student are attempts of one."""
        inbox = read_inbox(as_folder(tmp_path / "class", {"ada/value.py": X, "adal/value.py": X}), [POW], options)

        assert {"ada": ""} == problems(inbox)
        assert 2 == inbox.origins[0].attempts

    def test_asking(self, tmp_path: Path, options: InboxOptions) -> None:
        """A student can be asked for by any of these names."""
        as_folder(tmp_path / "class", {"adal/value.py": X, "eve/value.py": X})
        inboxes = [
            read_inbox(tmp_path / "class", [POW], InboxOptions(roster=options.roster, students=(name,)))
            for name in ("ada", "adal", "ada@x.org", "Ada L.")
        ]

        assert [({"ada": ""}, ())] * 4 == [(problems(inbox), inbox.strangers) for inbox in inboxes]


def make_file(path: Path) -> None:
    """Something regular."""
    path.write_bytes(X)


def make_link(path: Path) -> None:
    """Something that leads elsewhere."""
    path.symlink_to("elsewhere")


def make_archive(path: Path) -> None:
    """Something that holds more."""
    path.write_bytes(zipped({"value.py": X, "a/fit.py": X}))


def make_full_folder(path: Path) -> None:
    """Another thing that does."""
    as_folder(path, {"Value.py": X, "b.zip": b"PK\x05\x06"})


KINDS: list[Callable[[Path], None]] = [make_file, make_link, make_archive, make_full_folder, Path.mkdir, os.mkfifo]
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), min_size=1, max_size=5)
FILES = st.dictionaries(
    NAMES.filter(lambda name: name not in {".", ".."})
    | st.sampled_from(["value.py", "fit.ipynb", "a.zip", "x_fit.py"]),
    st.sampled_from(KINDS),
    max_size=4,
)


@given(students=st.dictionaries(NAMES.filter(lambda name: not is_litter(name)), FILES, min_size=2, max_size=4))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_student_is_somewhere_once_for_every_exercise(
    students: dict[str, dict[str, Callable[[Path], None]]],
) -> None:
    """Whatever lies in the folders: nobody can be forgotten, and nobody counts twice."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for student, files in students.items():
            (root / student).mkdir()
            for name, make in files.items():
                make(root / student / name)
        inbox = read_inbox(root, [POW, FIT], InboxOptions(layout="plain"))
        again = read_inbox(root, [POW, FIT], InboxOptions(layout="plain"))
    rows: list[Submission | Absent | Ungraded] = [*inbox.submissions, *inbox.absent, *inbox.ungraded]

    assert sorted((student, each.id) for student in students for each in (POW, FIT)) == sorted(
        (row.student, row.exercise) for row in rows
    )
    assert inbox == again
