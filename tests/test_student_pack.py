"""What students get: it checks as the whole course does, alone, and holds no answer but those to what it asks."""

from __future__ import annotations

import importlib
import io
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import grader
from grader.course import Course
from grader.errors import ExerciseError
from grader.exercise import load_exercise
from grader.pack import to_zip, write_folder
from grader.reports.feedback import SEEMS
from grader.student_pack import student_pack
from tests.typical_work import typical_work

if TYPE_CHECKING:
    from grader.exercise import Exercise
    from grader.pack import Pack
    from tests.conftest import TinyCourse

ROOT = Path(__file__).resolve().parents[1]
EXERCISES = Course(ROOT).exercises()
HANDED_IN = sorted((ROOT / "submissions").glob("*/*.py"))
MISTAKEN = [(each.id, name) for each in EXERCISES for name in typical_work(each.id)][::8]
ALONE = ("unshare", "--net", *(("--map-root-user",) if os.geteuid() else ()))
"""No network."""

CHECK_ALL = """
import contextlib, io, json, sys
import xml.etree.ElementTree as ET

sys.path[:0] = json.loads(sys.argv[1])
sys.modules["hypothesis"] = None
from grader.cli import _run

assert not [name for name in ("reference", "exercises") if __import__("importlib.util").util.find_spec(name)]
found = {}
for exercise, file in json.loads(sys.argv[3]):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        status = _run(["check", exercise, file, "--junit", sys.argv[2]])
    suite = ET.parse(sys.argv[2]).find("testsuite")
    cases = [(case.get("name"), [(child.tag, child.get("type"), child.text) for child in case])
             for case in suite.iter("testcase")]
    found[file] = status, cases, suite.findtext("system-out")
print(json.dumps(found))
"""
"""Runs the command line on every file, and tells its status and what its JUnit reports say of each check and of all.

Without Hypothesis, with which the whole course may find a smaller example than students' copies know.
"""

GIVEN = '''\
from hypothesis import given, strategies as st


@given(st.floats(-10, 10))
def check_value(engine, x):
    """A value keeps its number."""
    return engine.Value(x).data
'''


@pytest.fixture(scope="module")
def pack() -> Pack:
    """What students of this course get."""
    return student_pack(EXERCISES)


