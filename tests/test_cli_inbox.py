"""What platforms hand out can be looked at and graded as it is, on the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.arrivals import as_folder, notebook, tarred, zipped

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.conftest import Command, TinyCourse

HIDDEN = '''\
def check_relu_at_zero(engine):
    """At exactly 0, relu passes nothing on."""
    x = engine.Value(0.0)
    x.relu().backward()
    return {"x.grad": x.grad}
'''
PEOPLE = {
    "1": [("ada", "0001")],
    "2": [("blaise", "0002")],
    "3": [("carl", "0003"), ("dora", "0004")],
    "4": [("emil", "0005")],
    "5": [("fay", "0006")],
    "6": [("zoe", "0009")],
}
METADATA = "".join(
    f"submission_{number}:\n  :submitters:\n"
    + "".join(f"  - :name: {name.title()}\n    :sid: '{sid}'\n    :email: {name}@x.org\n" for name, sid in people)
    + f"  :created_at: 2026-03-0{number} 09:00:00.000000000 Z\n"
    for number, people in PEOPLE.items()
)
ROSTER = "student,name,email\n" + "".join(
    f"{name},{name.title()},{name}@x.org\n" for name in ("ada", "blaise", "carl", "dora", "emil", "fay", "gus")
)


def encrypted(data: bytes) -> bytes:
    """A zip whose files are marked as encrypted."""
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        place = data.index(signature) + offset
        data = data[:place] + b"\1" + data[place + 1 :]
    return data


def in_cells(source: str) -> bytes:
    """A notebook of an engine, as students write them."""
    return notebook("%matplotlib inline\nimport math", source, "Value(1.0) + no_such_name", "# the end")


@pytest.fixture
def export(course: TinyCourse, tmp_path: Path) -> Path:
    """An export of a class of all sorts, and its roster."""
    course.exercise(hidden=HIDDEN)
    files = {
        "submission_1/value.py": course.right.encode(),
        "submission_2/value.ipynb": in_cells(course.wrong),
        "submission_3/hw.tar.gz": tarred(
            {"hw/value.py": b"from loss import *\n" + course.right.encode(), "hw/loss.py": b""}, "gz"
        ),
        "submission_4/value.zip": encrypted(zipped({"value.py": course.right.encode()})),
        "submission_5/Value (1).py": course.right.encode(),
        "submission_6/value.py": course.wrong.encode(),
        "submission_6/notes.txt": b"",
    }
    everything = {"submission_metadata.yml": METADATA.encode(), **files}
    (tmp_path / "export.zip").write_bytes(
        zipped({f"assignment_7_export/{name}": data for name, data in everything.items()})
    )
    (tmp_path / "roster.csv").write_text(ROSTER)
    return tmp_path / "export.zip"


def outcomes(out: Path) -> dict[str, dict[str, Any]]:
    """What `results.json` says of each student."""
    record = json.loads((out / "results.json").read_text(encoding="utf-8"))
    return {outcome["student"]: outcome for outcome in record["outcomes"]}


@pytest.mark.parametrize("sandbox", ["bubblewrap", "unsafe"])
def test_grade(command: Command, course: TinyCourse, export: Path, tmp_path: Path, sandbox: str) -> None:
    """Files, notebooks, archives and groups are graded each as what it is, and nobody is forgotten."""
    options = ("--roster", tmp_path / "roster.csv", "--due", "2026-03-05T12:00Z", "--sandbox", sandbox)
    done = command("grade", export, "-o", tmp_path / "out", *options, cwd=course.root)
    found = outcomes(tmp_path / "out")

    assert (0, "") == (done.returncode, "" if done.returncode == 0 else done.stderr)
    assert {
        "ada": ("graded", 15),
        "blaise": ("graded", 10),
        "carl": ("graded", 15),
        "dora": ("graded", 15),
        "emil": ("graded", 0),
        "fay": ("graded", 15),
        "gus": ("absent", None),
        "0009": ("graded", 10),
    } == {student: (outcome["state"], outcome.get("xp")) for student, outcome in found.items()}
    assert {"not_run"} == {check["verdict"] for check in found["emil"]["checks"]}
    assert ["Value (1).py is taken for value.py by its name."] == found["fay"]["notes"]
    assert "This was handed in late." == found["0009"]["notes"][0]
    assert found["carl"]["checks"] == found["dora"]["checks"]
    assert 7 == len([*(tmp_path / "out" / "junit").iterdir()])
    assert "Students: 8. Submissions: 7 graded, 0 ungraded, 1 absent." in done.stdout
    assert "[6/6]" in done.stderr
    assert "carl +1 tiny: 15/15 XP" in done.stderr
    assert "0009 (Zoe)" in done.stdout
    for remark in (
        "Not on the roster, but in the inbox:\n  0009 (Zoe)\n",
        "fay (Fay): Value (1).py is taken for value.py by its name\n",
        "emil (Emil): value.py is encrypted\n",
        "submission_6/notes.txt: is not asked for\n",
    ):
        assert " ".join(remark.split()) in " ".join(done.stderr.split())


def test_inbox(command: Command, course: TinyCourse, export: Path, tmp_path: Path) -> None:
    """All of it is shown before anything runs."""
    done = command("inbox", export, "--roster", tmp_path / "roster.csv", cwd=course.root)
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]

    assert (0, "") == (done.returncode, done.stderr)
    assert "Layout: gradescope. 6 of 6 entries are submission_metadata.yml and" == lines[0]
    assert "tiny: gus (Gus)" in lines
    assert "Students: 8. Handed in: 7, ungraded: 0, absent: 1." == lines[-1]


def test_ungraded(command: Command, course: TinyCourse, tmp_path: Path) -> None:
    """What this machine refuses to read has a status of its own."""
    course.exercise(hidden=HIDDEN)
    as_folder(tmp_path / "class", {"ann/value.py": b""})
    (tmp_path / "class" / "bob").symlink_to("ann")
    done = command("inbox", tmp_path / "class", cwd=course.root)

    assert 3 == done.returncode
    assert "bob, tiny: The student's folder cannot be read: it is a symbolic link" in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"--attempt": "second"}, "'second' is neither 'first' nor 'last' nor a number from 1 on."),
        ({"--attempt": "0"}, "'0' is neither 'first' nor 'last' nor a number from 1 on."),
        ({"--attempt": "-1"}, "'-1' is neither"),
        ({"--attempt": "٣"}, "is neither 'first' nor 'last' nor a number from 1 on."),
        ({"--attempt": "9" * 5000}, "9' is neither"),
        ({"--due": "tomorrow"}, "'tomorrow' is no time such as 2026-03-01 or 2026-03-01T18:00+01:00."),
        ({"--due": "2026-02-30"}, "'2026-02-30' is no time"),
        ({"--layout": "teams"}, "'teams' is not one of"),
        ({"--layout": "canvas"}, "looks like canvas: <lastfirst>_[LATE_]<user id>_<submission id>_<file>; leave out"),
        ({"--roster": "no/such.csv"}, "no/such.csv cannot be read (No such file or directory)"),
        ({"--student": "adda"}, "There is no student 'adda'"),
        ({"--exercise": "tinny"}, "did you mean 'tiny'?"),
    ],
)
@pytest.mark.parametrize("called", ["inbox", "grade"])
def test_wrong_usage(
    command: Command, course: TinyCourse, export: Path, called: str, options: Mapping[str, str], said: str
) -> None:
    """A wrong option ends with status 2 and a last line that says what is wrong."""
    arguments = [each for option in options.items() for each in option]
    done = command(called, export, *arguments, *(["-o", "out"] if called == "grade" else []), cwd=course.root)

    assert (2, "") == (done.returncode, done.stdout)
    assert said in done.stderr.rstrip().rpartition("\n")[2]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("options", "day"),
    [
        ([], 3),
        (["--attempt", "first"], 1),
        (["--attempt", "2"], 2),
        (["--attempt", "last", "--layout", "blackboard"], 3),
    ],
)
def test_attempt(command: Command, course: TinyCourse, tmp_path: Path, options: list[str], day: int) -> None:
    """An attempt can be asked for."""
    course.exercise(hidden=HIDDEN)
    files = {f"lab_ann_attempt_2026-03-0{number}-09-00-00_value.py": b"" for number in (1, 2, 3)}
    done = command("inbox", as_folder(tmp_path / "class", files), *options, cwd=course.root)

    assert 0 == done.returncode
    assert f"lab_ann_attempt_2026-03-0{day}-" in done.stdout
    assert f"attempt {day} of 3" in done.stdout


@pytest.mark.parametrize(
    ("due", "late"),
    [("2026-03-01", False), ("2026-02-28", True), ("2026-03-01T08:59", True), ("2026-03-01 09:00", False)],
)
def test_due(command: Command, course: TinyCourse, tmp_path: Path, due: str, *, late: bool) -> None:
    """A date is the whole day."""
    course.exercise(hidden=HIDDEN)
    files = {"l_ann_attempt_2026-03-01-09-00-00_value.py": b""}
    done = command("inbox", as_folder(tmp_path / "class", files), "--due", due, cwd=course.root)

    assert late == ("late" in done.stdout)


def test_other_exercises(command: Command, course: TinyCourse, tmp_path: Path) -> None:
    """The file of another exercise is that, whichever exercises are asked for; a broken one is not looked at."""
    course.exercise(hidden=HIDDEN)
    course.exercise(hidden=HIDDEN, name="other", submit="other.py")
    arrived = as_folder(tmp_path / "class", {"ann/other.py": b"", "bob/value.py": b""})
    sound = command("inbox", arrived, "--exercise", "tiny", cwd=course.root)
    course.write("exercises/other/exercise.toml", "")
    broken = command("inbox", arrived, "--exercise", "tiny", cwd=course.root)

    assert "tiny: ann" in sound.stdout
    assert "ann/other.py: is for other" in sound.stdout
    assert "ann: other.py is taken for value.py because it is the only file" in broken.stdout


def test_check(command: Command, course: TinyCourse, tmp_path: Path) -> None:
    """A notebook that is checked gets the verdicts that it is graded with, and may import what lies beside it."""
    course.exercise(hidden=HIDDEN)
    source = "from slope import SLOPE\n" + course.right.replace("1.0 if self.data > 0 else 0.0", "SLOPE")
    as_folder(
        tmp_path / "class/ann", {"value.ipynb": in_cells(source), "slope.py": b"SLOPE = 1.0\n", "math.py": b"1/0"}
    )
    checked = command("check", "tiny", tmp_path / "class/ann/value.ipynb", cwd=course.root)
    command("grade", tmp_path / "class", "-o", tmp_path / "out", "--sandbox", "bubblewrap", cwd=course.root)
    verdicts = [check["verdict"] for check in outcomes(tmp_path / "out")["ann"]["checks"] if not check["hidden"]]

    assert ["passed", "failed"] == verdicts
    assert 1 == checked.returncode
    assert ["passed", "failed"] == [
        line.split()[1] for line in checked.stdout.splitlines() if line.startswith(("✓", "✗"))
    ]
