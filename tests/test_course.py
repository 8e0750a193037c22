"""A course is found where it is named, or else upwards; it loads all its exercises or says what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course import Course, find_course
from grader.errors import CourseError, ExerciseError


def add_exercise(course: Path, name: str, submit: str, *, title: str = "Title") -> Path:
    """Writes a sound exercise with one public check."""
    folder = course / "exercises" / name
    (folder / "checks").mkdir(parents=True)
    (folder / "exercise.toml").write_text(
        f'title = "{title}"\nsubmit = "{submit}"\nxp = 1\n'
        '[reference]\nengine = "reference.engine"\n[checks.check_it]\nxp = 1\n'
    )
    (folder / "checks/check_it.py").write_text('def check_it(engine):\n    """Is it?"""\n    return engine.Value\n')
    for file in ("README.md", "starter.py"):
        (folder / file).touch()
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course with two exercises."""
    root = tmp_path / "course"
    add_exercise(root, "pow", "value.py")
    add_exercise(root, "fit", "fit.py")
    return root


def test_the_command_line_goes_before_the_environment(root: Path, tmp_path: Path) -> None:
    """A course that is asked for is used wherever one stands."""
    other = tmp_path / "other"
    (other / "exercises").mkdir(parents=True)

    assert root == find_course(root, {"GRADER_COURSE": str(other)}, other).root


def test_the_environment_goes_before_the_place(root: Path, tmp_path: Path) -> None:
    """GRADER_COURSE is used wherever one stands, unless it is empty."""
    other = tmp_path / "other"
    (other / "exercises").mkdir(parents=True)

    assert root == find_course(None, {"GRADER_COURSE": str(root)}, other).root
    assert other == find_course(None, {"GRADER_COURSE": ""}, other).root


@pytest.mark.parametrize("start", [".", "exercises", "exercises/pow/checks", "nowhere/yet"])
def test_a_course_is_found_upwards(root: Path, start: str) -> None:
    """From anywhere inside of it."""
    assert root == find_course(None, {}, root / start).root


def test_the_root_is_absolute(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links and relative paths are resolved once, when it is found."""
    monkeypatch.chdir(root.parent)
    Path("link").symlink_to("course")

    for asked in (Path("course"), Path("link"), Path("course/exercises/..")):
        assert root == find_course(asked, {}, Path()).root
    assert root == find_course(None, {}, Path("course/exercises")).root


@pytest.mark.parametrize("name", ["nowhere", "exercises", "x" * 300])
def test_a_folder_that_is_no_course_is_refused(root: Path, name: str) -> None:
    """The message says who named it and what a course looks like; nothing else is tried."""
    with pytest.raises(CourseError, match=r"--course names .*, which has no folder exercises/; name a course"):
        find_course(root / name, {"GRADER_COURSE": str(root)}, root)
    with pytest.raises(CourseError, match="GRADER_COURSE names"):
        find_course(None, {"GRADER_COURSE": str(root / name)}, root)


def test_a_course_that_is_nowhere_is_refused(tmp_path: Path) -> None:
    """The message says where it was looked for and how to name one."""
    (tmp_path / "exercises").touch()
    with pytest.raises(CourseError, match="go into one, or name it with --course or GRADER_COURSE") as caught:
        find_course(None, {}, tmp_path)

    assert str(tmp_path) in str(caught.value)


def test_exercises_are_sorted_by_id(root: Path) -> None:
    """Whatever the order of the folder."""
    assert ["fit", "pow"] == [exercise.id for exercise in Course(root).exercises()]


def test_only_folders_with_a_manifest_are_exercises(root: Path) -> None:
    """Notes, shared data and what tools leave behind may lie beside them."""
    for name in ("shared", ".cache", "__pycache__"):
        (root / "exercises" / name).mkdir()
    (root / "exercises/.cache/exercise.toml").touch()
    (root / "exercises/README.md").touch()

    assert 2 == len(Course(root).exercises())
    assert ("shared",) == Course(root).passed_over()


def test_one_exercise_is_found_by_its_id(root: Path) -> None:
    """The others are not loaded: their mistakes do not matter."""
    (root / "exercises/fit/README.md").unlink()

    assert "value.py" == Course(root).exercise("pow").submit


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("pwo", "; did you mean 'pow'?"),
        ("POW", "; did you mean 'pow'?"),
        ("tanh", "; there are: fit, pow."),
        ("", "; there are: fit, pow."),
        (".", "; there are: fit, pow."),
        ("../exercises/pow", "; there are: fit, pow."),
    ],
)
def test_an_unknown_exercise_is_refused(root: Path, name: str, advice: str) -> None:
    """The nearest id is named, or all of them; a path is no id."""
    with pytest.raises(CourseError) as caught:
        Course(root).exercise(name)

    assert f"There is no exercise {name!r} in {root}{advice}" == str(caught.value)


def test_an_exercise_without_a_manifest_says_so_when_it_is_asked_for(root: Path) -> None:
    """Who asks for it by name learns what is missing."""
    (root / "exercises/pow/exercise.toml").unlink()
    with pytest.raises(ExerciseError, match=r"exercise.toml is missing"):
        Course(root).exercise("pow")


def test_mistakes_of_all_exercises_are_reported_at_once(root: Path) -> None:
    """Each names its exercise."""
    (root / "exercises/fit/README.md").unlink()
    (root / "exercises/pow/starter.py").unlink()
    with pytest.raises(ExerciseError) as caught:
        Course(root).exercises()

    assert "exercises" == caught.value.exercise
    assert ("fit: README.md is missing; write it", "pow: starter.py is missing; write it") == caught.value.mistakes


def test_two_exercises_may_not_ask_for_one_file(root: Path) -> None:
    """A file that is handed in belongs to one exercise."""
    add_exercise(root, "relu", "value.py")
    with pytest.raises(ExerciseError) as caught:
        Course(root).exercises()

    assert ("relu: exercise.toml: submit is the same as in pow; rename one",) == caught.value.mistakes


def test_a_course_without_exercises_is_refused(tmp_path: Path) -> None:
    """Nothing to grade is not all graded."""
    (tmp_path / "exercises/draft").mkdir(parents=True)
    with pytest.raises(CourseError, match=r"No folder in .* has an exercise.toml; write one."):
        Course(tmp_path).exercises()


def test_a_course_that_vanished_is_refused(tmp_path: Path) -> None:
    """The machine's own words say why."""
    with pytest.raises(CourseError, match=r"exercises cannot be read \(No such file or directory\)"):
        Course(tmp_path).exercise("pow")
