"""Every file that was handed in belongs to somebody, for something; nothing odd is opened, followed or forgotten."""

from __future__ import annotations

import os
import re
import socket
import threading
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.exercise import Exercise
from grader.limits import Limits
from grader.submission import Ignored, Inbox, Part, Submission, find_submissions, read_submission
from grader.verdict import Absent, Ungraded

if TYPE_CHECKING:
    from collections.abc import Callable


def exercise(name: str, submit: str) -> Exercise:
    """An exercise, as far as handing in is concerned."""
    return Exercise(name, name.title(), Path("/course/exercises", name), submit, 1, None, None, Limits(), (), "")


POW, FIT = exercise("pow", "value.py"), exercise("fit", "fit.py")


def hand_in(root: Path, student: str, name: str, source: bytes = b"x = 1\n") -> Path:
    """Puts a file into a student's folder."""
    file = root / student / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(source)
    return file


def problems(inbox: Inbox) -> dict[str, str]:
    """The problem of each student's only submission."""
    return {submission.student: submission.problem for submission in inbox.submissions}


class TestWhatIsHandedIn:
    """Which file belongs to whom, and for what."""

    def test_a_file_belongs_to_the_exercise_that_asks_for_its_name(self, tmp_path: Path) -> None:
        """And to the student whose folder it lies in; what is not there is absent."""
        hand_in(tmp_path, "bob", "value.py", b"bob's")
        hand_in(tmp_path, "ann", "fit.py", b"ann's fit")
        hand_in(tmp_path, "ann", "value.py", b"ann's")

        assert (
            Inbox(
                submissions=(
                    Submission("ann", "pow", "value.py", b"ann's"),
                    Submission("ann", "fit", "fit.py", b"ann's fit"),
                    Submission("bob", "pow", "value.py", b"bob's"),
                ),
                absent=(Absent("bob", "fit"),),
                ungraded=(),
                ignored=(),
            )
        ) == find_submissions(tmp_path, [POW, FIT])

    def test_a_student_who_hands_in_nothing_is_absent(self, tmp_path: Path) -> None:
        """From every exercise."""
        (tmp_path / "ann").mkdir()

        assert (Absent("ann", "pow"), Absent("ann", "fit")) == find_submissions(tmp_path, [POW, FIT]).absent

    @pytest.mark.parametrize("source", [b"", b"\xff\xfe\0", b"\0" * 1024 * 1024])
    def test_bytes_are_read_as_they_are(self, tmp_path: Path, source: bytes) -> None:
        """What they mean is for the sandbox to find out; up to 1 MiB is taken."""
        hand_in(tmp_path, "ann", "value.py", source)

        assert source == find_submissions(tmp_path, [POW]).submissions[0].source

    @pytest.mark.parametrize("name", ["-rf", "=1+1", "a\nb", "x" * 255, "Müller, Jr.", "\u202eann"])
    def test_the_students_id_is_the_folders_name(self, tmp_path: Path, name: str) -> None:
        """As it is: who writes it somewhere makes it fit there."""
        hand_in(tmp_path, name, "value.py")

        assert name == find_submissions(tmp_path, [POW]).submissions[0].student

    @pytest.mark.parametrize(
        "twins", [("ann", "Ann"), tuple(unicodedata.normalize(form, "é") for form in ("NFC", "NFD"))]
    )
    def test_names_that_look_alike_are_two_students(self, tmp_path: Path, twins: tuple[str, str]) -> None:
        """Case and Unicode form tell them apart."""
        for twin in twins:
            hand_in(tmp_path, twin, "value.py", twin.encode())

        assert {twin: twin.encode() for twin in twins} == {
            submission.student: submission.source for submission in find_submissions(tmp_path, [POW]).submissions
        }

    def test_a_name_that_is_not_utf_8_becomes_text(self, tmp_path: Path) -> None:
        """So that it can be written anywhere, and given back as it was written."""
        hand_in(tmp_path, "m\udcfcller", "value.py")
        hand_in(tmp_path, "m\udcfcller", "na\udcefve.py")

        for students in ([], ["m\\xfcller"], ["m\udcfcller"]):
            inbox = find_submissions(tmp_path, [POW], students)

            assert "m\\xfcller" == inbox.submissions[0].student
            assert "m\\xfcller/na\\xefve.py" == inbox.ignored[0].path

    def test_two_names_that_become_one_text_are_refused(self, tmp_path: Path) -> None:
        """A report could not tell them apart."""
        for name in ("m\\xfcller", "m\udcfcller"):
            (tmp_path / name).mkdir()
        with pytest.raises(SubmissionError, match=r"are both written m\\xfcller; rename one"):
            find_submissions(tmp_path, [POW])


