"""What the reference answers is recorded to the bit, and no other record takes its place."""

from __future__ import annotations

import json
import math
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.checks import Checks
from grader.errors import ExerciseError
from grader.exercise import load_exercise
from grader.frozen import FILE_NAME, Frozen, freeze, takes_the_place

if TYPE_CHECKING:
    from pathlib import Path

    from grader.exercise import Exercise
    from tests.conftest import Judge, TinyCourse

RANDOM = '''\
import pytest


@pytest.mark.parametrize("times", [1, 2])
def check_sum(engine, rng, times):
    """Sums are right."""
    return [(engine.Value(rng.random()) + engine.Value(1.0)).data for _ in range(times)]
'''
KEYS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    KEYS | st.just(math.nan),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner),
    max_leaves=20,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what Hypothesis draws."""
    return tmp_path_factory.mktemp("frozen") / "exercises" / "tiny"


@pytest.fixture
def exercise(course: TinyCourse) -> Exercise:
    """An exercise with random inputs, of which everything is recorded, and whose reference is gone."""
    exercise = course.exercise(RANDOM)
    with Checks(exercise) as checks:
        record = freeze(exercise, checks.answers(lambda _: 7), {})
    (exercise.folder / FILE_NAME).write_bytes(record)
    shutil.rmtree(course.root / "reference")
    return exercise


def recorded(exercise: Exercise) -> Any:
    """What is recorded."""
    return json.loads((exercise.folder / FILE_NAME).read_text())


def refused(exercise: Exercise) -> str:
    """What is said to whoever wants to use a record."""
    with pytest.raises(ExerciseError) as caught:
        Frozen(exercise).answer("check_sum[1]", None)
    (mistake,) = caught.value.mistakes
    return mistake


@given(value=VALUES)
def test_to_the_bit(folder: Path, value: object) -> None:
    """Every plain value comes back as it was, of the same types, floats to the bit."""
    folder.mkdir(parents=True, exist_ok=True)
    exercise = _made_up(folder)
    (folder / FILE_NAME).write_bytes(freeze(exercise, {"check_it": value}, {}))

    assert repr(value) == repr(Frozen(exercise).answer("check_it", None))


def _made_up(folder: Path) -> Exercise:
    (folder / "checks").mkdir(exist_ok=True)
    (folder / "README.md").touch()
    (folder / "starter.py").touch()
    (folder / "exercise.toml").write_text(
        'title = "It"\nsubmit = "it.py"\nxp = 1\n[reference]\nengine = "reference.it"\n[checks.check_it]\nxp = 1\n'
    )
    (folder / "checks" / "check_it.py").write_text('def check_it(engine):\n    """It is."""\n    return engine.it\n')
    return load_exercise(folder)


def test_same_verdicts(exercise: Exercise, course: TinyCourse) -> None:
    """Without the reference the same cases have the same answers, random inputs too."""
    with Checks(exercise) as checks:
        again = freeze(exercise, checks.answers(lambda _: 7), {})

    assert (exercise.folder / FILE_NAME).read_bytes() == again
    assert ["check_sum[1]", "check_sum[2]"] == list(recorded(exercise)["answers"])
    assert not (course.root / "reference").exists()


def test_the_reference_wins(exercise: Exercise, course: TinyCourse) -> None:
    """A course that has both is graded with its reference."""
    assert takes_the_place(exercise)
    course.exercise(RANDOM)
    assert not takes_the_place(exercise)


def test_without_either(exercise: Exercise, course: TinyCourse, judge: Judge) -> None:
    """A course that has neither is refused as one that is not whole."""
    (exercise.folder / FILE_NAME).unlink()
    with pytest.raises(ExerciseError, match="name the whole course"):
        judge(exercise, course.right)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"schema": 1}, "is of form 1, and this grader reads 2"),
        ({"digest": "0" * 64}, "was made of other checks, or exercise.toml was changed since"),
        ({"exercise": "other"}, "was made of other checks, or exercise.toml was changed since"),
        ({"answers": {}}, "has no answer to it"),
        ({"answers": []}, "is not as it was written"),
        ({"more": 1}, "is not as it was written"),
        ({"answers": {"check_sum[1]": {"f": "many"}}}, "has a float that is none for an answer"),
        ({"answers": {"check_sum[1]": {"o": 1}}}, "has an object of type dict for an answer"),
    ],
)
def test_other_records(exercise: Exercise, changed: dict[str, object], said: str) -> None:
    """A record of something else, or one that was changed, is refused in one line."""
    (exercise.folder / FILE_NAME).write_text(json.dumps(recorded(exercise) | changed))

    assert f"{FILE_NAME} {said}: get a new copy of the course for students" == refused(exercise)


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b"null"])
def test_damaged_records(exercise: Exercise, damage: bytes) -> None:
    """So is one that is damaged."""
    (exercise.folder / FILE_NAME).write_bytes(damage)

    assert refused(exercise).endswith(": get a new copy of the course for students")


@pytest.mark.parametrize("name", ["exercise.toml", "checks/check_public.py"])
def test_stale(exercise: Exercise, name: str) -> None:
    """A record is stale once the manifest or a public check is another; how lines end does not matter, nor the rest."""
    path = exercise.folder / name
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    (exercise.folder / "starter.py").write_text("x = 1")
    (exercise.folder / "README.md").write_text("Do it.")
    Frozen(load_exercise(exercise.folder))
    path.write_bytes(path.read_bytes() + b"\r\n# changed\r\n")

    assert "was made of other checks" in refused(load_exercise(exercise.folder))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (object(), "an object of type object"),
        ([{(1, 2): 3}], "a dictionary with a key that is not plain, or twice"),
        ([0] * 60_000, "a value of more than 50000 items"),
    ],
)
def test_what_cannot_be_recorded(exercise: Exercise, answer: object, said: str) -> None:
    """What is no plain value, or too large, cannot be recorded; its case is named."""
    with pytest.raises(ExerciseError) as caught:
        freeze(exercise, {"check_sum[1]": answer}, {})

    assert (
        f"check_sum[1] cannot be recorded for students: it returns {said}; return plainer values",
    ) == caught.value.mistakes
