"""Each platform's export is recognised, and read as that platform means it."""

from __future__ import annotations

import errno
import string
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.cli.inbox_options import LAYOUTS as OFFERED
from grader.errors import SubmissionError
from grader.inbox import LAYOUT_NAMES, Inbox, InboxOptions, read_inbox
from grader.inbox.attempts import is_litter
from grader.inbox.layouts import LAYOUTS, Layout, recognise
from grader.intake import Folder
from grader.roster import read_roster
from tests.arrivals import FIT, POW, as_folder, doubts, handed_in, ignored, notebook, zipped

if TYPE_CHECKING:
    from collections.abc import Mapping

X = b"x = 1\n"


class Arrive(Protocol):
    """Lets files arrive, and reads them."""

    def __call__(self, files: Mapping[str, bytes], **options: object) -> Inbox: ...  # noqa: D102


@pytest.fixture(params=["folder", "zip"])
def arrive(request: pytest.FixtureRequest, tmp_path: Path) -> Arrive:
    """Files arrive in a folder, or in an archive."""

    def arrive(files: Mapping[str, bytes], **options: object) -> Inbox:
        path = tmp_path / "class"
        if request.param == "folder":
            as_folder(path, files)
        else:
            path = path.with_suffix(".zip")
            path.write_bytes(zipped(files))
        return read_inbox(path, [POW, FIT], InboxOptions(**options))  # type: ignore[arg-type]  # whatever they are

    return arrive


def people(inbox: Inbox) -> dict[str, str]:
    """The names of all, by their ids."""
    return {person.id: person.name for person in inbox.people}


def sources(inbox: Inbox) -> dict[str, bytes]:
    """What each student handed in for `pow`."""
    return {each.student: each.source for each in inbox.submissions if each.exercise == "pow"}


class TestPlain:
    """A folder for each student, or a file of the student's name."""

    def test_folders(self, arrive: Arrive) -> None:
        """The folder's name is the student's id; what lies in folders inside it is the student's too."""
        inbox = arrive({"ann/value.py": X, "bob/lab 1/value.py": X, "cy/": b""})

        assert "plain" == inbox.layout
        assert "It looks like no platform's; 3 of 3 entries are <student>/<file>, or <student>.py." == inbox.why
        assert {"ann": "", "bob": "", "cy": ""} == people(inbox)
        assert {("ann", "pow"): "ann/value.py", ("bob", "pow"): "bob/lab 1/value.py"} == handed_in(inbox)

    @pytest.mark.parametrize("enclosing", ["class", "submissions", "a/b", "__MACOSX/x\0class"])
    def test_enclosed(self, arrive: Arrive, enclosing: str) -> None:
        """A folder that holds nothing else may enclose them, beside what systems leave."""
        extra, _, folder = enclosing.rpartition("\0")
        files = {f"{folder}/ann/value.py": X, f"{folder}/bob/value.py": X} | ({extra: b""} if extra else {})
        inbox = arrive(files)

        assert {"ann", "bob"} == sources(inbox).keys()

    def test_enclosed_files(self, arrive: Arrive) -> None:
        """So may one around files of the students' names, if it is called like the whole."""
        inbox = arrive({"class/ann.py": b"class Value: 1", "class/bob.py": b"class Value: 2"})

        assert {"ann": b"class Value: 1", "bob": b"class Value: 2"} == sources(inbox)

    @pytest.mark.parametrize(
        "files", [{"ann/value.py": X}, {"ann/value.py": X, "ann/pow/": b""}, {"ann/pow/value.py": X}]
    )
    def test_class_of_one(self, arrive: Arrive, files: Mapping[str, bytes]) -> None:
        """The only folder is a student's, if there are files in it, or folders of exercises."""
        assert {"ann": ""} == people(arrive(files))

    def test_files(self, arrive: Arrive) -> None:
        """Where there are no folders, a file is named for its student, and says itself what it is for."""
        cells = notebook("import math", "class Value:\n    pass")
        inbox = arrive({"ann.py": b"class Value:\n", "bob.ipynb": cells, "cy.zip": zipped({"fit.py": X}), "a.csv": b""})

        assert {"ann": "", "bob": "", "cy": ""} == people(inbox)
        assert {("ann", "pow"): "ann.py", ("bob", "pow"): "bob.ipynb", ("cy", "fit"): "cy.zip/fit.py"} == handed_in(
            inbox
        )
        assert {"a.csv": "is no student's folder"} == ignored(inbox)

    def test_files_for_one_exercise(self, tmp_path: Path) -> None:
        """Where there is but one exercise, they are for that, and nothing about it is doubtful."""
        as_folder(tmp_path, {"ann.py": X, "bob.ipynb": notebook("x"), "cy.py": b"1", "cy.ipynb": notebook("2")})
        inbox = read_inbox(tmp_path, [POW])

        assert {("ann", "pow"): "ann.py", ("bob", "pow"): "bob.ipynb", ("cy", "pow"): "cy.py"} == handed_in(inbox)
        assert {""} == {origin.doubt for origin in inbox.origins}
        assert ["value.py", "value.ipynb", "value.py"] == [each.file for each in inbox.submissions]

    def test_files_with_something_hung_on(self, tmp_path: Path) -> None:
        """What a system hung on a name is none of the student's, and doubtful."""
        inbox = read_inbox(as_folder(tmp_path, {"ann.py.txt": X, "bob.ipynb.json": notebook("x")}), [POW])

        assert {("ann", "pow"): "ann.py.txt", ("bob", "pow"): "bob.ipynb.json"} == handed_in(inbox)
        assert {"ann.py.txt", "bob.ipynb.json"} == {origin.path for origin in inbox.origins if origin.doubt}

    def test_files_beside_folders(self, arrive: Arrive) -> None:
        """Where there are folders, files beside them are nobody's."""
        assert {"bob.py": "is no student's folder"} == ignored(arrive({"ann/value.py": X, "bob.py": X}))


