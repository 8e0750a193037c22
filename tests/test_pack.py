"""What an instructor uploads: all that grading needs, and nothing else."""

from __future__ import annotations

import importlib.metadata
import io
import json
import math
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.batch.local import longest_seconds
from grader.course import Course
from grader.errors import GraderError
from grader.pack import Item, gradescope_pack, prairielearn_pack, to_zip, write_folder

if TYPE_CHECKING:
    from grader.exercise import Exercise
    from grader.pack import Pack
    from tests.conftest import TinyCourse

SECRET = b"the secret of a made-up course"
WHEEL = f"grader-{importlib.metadata.version('grader')}-py3-none-any.whl"
HIDDEN = '''\
def check_relu_at_zero(engine):
    """At exactly 0, relu passes nothing on."""
    return engine.Value(0.0).data
'''
COURSE = {
    "course/exercises/tiny/README.md",
    "course/exercises/tiny/checks/check_public.py",
    "course/exercises/tiny/exercise.toml",
    "course/exercises/tiny/hidden/check_hidden.py",
    "course/exercises/tiny/hidden/hidden.toml",
    "course/exercises/tiny/starter.py",
    "course/reference/__init__.py",
    "course/reference/engine.py",
}


@pytest.fixture
def exercise(course: TinyCourse) -> Exercise:
    """An exercise in a course with another one, and with what is nobody's."""
    course.exercise(hidden=HIDDEN, name="other", submit="other.py")
    exercise = course.exercise(hidden=HIDDEN)
    course.write("reference/__pycache__/engine.cpython-311.pyc", b"bytecode")
    course.write("reference/.git/HEAD", "ref")
    course.write(".env", "TOKEN=x")
    course.write("submissions/ada/value.py", "")
    (course.root / "reference" / "link.py").symlink_to("/etc/passwd")
    return exercise


def for_gradescope(exercise: Exercise, wheels: Path | None = None) -> Pack:
    """A pack of one exercise."""
    return gradescope_pack(Course(exercise.course_root), [exercise], SECRET, wheels, ["--hidden", "visible"])


def for_prairielearn(exercise: Exercise) -> Pack:
    """A pack of one exercise."""
    return prairielearn_pack(Course(exercise.course_root), [exercise], SECRET, None, "me/grader:1")


# --------------------------------------------------------------------------------------------------------------------
# For Gradescope


def test_what_gradescope_gets(exercise: Exercise) -> None:
    """It gets the two scripts, the grader, the exercise with its hidden checks and its reference, and the secret."""
    pack = for_gradescope(exercise)

    assert {"setup.sh", "run_autograder", "install", WHEEL, "course.secret", *COURSE} == set(pack)
    assert SECRET + b"\n" == pack["course.secret"].data


def test_modes(exercise: Exercise) -> None:
    """In the zip, scripts can be run, and the secret is its owner's alone."""
    with zipfile.ZipFile(io.BytesIO(to_zip(for_gradescope(exercise)))) as packed:
        modes = {each.filename: each.external_attr >> 16 & 0o777 for each in packed.infolist()}

    programs = {name for name, mode in modes.items() if mode == 0o755}
    assert {"setup.sh", "run_autograder", "install"} == programs
    assert {"course.secret"} == {name for name, mode in modes.items() if mode == 0o600}


def test_same_again(exercise: Exercise) -> None:
    """The same course gives the same zip, sorted and without times."""
    first, second = (to_zip(for_gradescope(exercise)) for _ in range(2))

    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as packed:
        assert sorted(packed.namelist()) == packed.namelist()
        assert {(1980, 1, 1, 0, 0, 0)} == {each.date_time for each in packed.infolist()}


def test_options(exercise: Exercise) -> None:
    """What each submission is graded with stands in the script."""
    assert for_gradescope(exercise)["run_autograder"].data.endswith(b" --private /autograder/source --hidden visible\n")