@pytest.fixture(scope="module")
def unpacked(pack: Pack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, unpacked."""
    folder = tmp_path_factory.mktemp("student") / "course"
    with zipfile.ZipFile(io.BytesIO(to_zip(pack))) as packed:
        packed.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Where an interpreter that knows nothing else finds the grader, and what that needs."""
    folder = tmp_path_factory.mktemp("bare")
    shutil.copytree(Path(grader.__file__).parent, folder / "grader", ignore=shutil.ignore_patterns("__pycache__"))
    return [str(folder), sysconfig.get_path("purelib")]


def check_all(course: Path, bare: list[str], out: Path) -> dict[str, Any]:
    """What `grader check` says of every file, run in a course's folder, without a network and with nothing else."""
    files = [(next(each.id for each in EXERCISES if each.submit == path.name), str(path)) for path in HANDED_IN]
    for exercise, name in MISTAKEN:
        path = out.parent / exercise / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(typical_work(exercise)[name], "utf-8")
        files.append((exercise, str(path)))
    arguments = [json.dumps(bare), str(out), json.dumps(files)]
    done = subprocess.run(  # noqa: S603  # ourselves
        [*ALONE, sys.executable, "-I", "-S", "-c", CHECK_ALL, *arguments],
        cwd=course,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "" == done.stderr
    return dict(json.loads(done.stdout))


def test_same_verdicts(unpacked: Path, bare: list[str], tmp_path: Path) -> None:
    """All that students handed in, and other mistakes, have the verdicts of the whole course, in the same words.

    So have the diagnoses.
    """
    whole = tmp_path / "whole"
    for name in ("exercises", "reference"):
        shutil.copytree(ROOT / name, whole / name, ignore=shutil.ignore_patterns("__pycache__"))
    alone = check_all(unpacked, bare, tmp_path / "alone.xml")

    assert check_all(whole, bare, tmp_path / "whole.xml") == alone
    assert {0, 1} == {status for status, *_ in alone.values()}
    assert len([said for *_, said in alone.values() if said and SEEMS in said]) >= 5
    assert 20 < json.dumps(alone).count("How the right answer comes about")
    assert len(HANDED_IN) + len(MISTAKEN) == len(alone)


def test_files(pack: Pack) -> None:
    """Each exercise has its prompt, starter, manifest, public checks and what is recorded, and nothing else."""
    names = {name for name in pack if name.split("/")[2:3] != ["checks"]}

    assert {
        "README.md",
        *(
            f"exercises/{exercise.id}/{name}"
            for exercise in EXERCISES
            for name in ("README.md", "starter.py", "exercise.toml", "expected.json", "misconceptions.json")
        ),
    } == names
    assert {0o644} == {item.mode for item in pack.values()}


def test_no_answers(pack: Pack) -> None:
    """No line of the reference is in it, unless students have it from a starter or a prompt."""
    public = "".join(
        (exercise.folder / name).read_text() for exercise in EXERCISES for name in ("starter.py", "README.md")
    )
    lines = {line.strip() for path in (ROOT / "reference").rglob("*.py") for line in path.read_text().splitlines()}
    imports = {line for line in lines if line.startswith(("from __future__ ", "import ", "from pathlib "))}
    answers = {line for line in lines - imports if len(line) > 20 and line not in public}
    texts = {name: item.data.decode() for name, item in pack.items()}

    assert len(answers) > 500
    assert set() == {(name, line) for line in answers for name, text in texts.items() if line in text}


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_sentences_alone(pack: Pack, exercise: Exercise) -> None:
    """Of misconceptions it has sentences, where nobody meets them by chance, and no name."""
    module = importlib.import_module(str(exercise.misconceptions))
    sentences = {each.sentence for each in module.MISCONCEPTIONS}
    names = {each.id for each in module.MISCONCEPTIONS if "-" in each.id}
    texts = {name: item.data.decode() for name, item in pack.items()}
    told = json.loads(texts[f"exercises/{exercise.id}/misconceptions.json"])["ways"].keys()
    others = [text for name, text in texts.items() if not name.endswith("/misconceptions.json")]

    assert told
    assert told <= sentences
    assert set() == {name for name in names for text in texts.values() if name in text}
    assert set() == {sentence for sentence in sentences for text in others if sentence in text}


def test_nothing_hidden(pack: Pack) -> None:
    """Nor is a hidden check in it, by name, question, hint or any line; nor a submission, nor what is secret."""
    everything = "\n".join(item.data.decode() for item in pack.values())
    public = "\n".join(path.read_text() for each in EXERCISES for path in (each.folder / "checks").iterdir())
    hidden = [check for exercise in EXERCISES for check in exercise.checks if check.hidden]
    words = {word for check in hidden for word in (check.name, check.question, check.hint) if word}
    lines = {
        line.strip()
        for exercise in EXERCISES
        for path in (exercise.folder / "hidden").iterdir()
        for line in path.read_text().splitlines()
    }
    imports = {line for line in lines if line.startswith(("from ", "import "))}
    words |= {line for line in lines - imports if len(line) > 20 and line not in public}
    starters = {(exercise.folder / "starter.py").read_text() for exercise in EXERCISES}
    handed_in = {path.read_text() for path in HANDED_IN} - starters

    assert len(words) > 100
    assert set() == {word for word in words if word in everything}
    assert len(handed_in) > 40
    assert set() == {text for text in handed_in if text in everything}
    assert [] == [name for name in ("misconceptions =", "reference.misc", "secret", "hidden/") if name in everything]


def test_same_bytes(pack: Pack) -> None:
    """The same course gives the same bytes."""
    assert to_zip(pack) == to_zip(student_pack(EXERCISES))


def test_copies_are_exercises(unpacked: Path) -> None:
    """What students get loads, and is the public part of the exercise."""
    for exercise in EXERCISES:
        copy = load_exercise(unpacked / "exercises" / exercise.id)

        assert [(check.name, check.xp, check.hint) for check in exercise.public.checks] == [
            (check.name, check.xp, check.hint) for check in copy.checks
        ]
        assert (exercise.title, exercise.xp, exercise.limits) == (copy.title, copy.xp, copy.limits)


def test_welcome(pack: Pack) -> None:
    """The page on top says how to begin."""
    page = pack["README.md"].data.decode()

    assert "- Fit a line: `grader start line_fit`\n" in page
    assert "grader check line_fit line_fit/line_fit.py --watch\n" in page


# --------------------------------------------------------------------------------------------------------------------
# What cannot be for students


def mistakes(exercise: Exercise) -> tuple[str, ...]:
    """What an author is told whose exercise cannot be given to students."""
    with pytest.raises(ExerciseError) as caught:
        student_pack([exercise])
    assert exercise.id == caught.value.exercise
    return caught.value.mistakes


def test_given(course: TinyCourse) -> None:
    """Examples that are drawn as a check runs cannot be recorded; what to do instead is said."""
    (mistake,) = mistakes(course.exercise(GIVEN))

    assert mistake.startswith("check_value: @given draws its examples anew, which cannot be recorded; draw them ahead")


def test_needs_more(course: TinyCourse) -> None:
    """A public check that needs a file that students do not get is found out before they do."""
    checks = (
        "from pathlib import Path\n\nTEXT = (Path(__file__).parents[1] / 'hidden' / 'hidden.toml').read_text()\n\n\n"
        'def check_value(engine):\n    """It is."""\n    return engine.Value(1.0).data\n'
    )
    (mistake,) = mistakes(course.exercise(checks, "def check_more(engine):\n    '''It is.'''\n    return 1\n"))

    assert mistake.startswith("in students' copies: ")
    assert "FileNotFoundError" in mistake


def test_other_cases(course: TinyCourse) -> None:
    """So is one that asks something else there."""
    checks = (
        "from pathlib import Path\n\nimport pytest\n\nWHOLE = (Path(__file__).parents[1] / 'hidden').is_dir()\n\n\n"
        "@pytest.mark.parametrize('x', [1.0, 2.0] if WHOLE else [2.0])\n"
        'def check_value(engine, x):\n    """It is."""\n    return engine.Value(x).data\n'
    )

    assert ("in students' copies its checks have other cases; mend what they depend on",) == mistakes(
        course.exercise(checks, "def check_more(engine):\n    '''It is.'''\n    return 1\n")
    )


def test_manifest(course: TinyCourse) -> None:
    """Comments, and what is for instructors alone, are cut out of a manifest, but nothing of its texts."""
    exercise = course.exercise()
    path = exercise.folder / "exercise.toml"
    text = path.read_text()
    path.write_bytes(b"\xef\xbb\xbf# Mine.\r\n" + text.replace("\n", "\r\n").encode() + b"\r\n  # Mine, too.")
    pack = student_pack([load_exercise(exercise.folder)])

    assert text.strip() == pack["exercises/tiny/exercise.toml"].data.decode().strip()


@pytest.mark.parametrize("hint", ['"""\nTry:\n# this\n"""', '"""\nmisconceptions = """'])
def test_manifest_that_cannot_be_cut(course: TinyCourse, hint: str) -> None:
    """Where the one cannot be told from the other, the author is asked for lines of their own."""
    exercise = course.exercise()
    path = exercise.folder / "exercise.toml"
    path.write_text(path.read_text().replace('"Look again."', hint, 1))

    (mistake,) = mistakes(load_exercise(exercise.folder))

    assert mistake.startswith(
        "exercise.toml cannot be cut down for students: write misconceptions on a line of its own"
    )


def test_folder(pack: Pack, unpacked: Path, tmp_path: Path) -> None:
    """As a folder it is the same."""
    write_folder(pack, tmp_path / "course")

    assert {path.relative_to(unpacked): path.read_bytes() for path in unpacked.rglob("*") if path.is_file()} == {
        path.relative_to(tmp_path / "course"): path.read_bytes()
        for path in (tmp_path / "course").rglob("*")
        if path.is_file()
    }