class TestCanvas:
    """Flat, with ids and a mark in the name."""

    def test_read(self, arrive: Arrive) -> None:
        """The user's id is the student's; `LATE` is said of the file, and what was typed in is nothing to run."""
        inbox = arrive(
            {
                "leeann_101_9001_value.py": b"ann's",
                "raybob_LATE_102_9002_value.py": b"bob's",
                "raybob_LATE_102_9003_my_loss.py": b"loss",
                "o'neilcy_103_9004_fit.ipynb": notebook("x"),
                "fooday_104_text.html": b"<p>",
            }
        )

        assert "canvas" == inbox.layout
        assert "5 of 5 entries are <lastfirst>_[LATE_]<user id>_<submission id>_<file>." == inbox.why
        assert {"101": "leeann", "102": "raybob", "103": "o'neilcy", "104": "fooday"} == people(inbox)
        assert {"101": b"ann's", "102": b"bob's"} == sources(inbox)
        assert [False, True, False] == [origin.late for origin in inbox.origins]
        assert ["my_loss.py"] == [part.name for part in inbox.submissions[1].siblings]
        assert {("104", "pow"), ("104", "fit")} < {(each.student, each.exercise) for each in inbox.absent}

    def test_resubmissions(self, arrive: Arrive) -> None:
        """What Canvas numbered is what the student called it; the highest number is the last attempt."""
        inbox = arrive(
            {
                "leeann_101_9001_value.py": b"first",
                "leeann_101_9009_value-2.py": b"third",
                "leeann_101_9005_value-1.py": b"second",
                "leeann_101_9006_fit-1.py": b"fit",
                "leeann_101_9007_loss-1.py": b"loss",
                "raybob_102_9010_value-10.py": b"only",
            }
        )

        assert {"101": b"third", "102": b"only"} == sources(inbox)
        assert [(3, 3), (1, 3), (1, 1)] == [(origin.attempt, origin.attempts) for origin in inbox.origins]
        assert {""} == {origin.doubt for origin in inbox.origins}
        assert {"fit.py": ["loss.py", "value.py"]} == {
            each.file: [part.name for part in each.siblings] for each in inbox.submissions if each.exercise == "fit"
        }

    def test_underscores(self, arrive: Arrive) -> None:
        """A name may have underscores, and then no number."""
        inbox = arrive({"vander_berg_101_901_value.py": X, "LATE_LATE_102_902_value.py": X})

        assert {"101": "vander_berg", "102": "LATE"} == people(inbox)

    def test_names_that_end_in_a_number(self, arrive: Arrive) -> None:
        """Whoever is called like an id gets nothing into that submission, where the name of its owner is known."""
        files = {"leeann_101_901_value.py": b"ann's", "x_101_105_906_value.py": b"x's", "raybob_102_903_1_fit.py": b""}
        inbox = arrive(files)

        assert {"101": b"ann's", "105": b"x's"} == sources(inbox)
        assert {
            "x_101_105_906_value.py": "is, or came with, what may be of 101 instead",
            "raybob_102_903_1_fit.py": "is, or came with, what may be of 903 instead and "
            "is taken for fit.py by its name",
        } == doubts(inbox)

    def test_nobodys(self, arrive: Arrive) -> None:
        """What can be nobody's, as all ids that it may mean have other names, is used for nobody."""
        files = {"leeann_1_901_value.py": X, "raybob_2_902_value.py": X, "x_1_2_903_value.py": b"x's"}
        inbox = arrive(files)

        assert {"1": X, "2": X} == sources(inbox)
        assert {"x_1_2_903_value.py": "may be of 1 or 2, and is used for nobody"} == ignored(inbox)