class TestWhatIsOdd:
    """What a student handed in under the right name counts, whatever it is; none of it is opened."""

    def test_a_link_is_not_followed(self, tmp_path: Path) -> None:
        """Neither to a file, nor to a folder, nor to nowhere."""
        targets = {"ann": hand_in(tmp_path, "eve", "value.py"), "bob": Path(), "cid": Path("nowhere")}
        for student, target in targets.items():
            (tmp_path / student).mkdir()
            (tmp_path / student / "value.py").symlink_to(target)

        assert dict.fromkeys(targets, "is a symbolic link, not a regular file") | {"eve": ""} == problems(
            find_submissions(tmp_path, [POW])
        )

    def test_other_kinds_are_not_opened(self, tmp_path: Path) -> None:
        """To open a pipe would wait for ever."""
        for student in ("dir", "fifo", "sock"):
            (tmp_path / student).mkdir()
        (tmp_path / "dir/value.py").mkdir()
        os.mkfifo(tmp_path / "fifo/value.py")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(tmp_path / "sock/value.py"))

        assert {
            "dir": "is a folder, not a regular file",
            "fifo": "is a named pipe, not a regular file",
            "sock": "is a socket, not a regular file",
        } == problems(find_submissions(tmp_path, [POW]))

    def test_a_device_is_not_opened(self) -> None:
        """Some devices act on being opened."""
        submission = read_submission(Path("/dev/null"), POW, "ann")

        assert "is a device, not a regular file" == submission.problem

    def test_a_file_is_read_up_to_a_bound(self, tmp_path: Path) -> None:
        """A larger one is the student's problem, however large it is."""
        hand_in(tmp_path, "ann", "value.py", b"#" * (1024 * 1024 + 1))
        os.truncate(hand_in(tmp_path, "bob", "value.py"), 1 << 40)
        inbox = find_submissions(tmp_path, [POW])

        assert dict.fromkeys(["ann", "bob"], "is larger than 1 MiB") == problems(inbox)
        assert {b""} == {submission.source for submission in inbox.submissions}

    def test_a_file_that_changes_while_it_is_looked_at_is_not_followed(self, tmp_path: Path) -> None:
        """Whatever it is by the time it is opened, the answer is its own bytes, a problem or an error of ours."""
        file = hand_in(tmp_path, "ann", "value.py", b"own")
        secret, spare = hand_in(tmp_path, "eve", "value.py", b"secret"), tmp_path / "spare"
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
            inboxes = [find_submissions(tmp_path, [POW], ["ann"]) for _ in range(200)]
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
            *find_submissions(Path("/proc/self/task"), [exercise("memory", "mem")]).ungraded
        ]

    def test_a_students_folder_that_is_a_link_is_ungraded(self, tmp_path: Path) -> None:
        """It is not followed, and the student is not forgotten."""
        hand_in(tmp_path, "ann", "value.py")
        (tmp_path / "bob").symlink_to("ann")
        inbox = find_submissions(tmp_path, [POW, FIT])
        reason = "The student's folder cannot be read: it is a symbolic link, and none is followed."

        assert (Ungraded("bob", "pow", reason), Ungraded("bob", "fit", reason)) == inbox.ungraded
        assert ["ann"] == [submission.student for submission in inbox.submissions]


