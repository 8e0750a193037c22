"""What wrong rules answer is recorded to the bit, so that a student's copy says what the whole course says."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import frozen
from grader.checks import Checks
from grader.diagnosis import Answer, Manner
from grader.errors import ExerciseError
from grader.exercise import load_exercise
from grader.frozen import Frozen
from grader.frozen_ways import FILE_NAME, freeze, frozen_ways
from grader.grading import grade
from grader.misconceptions import Case
from grader.pack import write_folder
from grader.recorded import encoded
from grader.student_pack import student_pack
from grader.submission import Submission
from grader.verdict import Verdict
from tests.typical_work import typical_work

if TYPE_CHECKING:
    from grader.exercise import Exercise
    from grader.sandbox.unsafe import UnsafeSandbox
    from grader.verdict import Report
    from tests.conftest import Judge, TinyCourse

ROOT = Path(__file__).resolve().parents[1]
CASES = ("check_it[1]", "check_it[2]", "check_it[3]")
CHECKS = '''\
import pytest


@pytest.mark.parametrize("number", [-1.0, 2.0])
def check_relu(engine, number):
    """Relu stops what is not positive."""
    x = engine.Value(number)
    x.relu().backward()
    return {"x.grad": x.grad}
'''
AT_ZERO = CHECKS.replace("check_relu", "check_zero").replace("-1.0, 2.0", "0.0")
WRONG = """\
from types import SimpleNamespace

from reference.engine import Value


def relu(slope):
    def method(self):
        return type(self)(max(self.data, 0.0), ((self, slope(self.data)),))

    return SimpleNamespace(engine=SimpleNamespace(Value=type("Value", (Value,), {"relu": method})), program=str)


def known(id, sentence, *ways):
    return SimpleNamespace(id=id, sentence=sentence, ways=ways)


MISCONCEPTIONS = (
    known("open", "`relu` seems to be open; look at it.", relu(lambda x: 1.0), relu(lambda x: 2.0), relu(lambda x: 1)),
    known("open-at-zero", "`relu` seems to be open at 0; look at it.", relu(lambda x: float(x >= 0))),
)
"""
IS_OPEN, IS_OPEN_AT_ZERO = "`relu` seems to be open; look at it.", "`relu` seems to be open at 0; look at it."
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
ANSWERS = st.builds(Answer.of, VALUES) | st.sampled_from(
    [Answer(Manner.RAISED), Answer(Manner.REFUSED), Answer(Manner.PRINTED, "Line 1 is missing.")]
)
RIGHT = st.tuples(*[VALUES] * len(CASES)).map(lambda values: dict(zip(CASES, values, strict=True)))
WAYS = st.lists(st.tuples(*[ANSWERS] * len(CASES)), min_size=1, max_size=4).map(
    lambda ways: [dict(zip(CASES, answers, strict=True)) for answers in ways]
)
KNOWN = st.dictionaries(st.sampled_from(["It doubles.", "It stays.", "It counts."]), WAYS)


def knowing(course: TinyCourse, checks: str = CHECKS, wrong: str = WRONG) -> Exercise:
    """An exercise with known wrong rules, and a hidden check."""
    loaded = course.exercise(checks, AT_ZERO)
    course.write("reference/wrong.py", wrong)
    manifest = loaded.folder / "exercise.toml"
    text = manifest.read_text("utf-8").replace("[reference]", '[reference]\nmisconceptions = "reference.wrong"')
    manifest.write_text(text, "utf-8")
    return load_exercise(loaded.folder)


def copied(exercise: Exercise, place: Path) -> Exercise:
    """A student's copy of it."""
    write_folder(student_pack([exercise]), place)
    return load_exercise(place / "exercises" / exercise.id)


def recorded(exercise: Exercise) -> Any:
    """What is recorded."""
    return json.loads((exercise.folder / FILE_NAME).read_text("ascii"))


def open_relu(course: TinyCourse) -> str:
    """What a student hands in whose relu passes every gradient on."""
    return course.right.replace("1.0 if self.data > 0 else 0.0", "1.0")


@pytest.fixture
def copy(course: TinyCourse, tmp_path: Path) -> Exercise:
    """A student's copy of an exercise with known wrong rules."""
    return copied(knowing(course), tmp_path / "copy")


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Exercise:
    """An exercise, for what Hypothesis draws."""
    folder = tmp_path_factory.mktemp("ways") / "exercises" / "tiny"
    (folder / "checks").mkdir(parents=True)
    (folder / "README.md").touch()
    (folder / "starter.py").touch()
    (folder / "exercise.toml").write_text(
        'title = "It"\nsubmit = "it.py"\nxp = 1\n[reference]\nengine = "reference.it"\n[checks.check_it]\nxp = 1\n'
    )
    (folder / "checks" / "check_it.py").write_text('def check_it(engine):\n    """It is."""\n    return engine.it\n')
    return load_exercise(folder)