class TestMoodle:
    """A folder for each participant, or the same names flat."""

    def test_folders(self, arrive: Arrive) -> None:
        """The participant's id is the student's; what was typed into the platform is nothing to run."""
        inbox = arrive(
            {
                "Ann Lee_7_assignsubmission_file_/value.py": b"ann's",
                "Ann Lee_7_assignsubmission_file_/lib/loss.py": b"",
                "Ann Lee_7_assignsubmission_onlinetext_/onlinetext.html": b"",
                "Bob Ray-Foo_8_assignsubmission_file/value.py": b"bob's",
                "Cy D._9_assignsubmission_onlinetext_/onlinetext.html": b"",
                "Group 1-Dee_10_assignsubmission_file_/fit.py": b"",
            }
        )

        assert "moodle" == inbox.layout
        assert {"7": "Ann Lee", "8": "Bob Ray-Foo", "9": "Cy D.", "10": "Group 1-Dee"} == people(inbox)
        assert {"7": b"ann's", "8": b"bob's"} == sources(inbox)
        assert "was not uploaded as a file" == ignored(inbox)["Cy D._9_assignsubmission_onlinetext_"]

    def test_flat(self, arrive: Arrive) -> None:
        """The files of a participant lie side by side."""
        inbox = arrive(
            {
                "Ann Lee_7_assignsubmission_file_value.py": b"ann's",
                "Ann Lee_7_assignsubmission_file_my_loss.py": b"",
                "Bob_8_assignsubmission_file_fit.py": b"",
                "Bob_8_assignsubmission_onlinetext_onlinetext.html": b"",
            }
        )

        assert "moodle-flat" == inbox.layout
        assert {"7": "Ann Lee", "8": "Bob"} == people(inbox)
        assert {"7": b"ann's"} == sources(inbox)
        assert ["my_loss.py"] == [part.name for part in inbox.submissions[0].siblings]
        assert {"Bob_8_assignsubmission_onlinetext_onlinetext.html": "was not uploaded as a file"} == ignored(inbox)

    def test_names_that_look_like_a_platforms(self, arrive: Arrive) -> None:
        """A file is called as its student likes: one that could be of two is used for nobody."""
        evil = "Zoe_9_assignsubmission_file_x_8_assignsubmission_file_value.py"
        again = "Zoe_9_assignsubmission_file_Zoe_9_assignsubmission_file_fit.py"
        files = {f"{who}_assignsubmission_file_value.py": who.encode() for who in ("Ann_7", "Bob_8", "Zoe_9")}
        inbox = arrive({**files, evil: b"evil", again: X})

        assert "moodle-flat" == inbox.layout
        assert {"7": b"Ann_7", "8": b"Bob_8", "9": b"Zoe_9"} == sources(inbox)
        assert {evil: "may be of 9 or 8, and is used for nobody"} == ignored(inbox)
        assert again == handed_in(inbox)["9", "fit"]

    def test_two_names(self, arrive: Arrive) -> None:
        """One id under two names is doubtful for both."""
        files = {"Ann_7_assignsubmission_file_value.py": X, "Zoe_7_assignsubmission_file_fit.py": X}
        said = "may be somebody else's, as 7 is called Ann and Zoe"

        assert dict.fromkeys(files, said) == doubts(arrive(files, layout="moodle-flat"))


METADATA = b"""\
---
submission_1:
  :submitters:
  - :name: Ann Lee
    :sid: '0101'
    :email: ann@x.org
  - :name: Bob
    :sid: 0102
    :email: &mail bob@x.org
  :created_at: 2026-03-01 09:00:00.000000000 Z
  :score: 1.0
  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess
    tests:
    - {name: a, output: [[[[[deep]]]]]}
    ? [a, b]
    : c
submission_2:
  :submitters:
  - :name: Cy
    :sid:
    :email: cy@x.org
  - :name: Dee
    :sid: null
    :email: ~
  - {}
  :created_at: soon
  :again: *mail
submission_3:
  :submitters: []
submission_4:
  :submitters:
  - :sid: '0104'
    :name: *unknown
    :email: *mail
  :created_at: 2026-13-01 09:00:00
"""