class TestWhatIsIgnored:
    """What belongs to no exercise is named, with the reason."""

    def test_other_files_are_named(self, tmp_path: Path) -> None:
        """With the name that was perhaps meant."""
        for name in ("value (1).py", "notes.txt", "deep/value.py", "Value.py"):
            hand_in(tmp_path, "ann", name)
        (tmp_path / "list.csv").touch()

        assert (
            Ignored("ann/Value.py", "is not asked for; did you mean 'value.py'?"),
            Ignored("ann/deep", "is a folder in the student's folder"),
            Ignored("ann/notes.txt", "is not asked for"),
            Ignored("ann/value (1).py", "is not asked for; did you mean 'value.py'?"),
            Ignored("list.csv", "is no student's folder"),
        ) == find_submissions(tmp_path, [POW]).ignored

    def test_what_systems_leave_behind_is_counted(self, tmp_path: Path) -> None:
        """It lies everywhere, and says nothing of anybody."""
        for student in ("ann", "bob", "__MACOSX"):
            hand_in(tmp_path, student, ".DS_Store")
        hand_in(tmp_path, "ann", "__pycache__/value.cpython-311.pyc")
        (tmp_path / ".DS_Store").touch()

        assert (
            Ignored(".DS_Store", "was left by a system or a tool, 3 times"),
            Ignored("__MACOSX", "was left by a system or a tool"),
            Ignored("__pycache__", "was left by a system or a tool"),
        ) == find_submissions(tmp_path, [POW]).ignored

    def test_a_flood_of_files_is_counted(self, tmp_path: Path) -> None:
        """A list that nobody reads helps nobody; files of the system are the first to be left out."""
        for number in range(30):
            hand_in(tmp_path, "ann", f"{number:02}.txt")
            hand_in(tmp_path, "ann", f".{number:02}")
        ignored = find_submissions(tmp_path, [POW]).ignored

        assert Ignored("ann", "holds 40 more that are not asked for") == ignored[0]
        assert [f"ann/{number:02}.txt" for number in range(20)] == [each.path for each in ignored[1:]]


class TestAskingForStudents:
    """Only some of the students."""

    def test_the_others_are_not_looked_at(self, tmp_path: Path) -> None:
        """Nor what lies beside them."""
        for student in ("ann", "bob", "cid"):
            hand_in(tmp_path, student, "value.py")
        hand_in(tmp_path, "bob", "notes.txt")
        (tmp_path / "list.csv").touch()
        inbox = find_submissions(tmp_path, [POW], ["cid", "ann"])

        assert {"ann": "", "cid": ""} == problems(inbox)
        assert () == inbox.ignored

    def test_a_name_stands_for_all_its_unicode_forms(self, tmp_path: Path) -> None:
        """A keyboard writes one form, and a folder may have another."""
        forms = {unicodedata.normalize(form, "Müller") for form in ("NFC", "NFD")}
        for form in forms:
            hand_in(tmp_path, form, "value.py")

        assert forms == problems(find_submissions(tmp_path, [POW], ["Müller"])).keys()

    @pytest.mark.parametrize(("name", "advice"), [("Bop", "; did you mean 'bob'?"), ("zebra", "."), ("", ".")])
    def test_an_unknown_student_is_refused(self, tmp_path: Path, name: str, advice: str) -> None:
        """The nearest name is named."""
        (tmp_path / "bob").mkdir()
        with pytest.raises(SubmissionError) as caught:
            find_submissions(tmp_path, [POW], [name])

        assert f"There is no student {name!r}{advice}" == str(caught.value)


class TestTheFolder:
    """What cannot be a folder of submissions."""

    def test_it_may_be_a_link(self, tmp_path: Path) -> None:
        """Who grades names it, and means where it leads."""
        hand_in(tmp_path / "class", "ann", "value.py")
        (tmp_path / "link").symlink_to("class")

        assert {"ann": ""} == problems(find_submissions(tmp_path / "link", [POW]))

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("nowhere", "No such file or directory"),
            ("file", "Not a directory"),
            ("loop", "Too many levels of symbolic links"),
            ("x" * 300, "File name too long"),
        ],
    )
    def test_it_is_none(self, tmp_path: Path, name: str, reason: str) -> None:
        """The message says what to name instead."""
        (tmp_path / "file").touch()
        (tmp_path / "loop").symlink_to("loop")
        with pytest.raises(SubmissionError) as caught:
            find_submissions(tmp_path / name, [POW])

        assert (
            f"{tmp_path / name} cannot be read ({reason}); name the folder that holds a folder for each student."
        ) == str(caught.value)

    @pytest.mark.parametrize("name", ["value.py", ".git/HEAD", None])
    def test_it_holds_no_student(self, tmp_path: Path, name: str | None) -> None:
        """Nothing to grade is not all graded."""
        if name:
            hand_in(tmp_path, "", name)
        with pytest.raises(SubmissionError, match="holds no student's folder; put the files of each student into"):
            find_submissions(tmp_path, [POW])