# --------------------------------------------------------------------------------------------------------------------
# The same is said


@pytest.mark.parametrize("name", ["pow_relu", "neuron_fit", "line_fit"])
def test_typical_work(name: str, unsafe: UnsafeSandbox, tmp_path: Path) -> None:
    """Of all typical work a student's copy says the sentence that the whole course says, or nothing where it does."""
    exercise = load_exercise(ROOT / "exercises" / name)
    with Checks(exercise.public) as whole, Checks(copied(exercise, tmp_path / "copy")) as alone:
        said = {
            stem: [grade(_submission(exercise, text), checks, unsafe).diagnosis for checks in (whole, alone)]
            for stem, text in typical_work(name).items()
        }

    assert {stem: [sentence] * 2 for stem, (sentence, _) in said.items()} == said
    assert len([stem for stem, (sentence, _) in said.items() if sentence]) >= 5


def _submission(exercise: Exercise, text: str) -> Submission:
    return Submission("ada", exercise.id, exercise.submit, text.encode())


def test_random_inputs(course: TinyCourse, tmp_path: Path, judge: Judge) -> None:
    """Numbers that a public check draws are the same for everybody, and so are the answers to them."""
    checks = CHECKS.replace("(engine, number)", "(engine, rng, number)").replace(
        "Value(number)", "Value(-rng.random())"
    )
    copy = copied(knowing(course, checks), tmp_path / "copy")

    assert IS_OPEN == judge(copy, open_relu(course)).diagnosis


def test_programs(course: TinyCourse, tmp_path: Path, judge: Judge) -> None:
    """What a wrong program prints is recorded too, and how its form is wrong."""
    checks = '''\
from grader.output import printed


def check_twice(program):
    """Numbers are doubled."""
    return printed(program(stdin="21\\n4\\n").stdout, "twice {:d}", "twice {:d}")
'''
    wrong = """\
from types import SimpleNamespace


def known(id, sentence, text):
    return SimpleNamespace(id=id, sentence=sentence, ways=[SimpleNamespace(engine=None, program=lambda _: text)])


MISCONCEPTIONS = (
    known("same", "It stays.", "twice 21\\ntwice 4\\n"),
    known("bare", "Words seem to lack.", "42\\n8\\n"),
    known("right", "All seems well.", "twice 42\\ntwice 8\\n"),
)
"""
    copy = copied(knowing(course, checks, wrong), tmp_path / "copy")
    said = [
        judge(copy, f"import sys\nfor line in sys.stdin: print({printed})").diagnosis
        for printed in ("'twice', line.strip()", "2 * int(line)", "3 * int(line)")
    ]

    assert ["It stays.", "Words seem to lack.", ""] == said
    assert ["It stays.", "Words seem to lack."] == list(recorded(copy)["ways"])


# --------------------------------------------------------------------------------------------------------------------
# What is recorded


@given(right=RIGHT, wrong=KNOWN)
def test_to_the_bit(made_up: Exercise, right: dict[str, object], wrong: dict[str, list[dict[str, Answer]]]) -> None:
    """Whatever differs from the reference comes back as it was; what does not, or is there twice, is left out."""
    (made_up.folder / frozen.FILE_NAME).write_bytes(frozen.freeze(made_up, right, {}))
    (made_up.folder / FILE_NAME).write_bytes(freeze(made_up, right, wrong))
    known = frozen_ways(made_up, Frozen(made_up))
    again = {
        sentence: [{name: way.answer(Case(name, "", _unasked)) for name in CASES} for way in ways]
        for sentence, ways in known.items()
    }
    expected = repr({name: Answer.of(value) for name, value in right.items()})
    texts = {sentence: [*dict.fromkeys(map(repr, ways))] for sentence, ways in wrong.items()}
    telling = {sentence: [text for text in ways if text != expected] for sentence, ways in texts.items()}

    assert {sentence: ways for sentence, ways in telling.items() if ways} == {
        sentence: [*map(repr, ways)] for sentence, ways in again.items()
    }
    assert (made_up.folder / FILE_NAME).read_bytes() == freeze(made_up, right, again)


def _unasked(engine: object, program: object) -> object:
    raise AssertionError((engine, program))