class TestGradescope:
    """Folders, and a file that says whose they are."""

    @staticmethod
    def files(top: str = "") -> dict[str, bytes]:
        """The folders of some submissions, of which one is not in the metadata."""
        return {f"{top}submission_{number}/value.py": b"%d" % number for number in (1, 2, 3, 5)}

    @pytest.mark.parametrize("top", ["", "assignment_77_export/"])
    def test_read(self, arrive: Arrive, top: str) -> None:
        """A submission is everybody's who is named; ids are as they are written."""
        inbox = arrive({f"{top}submission_metadata.yml": METADATA.replace(b"*unknown", b"Eve"), **self.files(top)})

        assert "gradescope" == inbox.layout
        assert {"0101": "Ann Lee", "0102": "Bob", "cy@x.org": "Cy", "Dee": "Dee", "0104": "Eve"} == people(inbox)
        assert {"0101": ("0102",), "Dee": ("cy@x.org",)} == {each.student: each.partners for each in inbox.submissions}
        assert {"0101": b"1", "Dee": b"2"} == sources(inbox)
        assert {"0104"} == {each.student for each in inbox.absent if each.exercise == "pow"}
        assert {
            f"{top}submission_5": "is not in submission_metadata.yml",
            "submission_3": "has no submitters in submission_metadata.yml",
        } == ignored(inbox)

    def test_time(self, arrive: Arrive) -> None:
        """The time is known, where one is written."""
        data = METADATA.replace(b"*unknown", b"Eve")
        inbox = arrive({"submission_metadata.yml": data, **self.files()}, due=datetime(2026, 3, 1, 8, 59, tzinfo=UTC))

        assert [True, None] == [origin.late for origin in inbox.origins]

    def test_resubmission(self, arrive: Arrive) -> None:
        """Whoever is in several counts once, with the last."""
        sids = b"  - :sid: '%d'\n  - :sid: '7'\n  - :sid: '7'\n  - :role: x\n"
        entry = b"%s:\n  :submitters:\n" + sids + b"  :created_at: 2026-03-0%d 09:00:00 Z\n"
        data = b"".join(entry % (b"s%d" % number, number, 4 - number) for number in (1, 2, 3))
        inbox = arrive(
            {"submission_metadata.yml": data} | {f"s{number}/value.py": b"%d" % number for number in (1, 2, 3)}
        )

        assert {"1": ("7",), "2": (), "3": ()} == {each.student: each.partners for each in inbox.submissions}

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"a: b\n c: 'x\n", "is not YAML, line 2"),
            (b"a: \xff", "is not YAML"),
            (b"a: *b\x01", "is not YAML"),
            (b"[" * 100_000, "is not YAML, line 1"),
        ],
        ids=["quote", "bytes", "control", "deep"],
    )
    def test_broken(self, arrive: Arrive, data: bytes, said: str) -> None:
        """Without it nobody knows whose anything is."""
        with pytest.raises(SubmissionError) as caught:
            arrive({"submission_metadata.yml": data, "submission_1/value.py": X, "submission_2/value.py": X})

        assert f"submission_metadata.yml {said}; export the submissions again." == str(caught.value)

    def test_long(self, tmp_path: Path) -> None:
        """It is read as long as it has no millions of values."""
        as_folder(tmp_path, {"submission_metadata.yml": b"[" + b"a," * 1_500_000 + b"]", "submission_1/value.py": X})
        with pytest.raises(SubmissionError, match="has more than 1,500,000 values; export the submissions again"):
            read_inbox(tmp_path, [POW])

    @pytest.mark.parametrize(
        "data", [b"", b"a", b"- a\n- b: c", b"a:\n- b", b"1: {2: 3}", b"a: &a [*a]", b"--- a\n--- b"]
    )
    def test_something_else(self, arrive: Arrive, data: bytes) -> None:
        """What says nothing of anybody is no export of Gradescope's."""
        assert "plain" == arrive({"submission_metadata.yml": data, "ann/value.py": X, "bob/value.py": X}).layout

    def test_aliases(self, arrive: Arrive) -> None:
        """An alias is nothing but another name of one value: a billion of them take no memory."""
        bomb = b"".join(b"a%d: &a%d [%s]\n" % (n, n, b",".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 30))
        data = (
            b"a0: &a0 [lol]\n" + bomb + b"s:\n  :submitters:\n  - :sid: &one '1'\n    :email: *one\n    :name: *a29\n"
        )

        assert {"1": ""} == people(arrive({"submission_metadata.yml": data, "s/value.py": X}, layout="gradescope"))