class TestOneFile:
    """A file that a student checks."""

    def test_may_have_any_name(self, tmp_path: Path) -> None:
        """It is read as what the exercise asks for."""
        file = hand_in(tmp_path, "ann", "na\udcefve.py")

        assert Submission("me", "pow", "na\\xefve.py", b"x = 1\n") == read_submission(file, POW, "me")

    @pytest.mark.parametrize(
        ("path", "reason"),
        [("/nowhere/value.py", "No such file or directory"), ("/proc/self/mem", "Input/output error")],
    )
    def test_that_cannot_be_read_is_refused(self, path: str, reason: str) -> None:
        """With the machine's own words."""
        with pytest.raises(SubmissionError) as caught:
            read_submission(Path(path), POW, "me")

        assert f"{path} cannot be read ({reason}); name another file." == str(caught.value)


class TestTheDigest:
    """What tells submissions apart."""

    def test_depends_on_what_was_handed_in_alone(self) -> None:
        """Two students with the same file have the same digest."""
        digest = Submission("ann", "pow", "value.py", b"x").digest

        assert re.fullmatch("[0-9a-f]{64}", digest)
        assert digest == Submission("bob", "fit", "value.py", b"x", partners=("cy",)).digest

    def test_everything_that_runs(self) -> None:
        """The digest tells apart what differs in its cells, its siblings, or where one ends and the next begins."""
        variants = [
            Submission("ann", "pow", "value.py", b"x"),
            Submission("ann", "pow", "value.py", b"x", siblings=(Part("loss.py", b"y"),)),
            Submission("ann", "pow", "value.py", b"x", siblings=(Part("loss.py", b"z"),)),
            Submission("ann", "pow", "value.py", b"x", siblings=(Part("loss.pyz", b""),)),
            Submission("ann", "pow", "value.py", b"", cells=("x",)),
            Submission("ann", "pow", "value.py", b"", cells=("x", "y")),
            Submission("ann", "pow", "value.py", b"", cells=("xy",)),
            Submission("ann", "pow", "value.py", b"", cells=("x", "y", "")),
        ]

        assert len(variants) == len({variant.digest for variant in variants})

    @given(
        st.lists(st.tuples(st.text(st.characters(codec="ascii", exclude_characters="\0")), st.binary()), unique=True)
    )
    def test_differs_with_name_and_bytes(self, files: list[tuple[str, bytes]]) -> None:
        """No two files share one, nor does a problem share one with an empty file."""
        submissions = [Submission("ann", "pow", name, source) for name, source in files]
        submissions += [Submission("ann", "pow", name, b"", "is a folder") for name in {name for name, _ in files}]

        assert len(submissions) == len({submission.digest for submission in submissions})


def make_file(path: Path) -> None:
    """Something regular."""
    path.write_bytes(b"x = 1\n")


def make_link(path: Path) -> None:
    """Something that leads elsewhere."""
    path.symlink_to("elsewhere")


KINDS: list[Callable[[Path], None]] = [make_file, make_link, Path.mkdir, os.mkfifo]
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), min_size=1, max_size=5)
FILES = st.dictionaries(
    NAMES.filter(lambda name: name not in {".", ".."}) | st.sampled_from(["value.py", "fit.py"]),
    st.sampled_from(KINDS),
    max_size=4,
)


@given(students=st.dictionaries(NAMES.filter(lambda name: not name.startswith(".")), FILES, min_size=1, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_every_student_is_somewhere_once_for_every_exercise(
    tmp_path_factory: pytest.TempPathFactory, students: dict[str, dict[str, Callable[[Path], None]]]
) -> None:
    """Whatever lies in the folders: nobody can be forgotten, and nobody counts twice."""
    root = tmp_path_factory.mktemp("class")
    for student, files in students.items():
        (root / student).mkdir()
        for name, make in files.items():
            make(root / student / name)
    inbox = find_submissions(root, [POW, FIT])
    rows: list[Submission | Absent | Ungraded] = [*inbox.submissions, *inbox.absent, *inbox.ungraded]

    assert sorted((student, each.id) for student in students for each in (POW, FIT)) == sorted(
        (row.student, row.exercise) for row in rows
    )
    assert inbox == find_submissions(root, [POW, FIT])