@pytest.mark.parametrize("name", ["setup.sh", "run_autograder", "install"])
def test_scripts(exercise: Exercise, name: str) -> None:
    """The scripts are such."""
    checked = subprocess.run(["bash", "-n"], input=for_gradescope(exercise)[name].data, check=False)  # noqa: S607  # the system's

    assert 0 == checked.returncode


def test_own_wheel(exercise: Exercise, tmp_path: Path) -> None:
    """The grader's wheel, made of what is installed here, can be installed, and has all that the grader is made of."""
    wheel = tmp_path / WHEEL
    wheel.write_bytes(for_gradescope(exercise)[WHEEL].data)
    subprocess.run(  # noqa: S603  # ours
        [
            *(sys.executable, "-m", "pip", "install", "-qq", "--no-deps", "--no-index"),
            "--target",
            tmp_path / "there",
            wheel,
        ],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    with zipfile.ZipFile(wheel) as packed:
        data = {name.removeprefix("grader/") for name in packed.namelist() if not name.endswith(".py")}

    assert {"py.typed", "sandbox/Dockerfile", "sandbox/seccomp.json", "recipes/install"} <= data
    shown = subprocess.run(  # ours
        [
            sys.executable,
            "-S",
            "-c",
            "import grader, importlib.metadata as m; print(m.version('grader'), grader.__file__)",
        ],
        env={"PYTHONPATH": str(tmp_path / "there")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"{importlib.metadata.version('grader')} {tmp_path}/there/grader/__init__.py\n" == shown.stdout


# --------------------------------------------------------------------------------------------------------------------
# What of the reference goes along


def test_only_what_is_imported(course: TinyCourse, exercise: Exercise) -> None:
    """Of the reference goes along what the exercise names, what that imports in whatever way, and data beside it."""
    course.write("reference/engine.py", "import reference.deep.one\nfrom .points import read\nfrom . import two")
    course.write("reference/points.py", "import math")
    course.write("reference/two.py", "if True:\n    import reference.three as three")
    course.write("reference/three.py", "import reference.engine")
    course.write("reference/deep/__init__.py", "")
    course.write("reference/deep/one.py", "from ..four import x\nfrom .five import y")
    course.write("reference/deep/five.py", "")
    course.write("reference/four.py", "")
    course.write("exercises/tiny/checks/points.py", "from reference import six\nfrom .. import nothing")
    course.write("reference/six.py", "")
    course.write("reference/data/points.csv", "1 2")
    course.write("reference/other_solution.py", "")
    course.write("reference/misconceptions/__init__.py", "from reference import other_solution")
    course.write("reference/misconceptions/notes.md", "")
    course.write("solutions/tiny.py", "")
    names = {name.removeprefix("course/reference/") for name in for_gradescope(exercise) if "/reference/" in name}

    modules = {"engine", "points", "two", "three", "four", "six", "deep/one", "deep/five", "deep/__init__"}
    assert {"__init__.py", "data/points.csv", *(f"{module}.py" for module in modules)} == names


def test_no_other_solution() -> None:
    """Who packs an exercise of this course keeps the solutions of the others."""
    found = Course(Path(__file__).parents[1])
    pack = gradescope_pack(found, [found.exercise("pow_relu")], SECRET, None, [])

    taken = {name.partition("/reference/")[2] for name in pack if "/reference/" in name}

    known = {f"misconceptions/{name}.py" for name in ("__init__", "engines", "pow_relu")}
    assert {"__init__.py", "engine.py", "pow_relu.py"} | known == taken


# --------------------------------------------------------------------------------------------------------------------
# What has to be installed


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("reference/draws.py", "from hypothesis import given"),
        ("exercises/tiny/checks/draws.py", "import hypothesis.core"),
    ],
)
def test_hypothesis(course: TinyCourse, exercise: Exercise, name: str, source: str) -> None:
    """What imports Hypothesis gets it, and what the course lists itself."""
    course.write(name, source)
    course.write("reference/__init__.py", "from . import draws, a_draft")
    course.write("reference/a_draft.py", "def half(")
    course.write("requirements.txt", "mpmath>=1.3\n")

    assert b"mpmath>=1.3\nhypothesis\n" == for_gradescope(exercise)["requirements.txt"].data


def test_wheels(exercise: Exercise, tmp_path: Path) -> None:
    """Wheels are taken along, except for a grader's that is not this one."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    required = [line.split(">")[0] for line in importlib.metadata.requires("grader") or () if "extra ==" not in line]
    for name in required:
        (wheels / f"{name.replace('-', '_')}-1.0-py3-none-any.whl").write_text(name)
    (wheels / "grader-0.0.1-py3-none-any.whl").touch()
    pack = for_gradescope(exercise, wheels)

    assert len(required) == len([name for name in pack if name.startswith("wheels/")])
    assert b"click" == pack["wheels/click-1.0-py3-none-any.whl"].data


def test_wheels_that_are_missing(course: TinyCourse, exercise: Exercise, tmp_path: Path) -> None:
    """A folder that lacks wheels is refused, with their names, before anything is uploaded."""
    course.write("requirements.txt", "mpmath>=1.3\n")

    with pytest.raises(
        GraderError, match=rf"^{tmp_path} has no wheel of click, docker, .*mpmath.*; make it with `pip wheel"
    ):
        for_gradescope(exercise, tmp_path)


# --------------------------------------------------------------------------------------------------------------------
# For PrairieLearn


def test_what_prairielearn_gets(exercise: Exercise) -> None:
    """It gets an image's recipe with nothing of the course in it, and a question with all of it in tests/."""
    pack = for_prairielearn(exercise)
    question = {name.removeprefix("questions/tiny/") for name in pack if name.startswith("questions/tiny/")}

    assert {"image/Dockerfile", "image/run", "image/install", f"image/{WHEEL}"} == {
        name for name in pack if not name.startswith("questions/")
    }
    tests = {f"tests/{name}" for name in {*COURSE, "course.secret"}}
    assert {"info.json", "question.html", "starter.py", *tests} == question


def test_question(exercise: Exercise) -> None:
    """A question shows what to do, has the starter to begin with, and names the image and a time that suffices."""
    pack = for_prairielearn(exercise)
    info = json.loads(pack["questions/tiny/info.json"].data)

    assert {"enabled": True, "image": "me/grader:1", "timeout": math.ceil(longest_seconds(exercise))} == info[
        "externalGradingOptions"
    ]
    assert ("v3", "External", "A tiny exercise") == (info["type"], info["gradingMethod"], info["title"])
    assert info["uuid"] == json.loads(for_prairielearn(exercise)["questions/tiny/info.json"].data)["uuid"]
    page = pack["questions/tiny/question.html"].data.decode()
    assert "What to do." in page
    assert 'file-name="value.py"' in page
    assert "docker build --tag me/grader:1" in pack["image/Dockerfile"].data.decode()


# --------------------------------------------------------------------------------------------------------------------
# Files


def test_folder(tmp_path: Path) -> None:
    """A pack is written into a new folder, with the modes that it has."""
    write_folder({"a/run": Item(b"#!", 0o755), "secret": Item(b"x", 0o600)}, tmp_path / "new")

    assert b"#!" == (tmp_path / "new" / "a" / "run").read_bytes()
    assert [0o755, 0o600] == [(tmp_path / "new" / name).stat().st_mode & 0o777 for name in ("a/run", "secret")]
    with pytest.raises(GraderError, match=r"new is there already; name a new folder$"):
        write_folder({}, tmp_path / "new")


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """Where no folder can be made, another is to be named."""
    (tmp_path / "file").touch()

    with pytest.raises(GraderError, match=r"cannot be written \(Not a directory\); name another folder$"):
        write_folder({}, tmp_path / "file" / "new")


def test_course_that_cannot_be_read(course: TinyCourse, exercise: Exercise) -> None:
    """What cannot be read is named."""
    (exercise.folder / "README.md").unlink()

    with pytest.raises(GraderError, match=r"README.md cannot be read \(No such file or directory\); mend"):
        for_prairielearn(exercise)
    assert course.root == exercise.course_root