class TestGitHubClassroom:
    """A clone for each student."""

    @pytest.mark.parametrize(
        "files",
        [
            {f"lab-1-{login}/{name}": X for login in ("ann", "ann-lee", "Bob") for name in ("value.py", ".git/HEAD")},
            {f"lab-1-submissions/lab-1-{login}/value.py": X for login in ("ann", "ann-lee", "Bob")},
        ],
    )
    def test_read(self, arrive: Arrive, files: Mapping[str, bytes]) -> None:
        """The login is the student's id: what is left of a name without that of the assignment."""
        inbox = arrive(files)

        assert "github-classroom" == inbox.layout
        assert {"ann", "ann-lee", "Bob"} == sources(inbox).keys()

    @pytest.mark.parametrize(
        ("path", "login"), [("lab-submissions/lab-ann-lee", "ann-lee"), ("x/lab-1-bob", "bob"), ("lab-1-bob", "bob")]
    )
    def test_one_clone(self, arrive: Arrive, path: str, login: str) -> None:
        """Of a single clone the folder around it tells the assignment; else the login follows the last hyphen."""
        inbox = arrive({f"{path}/value.py": X}, layout="github-classroom")

        assert {login} == sources(inbox).keys()

    @pytest.mark.parametrize(
        ("path", "layout"),
        [("x/ann-{}", "plain"), ("ann/ann-{}", "github-classroom"), ("ann-submissions/ann-{}", "github-classroom")],
    )
    def test_students_who_have_clones(self, arrive: Arrive, path: str, layout: str) -> None:
        """Two students whose names begin alike may well have clones, unless the folder is called like an assignment."""
        files = {f"{path.format(who)}/{name}": X for who in "ab" for name in ("value.py", ".git/HEAD")}

        assert layout == arrive(files).layout

    def test_no_clones(self, arrive: Arrive) -> None:
        """Names that begin alike are not enough."""
        assert "plain" == arrive({"de-ann/value.py": X, "de-bob/value.py": X}).layout

    def test_others(self, arrive: Arrive) -> None:
        """What is named otherwise is named."""
        files = {f"lab-{login}/.git/HEAD": X for login in "abcdefgh"} | {"lab-submissions.csv": b""}
        inbox = arrive({f"lab-submissions/{name}": data for name, data in files.items()} | {"lab-submissions/x/y": b""})

        assert "is no clone lab-<login>" == ignored(inbox)["lab-submissions/x"]
        assert "is no clone lab-<login>" == ignored(inbox)["lab-submissions/lab-submissions.csv"]


class TestNbgrader:
    """What was collected."""

    STAMP = b"2026-03-01 12:00:00.123456 UTC"

    @pytest.mark.parametrize("top", ["", "submitted/", "course/submitted/"])
    def test_read(self, arrive: Arrive, top: str) -> None:
        """The folder's name is the student's id, and each assignment has its time."""
        files = {
            f"{top}ann/ps1/value.ipynb": notebook("ann's"),
            f"{top}ann/ps1/timestamp.txt": self.STAMP,
            f"{top}ann/ps2/fit.ipynb": notebook("fit"),
            f"{top}ann/ps2/timestamp.txt": self.STAMP.replace(b"03-01", b"04-01"),
            f"{top}bob/ps1/value.ipynb": notebook("bob's"),
            f"{top}bob/ps1/timestamp.txt": self.STAMP,
        }
        inbox = arrive(files, due=datetime(2026, 3, 2, tzinfo=UTC))

        assert "nbgrader" == inbox.layout
        assert {("ann", "pow"): False, ("ann", "fit"): True, ("bob", "pow"): False} == {
            (each.student, each.exercise): origin.late
            for each, origin in zip(inbox.submissions, inbox.origins, strict=True)
        }

    def test_course(self, arrive: Arrive) -> None:
        """Of a course's folder only `submitted` counts, whatever it lacks."""
        files = {"submitted/ann/ps1/value.ipynb": notebook("x"), "submitted/ann/ps1/timestamp.txt": b"soon"}
        files |= {"submitted/bob/": b"", "submitted/cy/value.py": X, "source/ps1/value.ipynb": b"", "gradebook.db": b""}
        inbox = arrive(files | {"submitted/list.csv": b""})

        assert {"ann", "bob", "cy"} == people(inbox).keys()
        assert {"ann", "cy"} == {submission.student for submission in inbox.submissions}
        assert {
            "gradebook.db": "does not lie in submitted/",
            "source": "does not lie in submitted/",
            "submitted/list.csv": "is no student's folder",
        } == ignored(inbox)

    def test_one_student_of_many_assignments(self, arrive: Arrive) -> None:
        """Students count, not what they handed in: nobody alone makes a class one of nbgrader's."""
        evil = {f"eve/ps{number}/timestamp.txt": self.STAMP for number in range(20)}

        assert "plain" == arrive({**evil, **{f"s{number}/value.py": X for number in range(4)}}).layout