def test_differences(copy: Exercise) -> None:
    """What the reference answers is not written, and of ways that answer alike there is one."""
    record = recorded(copy)

    assert {IS_OPEN: [0, 1]} == record["ways"]
    assert {
        "check_relu[-1.0]": [[*_answered(1.0), [0]], [*_answered(2.0), [1]]],
        "check_relu[2.0]": [[*_answered(2.0), [1]]],
    } == record["answers"]


def _answered(gradient: float) -> list[object]:
    return ["ANSWERED", {"d": [["x.grad", encoded(gradient)]]}]


def test_what_only_hidden_checks_see(copy: Exercise) -> None:
    """Of a misconception that public checks cannot tell there is no word."""
    assert IS_OPEN_AT_ZERO not in (copy.folder / FILE_NAME).read_text("ascii")


def test_without_misconceptions(course: TinyCourse, tmp_path: Path, judge: Judge) -> None:
    """An exercise need not know any; then nothing is recorded, and nothing is said."""
    copy = copied(course.exercise(CHECKS), tmp_path / "copy")

    assert ({}, {}) == (recorded(copy)["ways"], recorded(copy)["answers"])
    assert "" == judge(copy, open_relu(course)).diagnosis


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer.of({(1, 2): 3}), "a dictionary with a key that is not plain, or twice"),
        (Answer.of([0] * 60_000), "a value of more than 50000 items"),
        (Answer.of(1 << 20_000), "an integer of 20001 bits"),
    ],
)
def test_what_cannot_be_recorded(made_up: Exercise, answer: Answer, said: str) -> None:
    """What no sandbox could answer cannot be recorded; its case is named, once."""
    with pytest.raises(ExerciseError) as caught:
        freeze(made_up, {"check_it": 1}, {"It does.": [{"check_it": answer}] * 2})

    assert (
        f"check_it cannot be recorded for students: wrong code answers {said}; return plainer values, or mend the way",
    ) == caught.value.mistakes


# --------------------------------------------------------------------------------------------------------------------
# Records of something else


def of(copy: Exercise, changed: dict[str, object]) -> None:
    """Change what is recorded."""
    (copy.folder / FILE_NAME).write_text(json.dumps(recorded(copy) | changed), "ascii")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"schema": 0}, "is of form 0, and this grader reads 1"),
        ({"digest": "0" * 64}, "was made of other checks, or exercise.toml was changed since"),
        ({"ways": []}, "is not as it was written"),
        ({"ways": {IS_OPEN: 1}}, "is not as it was written"),
        ({"ways": {IS_OPEN: [[0]]}}, "is not as it was written"),
        ({"answers": {"check_relu[-1.0]": 1}}, "has no answers to check_relu[-1.0]"),
        ({"answers": {"check_relu[-1.0]": [["ANSWERED", 1]]}}, "has no answers to check_relu[-1.0]"),
        ({"answers": {"check_relu[-1.0]": [["SUNG", 1, [0]]]}}, "has no answers to check_relu[-1.0]"),
        ({"answers": {"check_relu[-1.0]": [["ANSWERED", {"f": "x"}, [0]]]}}, "has no answers to check_relu[-1.0]"),
    ],
)
def test_other_records(course: TinyCourse, copy: Exercise, judge: Judge, changed: dict[str, object], said: str) -> None:
    """A record of something else, or one that was changed, is refused in one line, once it is needed."""
    of(copy, changed)

    assert judge(copy, course.right).passed
    with pytest.raises(ExerciseError) as caught:
        judge(copy, open_relu(course))
    assert (f"{FILE_NAME} {said}: get a new copy of the course for students",) == caught.value.mistakes


def test_read_once_something_is_wrong(course: TinyCourse, copy: Exercise, judge: Judge) -> None:
    """Where all is right, or an exception is all that is wrong, the file is not even looked for."""
    (copy.folder / FILE_NAME).unlink()
    stops = course.right.replace("Value(max(self.data, 0.0)", "Value(1 / 0")

    assert judge(copy, course.right).passed
    assert Verdict.ERROR is _only(judge(copy, stops)).verdict
    with pytest.raises(ExerciseError, match=r"misconceptions\.json cannot be read \(FileNotFoundError\)"):
        judge(copy, open_relu(course))


def _only(report: Report) -> Any:
    (result,) = report.results
    return result


def test_numbers_that_are_none(made_up: Exercise) -> None:
    """NaN and the infinities are numbers like others."""
    right = dict.fromkeys(CASES, math.nan)
    same = dict.fromkeys(CASES, Answer.of(math.nan))

    assert b'"ways":{"It stays.":[0]}' in freeze(
        made_up, right, {"It doubles.": [same], "It stays.": [same | {CASES[0]: Answer.of(math.inf)}]}
    )
