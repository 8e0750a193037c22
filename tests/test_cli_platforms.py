"""The commands that run in a platform's container, and those that make what is uploaded to it."""

from __future__ import annotations

import json
import os
import zipfile
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Command, TinyCourse

HIDDEN = '''\
def check_relu_at_zero(engine):
    """At exactly 0, relu passes nothing on."""
    x = engine.Value(0.0)
    x.relu().backward()
    return {"x.grad": x.grad}
'''
SECRET = "the secret of a made-up course"  # noqa: S105  # of a made-up one
BOTH = ("gradescope", "prairielearn")


class Container:
    """What a platform's container holds, in a folder; lasts as long as its test."""

    def __init__(self, root: Path, course: TinyCourse, command: Command) -> None:
        self.submission = root / "submission"
        self.results = root / "results" / "results.json"
        self.about = root / "about.json"
        self._course = course
        self._command = command
        self.submission.mkdir()
        course.exercise(hidden=HIDDEN)
        course.write("../course.secret", SECRET)

    def grade(self, platform: str, *arguments: object, course: Path | None = None) -> tuple[int, str]:
        """Run a platform's command in bubblewrap; return its status and what it says."""
        about = "--metadata" if platform == "gradescope" else "--data"
        paths = ("--submission", self.submission, about, self.about, "--results", self.results)
        done = self._command(
            *("--course", course or self._course.root, platform, *paths, "--sandbox", "bubblewrap", *arguments),
            environment={name: "" for name in os.environ if name == "GRADER_COURSE"},
        )
        assert "" == done.stdout
        return done.returncode, done.stderr

    def read(self, schema: Path) -> Any:  # whatever it is
        """The results, which must be valid."""
        results = json.loads(self.results.read_text(encoding="utf-8"))
        jsonschema.validate(results, json.loads(schema.read_text(encoding="utf-8")))
        return results


@pytest.fixture
def container(tmp_path: Path, course: TinyCourse, command: Command) -> Container:
    """A container in which nothing was handed in yet."""
    return Container(tmp_path, course, command)


@pytest.fixture
def schemas(request: pytest.FixtureRequest) -> Path:
    """Where the schemas of the platforms' files are."""
    return request.path.parent / "schemas"


# --------------------------------------------------------------------------------------------------------------------
# In a container


def test_gradescope(container: Container, course: TinyCourse, schemas: Path) -> None:
    """Each check is a test of its XP, and hidden checks are seen when the instructor says so."""
    (container.submission / "value.py").write_text(course.wrong)
    container.about.write_text('{"users": [{"id": 11}]}')
    status, said = container.grade("gradescope", "--hidden", "after_published")
    results = container.read(schemas / "gradescope.json")

    assert 0 == status, said
    assert [(5, "visible"), (5, "visible"), (0, "after_published")] == [
        (test["score"], test["visibility"]) for test in results["tests"]
    ]
    assert said.startswith("Sandbox: bubblewrap.\ntiny: 10 of 15 XP in CPython ")


def test_gradescope_without_a_file(container: Container, schemas: Path) -> None:
    """Where nothing was handed in the score is nothing, and so it says."""
    status, _ = container.grade("gradescope")
    results = container.read(schemas / "gradescope.json")

    assert 0 == status
    assert [0, 0, 0] == [test["score"] for test in results["tests"]]
    assert "value.py was not handed in" == results["output"]


def test_prairielearn(container: Container, course: TinyCourse, schemas: Path) -> None:
    """The score is the part of all XP that was earned."""
    (container.submission / "value.py").write_text(course.wrong)
    container.about.write_text('{"variant_seed": 3}')
    status, said = container.grade("prairielearn")

    assert 0 == status, said
    assert 10 / 15 == container.read(schemas / "prairielearn.json")["score"]


def test_prairielearn_without_a_file(container: Container, schemas: Path) -> None:
    """Where nothing was handed in the attempt does not count, and it is said what there was."""
    (container.submission / "essay.txt").write_text("An essay.")
    status, said = container.grade("prairielearn")
    results = container.read(schemas / "prairielearn.json")

    assert 0 == status, said
    assert not results["gradable"]
    assert ["No file for this exercise was handed in.", "essay.txt is not asked for."] == results["format_errors"]


@pytest.mark.parametrize("platform", BOTH)
def test_inputs_are_a_students_own(container: Container, course: TinyCourse, platform: str, schemas: Path) -> None:
    """Where the platform does not say whose it is, as when it is tried out, it is nobody's."""
    (container.submission / "value.py").write_text(course.right)
    status, said = container.grade(platform)

    assert 0 == status, said
    assert container.read(schemas / f"{platform}.json")["tests"]


@pytest.mark.parametrize(
    ("spoilt", "says"),
    [
        ("course.secret", "course.secret: a course secret has at least"),
        ("course/reference/engine.py", "tiny is ungraded: "),
    ],
)
@pytest.mark.parametrize("platform", BOTH)
def test_a_fault(container: Container, course: TinyCourse, platform: str, spoilt: str, says: str) -> None:
    """Where grading itself fails Gradescope gets no results, and PrairieLearn some that say it does not count."""
    (container.submission / "value.py").write_text(course.right)
    container.results.parent.mkdir()
    container.results.write_text('{"score": 1.0}')
    (course.root.parent / spoilt).write_text("1 / 0")
    status, said = container.grade(platform)

    assert 3 == status, said
    assert says in said
    if platform == "gradescope":
        assert not container.results.exists()
    else:
        assert not json.loads(container.results.read_text(encoding="utf-8"))["gradable"]