class TestBlackboard:
    """Flat, with the time in the name and a receipt for each attempt."""

    RECEIPT = b"\xef\xbb\xbfName: Ann van Lee (ann_lee)\nAssignment: Lab_1\n\nFiles:\n\tOriginal filename: value.py\n"

    def test_read(self, arrive: Arrive) -> None:
        """The receipt tells where the username begins; each attempt has its time."""
        first, second = "Lab_1_ann_lee_attempt_2026-03-01-10-00-00", "Lab_1_ann_lee_attempt_2026-03-02-10-00-00"
        inbox = arrive(
            {
                f"{first}.txt": self.RECEIPT,
                f"{first}_value.py": b"first",
                f"{second}.txt": self.RECEIPT,
                f"{second}_value.py": b"second",
                f"{second}_my_loss.py": b"",
                "Lab_1_bob_attempt_2026-03-01-10-00-00_value.py": b"bob's",
                "Lab_1_cy_attempt_2026-03-01-10-00-00.txt": b"Name: somebody else (dee)",
                "Lab_1_eve_attempt_2026-99-01-10-00-00_fit.py": b"",
            },
            due=datetime(2026, 3, 1, 23).astimezone(),
        )

        assert "blackboard" == inbox.layout
        assert {"ann_lee": "Ann van Lee", "bob": "", "cy": "", "eve": ""} == people(inbox)
        assert {"ann_lee": b"second", "bob": b"bob's"} == sources(inbox)
        assert [True, False, None] == [origin.late for origin in inbox.origins]
        assert ["my_loss.py"] == [part.name for part in inbox.submissions[0].siblings]

    def test_names_that_look_like_a_platforms(self, arrive: Arrive) -> None:
        """A file is called as its student likes: only a receipt tells whose one is that could be of two."""
        files = {f"HW1_{who}_attempt_2026-01-01-10-00-00_value.py": who.encode() for who in ("ann", "bob", "zoe")}
        files |= {name.replace("_value.py", ".txt"): b"" for name in files if "ann" not in name}
        evil = "_x_bob_attempt_2027-01-01-10-00-00_value.py"
        known, unknown = f"HW1_zoe_attempt_2026-01-01-10-00-00{evil}", f"HW1_ann_attempt_2026-01-01-10-00-00{evil}"
        inbox = arrive({**files, known: b"evil", unknown: b"evil", known.replace("_value.py", ".txt"): b""})

        assert {"ann": b"ann", "bob": b"bob", "zoe": b"zoe"} == sources(inbox)
        assert "does not say clearly whose it is, and there is no receipt for it" == ignored(inbox)[unknown]
        assert known in ignored(inbox)


class TestBrightspace:
    """A folder for each hand-in, with its time."""

    def test_read(self, arrive: Arrive) -> None:
        """The id that differs is the student's; the last hand-in counts."""
        inbox = arrive(
            {
                "index.html": b"",
                "501-77 - Ann Lee - Mar 1, 2026 1159 PM/value.py": b"first",
                "501-77 - Ann Lee - Mar 10, 2026 1201 AM/value.py": b"last",
                "501-77 - Ann Lee - Mar 9, 2026 100 PM/value.py": b"second",
                "502-77 - Bob Ray - 2 March, 2026 12:30 PM/value.py": b"bob's",
                "503-77 - Cy - 2026 mars 3/value.py": b"cy's",
                "504-77 - Dee - Foo 3, 2026 1200 PM/value.py": b"dee's",
            },
            due=datetime(2026, 3, 2, 12, 30).astimezone(),
        )

        assert "brightspace" == inbox.layout
        assert {"501": "Ann Lee", "502": "Bob Ray", "503": "Cy", "504": "Dee"} == people(inbox)
        assert {"501": b"last", "502": b"bob's", "503": b"cy's", "504": b"dee's"} == sources(inbox)
        assert [True, False, None, None] == [origin.late for origin in inbox.origins]
        assert {} == ignored(inbox)

    def test_flat(self, arrive: Arrive) -> None:
        """The files may also lie side by side; and the first id may be the assignment's."""
        inbox = arrive(
            {
                "77-501 - Ann Lee - Mar 1, 2026 1159 PM - value.py": b"ann's",
                "77-501 - Ann Lee - Mar 1, 2026 1159 PM - loss.py": b"",
                "77-502 - Bob Ray - Mar 1, 2026 1159 PM - value.py": b"bob's",
            }
        )

        assert {"501": b"ann's", "502": b"bob's"} == sources(inbox)
        assert ["loss.py"] == [part.name for part in inbox.submissions[0].siblings]


class TestRecognition:
    """A layout is recognised where nearly all fits, and can be named."""

    def test_misfits(self, arrive: Arrive) -> None:
        """A few entries that do not fit are named."""
        files = {f"lee_{number}_9_value.py": X for number in range(8)}
        inbox = arrive({**files, "notes.txt": b"", "scripts/x.py": b""})

        assert "canvas" == inbox.layout
        assert inbox.why.startswith("8 of 10 entries are ")
        assert {
            "notes.txt": "does not say whose it is",
            "scripts": "is a folder among files",
        } == ignored(inbox)

    @pytest.mark.parametrize("others", [3, 30])
    def test_too_many_misfits(self, arrive: Arrive, others: int) -> None:
        """Some that fit are an accident: students can call a file what they like."""
        files = {f"lee_{number}_9_value.py": X for number in range(8)}

        assert "plain" == arrive({**files, **{f"s{number}/value.py": X for number in range(others)}}).layout

    def test_named(self, arrive: Arrive) -> None:
        """Whoever names one gets it, whatever else is there."""
        files = {"lee_1_9_value.py": X} | {f"s{number}/value.py": X for number in range(9)}
        inbox = arrive(files, layout="canvas")

        assert ("canvas", ["1"]) == (inbox.layout, [*people(inbox)])
        assert inbox.why.startswith("As --layout says: 1 of 10 entries are ")

    def test_named_plain(self, arrive: Arrive) -> None:
        """Also the plain one."""
        inbox = arrive({"lee_1_9_value.py": b"class Value: 1", "ray_2_9_value.py": b""}, layout="plain")

        assert {"lee_1_9_value", "ray_2_9_value"} == people(inbox).keys()

    @pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
    def test_named_in_vain(self, tmp_path: Path, layout: Layout) -> None:
        """Where nothing of it is there, the shape is told that was looked for."""
        as_folder(tmp_path, {"notes.txt": b"", "list.csv": b""})
        with pytest.raises(SubmissionError) as caught:
            read_inbox(tmp_path, [POW], InboxOptions(layout=layout.name))

        said = f"Nothing in {tmp_path} looks like {layout.name}: {layout.shape}; leave out --layout, or name another."
        assert said == str(caught.value)

    def test_two_fit(self, arrive: Arrive) -> None:
        """Where another fits as well, that is said."""
        names = [f"lab_1_{number}_attempt_2026-03-01-10-00-00_value.py" for number in (1, 2)]
        inbox = arrive(dict.fromkeys(names, X))

        assert "blackboard" == inbox.layout or "it could also be blackboard, if --layout says so" in inbox.why

    @pytest.mark.parametrize("prefix", ["hw-submissions/hw-", ""])
    def test_roster(self, arrive: Arrive, tmp_path: Path, prefix: str) -> None:
        """A login that a student chose means nobody whose id it is; elsewhere that is doubtful, for those concerned."""
        roster = tmp_path / "roster.csv"
        roster.write_text("student,github\n0501,ann\n0502,0501\n0503,bob\nann,ann2\n")
        names = ("0501", "ann", "0503")
        inbox = arrive({f"{prefix}{name}/value.py": name.encode() for name in names}, roster=read_roster(roster))
        expected = {"0502": b"0501", "0501": b"ann", "0503 (not on the roster)": b"0503"}

        assert (expected if prefix else {name: name.encode() for name in names}) == sources(inbox)
        doubt = f"may be of any of {{}}, all of whom {roster} calls {{}}"
        assert (
            {}
            if prefix
            else {
                "0501/value.py": doubt.format("0501 and 0502", "0501"),
                "ann/value.py": doubt.format("ann and 0501", "ann"),
            }
        ) == doubts(inbox)

    def test_one_under_two_names(self, arrive: Arrive, tmp_path: Path) -> None:
        """Whoever is in a group twice handed in once."""
        (tmp_path / "roster.csv").write_text("sid,email\n1,a@x.org\n")
        metadata = b"s:\n  :submitters:\n  - :sid: '1'\n  - :email: a@x.org\n  :created_at: soon\n"
        files = {"submission_metadata.yml": metadata, "s/value.py": X}
        inbox = arrive(files, roster=read_roster(tmp_path / "roster.csv"))

        assert [("1", ())] == [(each.student, each.partners) for each in inbox.submissions]

    def test_ambiguous_roster(self, arrive: Arrive, tmp_path: Path) -> None:
        """A name that may mean several people costs nobody else anything."""
        roster = tmp_path / "roster.csv"
        roster.write_text("student,login\n1,x\n2,x\n3,bob\n")
        inbox = arrive({"x/value.py": X, "bob/value.py": X}, roster=read_roster(roster))

        assert {"x": X, "3": X} == sources(inbox)
        assert ("x",) == inbox.strangers
        assert {"x/value.py": f"may be of any of 1 and 2, all of whom {roster} calls x"} == doubts(inbox)

    def test_offered(self) -> None:
        """The command line offers each."""
        assert OFFERED == LAYOUT_NAMES