def test_one_exercise_of_several(container: Container, course: TinyCourse, schemas: Path) -> None:
    """A question of PrairieLearn's is one exercise; an assignment of Gradescope's may be all of them, or some."""
    course.exercise(hidden=HIDDEN, name="other", submit="other.py")
    (container.submission / "value.py").write_text(course.right)
    status, said = container.grade("prairielearn")
    assert (2, True) == (status, "has several exercises; name one with --exercise" in said)

    assert 0 == container.grade("prairielearn", "--exercise", "tiny")[0]
    assert 1.0 == container.read(schemas / "prairielearn.json")["score"]
    assert 0 == container.grade("gradescope")[0]
    tests = container.read(schemas / "gradescope.json")["tests"]
    assert [0, 0, 0, 5, 5, 5] == [test["score"] for test in tests]
    assert ["1.1", "2.1"] == [tests[at]["number"] for at in (0, 3)]


def test_limits_that_the_platform_does_not_allow(container: Container, course: TinyCourse) -> None:
    """Limits that allow more than the platform does are told before it is too late."""
    (container.submission / "value.py").write_text(course.right)
    status, said = container.grade("gradescope", "--timeout", "60")

    assert 0 == status
    assert "and Gradescope stops it after 60 s, which counts as a zero" in said


# --------------------------------------------------------------------------------------------------------------------
# What is uploaded


def test_pack_for_gradescope(course: TinyCourse, command: Command, tmp_path: Path) -> None:
    """The zip is its owner's alone, as is the secret, which is made once beside it."""
    course.exercise(hidden=HIDDEN)
    made = tmp_path / "made"
    zips = []
    said = []
    arguments = ("--course", course.root, "pack", "gradescope", "-o", made / "autograder.zip", "--hidden", "hidden")
    for more in ((), ("--replace",)):
        done = command(*arguments, *more)
        assert 0 == done.returncode, done.stderr
        zips.append((made / "autograder.zip").read_bytes())
        said.append(done.stderr)
    refused = command(*arguments)

    assert [f"A new course.secret was made in {made}: keep it; with another one, hidden inputs differ.\n", ""] == said
    assert 2 == refused.returncode
    assert f"{made / 'autograder.zip'} is there already; name another file, or add --replace." in refused.stderr
    assert f"{made / 'autograder.zip'} grades tiny. Upload it on the page Configure Autograder.\n" == done.stdout
    assert {0o600} == {path.stat().st_mode & 0o777 for path in made.iterdir()}
    assert zips[0] == zips[1]
    with zipfile.ZipFile(made / "autograder.zip") as packed:
        assert (made / "course.secret").read_bytes() == packed.read("course.secret")
        assert b"gradescope --private /autograder/source --hidden hidden --timeout 600\n" in packed.read(
            "run_autograder"
        )


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("file/autograder.zip", "file cannot be made (File exists); name another place"),
        ("x" * 300, "cannot be written (File name too long); name another file"),
    ],
)
def test_pack_that_cannot_be_written(
    course: TinyCourse, command: Command, tmp_path: Path, output: str, says: str
) -> None:
    """Where no zip can be made, another place is to be named."""
    course.exercise(hidden=HIDDEN)
    (tmp_path / "file").touch()
    done = command("--course", course.root, "pack", "gradescope", "-o", tmp_path / output)

    assert 3 == done.returncode
    assert says in done.stderr


def test_pack_for_prairielearn(course: TinyCourse, command: Command, tmp_path: Path) -> None:
    """There are an image's recipe and a question for each exercise; what is there already is not replaced."""
    course.exercise(hidden=HIDDEN, limits={"check_seconds": 100})
    arguments = ("--course", course.root, "pack", "prairielearn", "-o", tmp_path / "made", "--image", "me/grader:1")
    done = command(*arguments, environment={"GRADER_SECRET": SECRET})
    assert 0 == done.returncode, done.stderr

    assert done.stdout.startswith("Build and push me/grader:1 from ")
    assert "and PrairieLearn stops it after 600 s" in done.stderr
    assert {"image", "questions"} == {path.name for path in (tmp_path / "made").iterdir()}
    again = command(*arguments, environment={"GRADER_SECRET": SECRET})
    assert (3, f"grader: {tmp_path / 'made'} is there already; name a new folder\n") == (
        again.returncode,
        again.stderr.splitlines(keepends=True)[-1],
    )


def test_pack_of_a_copy_for_students(course: TinyCourse, command: Command, tmp_path: Path) -> None:
    """A course without its hidden checks would give everybody too little, and is not packed."""
    manifest = course.exercise(hidden=HIDDEN).folder / "hidden"
    for path in manifest.iterdir():
        path.unlink()
    manifest.rmdir()
    done = command("--course", course.root, "pack", "gradescope", "-o", tmp_path / "autograder.zip")

    assert 3 == done.returncode
    assert "the checks are worth 10 of 15 XP" in done.stderr
    assert not (tmp_path / "autograder.zip").exists()