def test_what_cannot_be_looked_into() -> None:
    """What this machine refuses is told where it matters: of the whole, or of the one student."""

    def refuse() -> NoReturn:
        raise OSError(errno.EACCES, "Permission denied")

    closed = {name: Folder(name, name, refuse) for name in ("lab-ann", "lab-bob")}
    with pytest.raises(OSError, match="Permission denied"):
        recognise(closed["lab-ann"], "here", [POW])
    found = [recognise(Folder("", "", lambda: closed), "here", [POW])]
    found.append(recognise(Folder("", "", lambda: {"lab-ann": closed["lab-ann"]}), "here", [POW]))

    assert ["plain", "plain"] == [each.layout.name for each in found]
    assert [2, 1] == [len(each.reading.attempts) for each in found]


SAFE = st.text(string.ascii_letters + string.digits + "-. ()äß名\u0301'", min_size=1, max_size=12).map(str.strip)
WHO = SAFE.filter(lambda name: name.strip(". -()") and not is_litter(name) and not name.startswith("-"))
"""What can be a name on disk and on a platform."""
SHAPES = {
    "plain": "{name}/{file}",
    "canvas": "{login}_{id}_9{id}_{file}",
    "moodle": "{name}_{id}_assignsubmission_file_/{file}",
    "moodle-flat": "{name}_{id}_assignsubmission_file_{file}",
    "github-classroom": "lab-submissions/lab-{login}/{file}",
    "nbgrader": "submitted/{name}/ps1/{file}",
    "blackboard": "Lab 1_{login}_attempt_2026-03-01-10-00-00_{file}",
    "brightspace": "{id}-5 - {name} - Mar 1, 2026 1159 PM/{file}",
}
IDENTITY = {
    **dict.fromkeys(("plain", "nbgrader"), "name"),
    **dict.fromkeys(("github-classroom", "blackboard"), "login"),
}
"""What of a student is the id; elsewhere it is the id."""


@pytest.mark.parametrize("layout", SHAPES)
@given(
    names=st.lists(WHO, min_size=2, max_size=4, unique_by=lambda name: name),
    file=SAFE.filter(lambda name: name.strip(".") and not name.startswith(".")),
)
@settings(deadline=None, max_examples=60)
def test_names_come_back(layout: str, names: list[str], file: str) -> None:
    """Whoever hands in whatever: the student comes back, and what was handed in is at least named."""
    known = dict(enumerate(names, 1))
    files = {}
    for number, name in known.items():
        for each in ("value.py", f"{file}.txt"):
            place = SHAPES[layout].format(name=name, login=f"u{number}", id=number, file=each)
            files[place] = b"%d" % number
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "class.zip").write_bytes(zipped(files))
        inbox = read_inbox(Path(folder) / "class.zip", [POW], InboxOptions(layout=layout))
    what = IDENTITY.get(layout, "id")
    ids = {number: {"name": name, "login": f"u{number}", "id": str(number)}[what] for number, name in known.items()}

    assert {ids[number]: b"%d" % number for number in known} == sources(inbox)
    assert files.keys() == {origin.path for origin in inbox.origins} | {each.path for each in inbox.ignored}
