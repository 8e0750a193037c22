"""What a wrong submission seems to do is said where exactly one known wrong rule answers as it does."""

from __future__ import annotations

import importlib
import math
import re
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.checks import Checks, session
from grader.diagnosis import MOST, Answer, Diagnosis, Manner, Seen, Sightings, diagnose
from grader.errors import ExerciseError
from grader.exercise import load_exercise
from grader.grading import grade
from grader.misconceptions import Case, Way, known_ways
from grader.output import OutputMismatch
from grader.reports.student_page import to_student_page
from grader.stand_in import Opaque
from grader.submission import Submission
from grader.verdict import Verdict
from tests.typical_work import typical_work

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from grader.exercise import Exercise
    from grader.sandbox.unsafe import UnsafeSandbox
    from grader.verdict import Report
    from tests.conftest import Judge, TinyCourse

ROOT = Path(__file__).parents[1]
EXERCISES = ("pow_relu", "neuron_fit", "line_fit")
SECRET = b"sixteen characters or more"
RAISED = Answer(Manner.RAISED)


def saw(*answers: object, hidden: Sequence[object] = ()) -> Sightings[int]:
    """What is seen of somebody's doubling: the answer to each number from 0 on, first in public checks."""
    sightings: Sightings[int] = Sightings()
    for case, value in enumerate([*answers, *hidden]):
        answer = value if isinstance(value, Answer) else Answer.of(value)
        sightings.add([Seen(case, answer, right=value == 2 * case)], hidden=case >= len(answers))
    return sightings


KNOWN: dict[str, tuple[Any, ...]] = {
    "It squares.": (lambda x: Answer.of(x * x),),
    "It adds 2, or 3.": (lambda x: Answer.of(x + 2), lambda x: Answer.of(x + 3)),
    "It stays 0, or stops at 3.": (lambda x: Answer.of(0) if x < 3 else RAISED,),
    "It adds 1 from 2 on.": (lambda x: Answer.of(x + 1 if x > 1 else 2 * x),),
}


def said(sightings: Sightings[int]) -> Diagnosis:
    """What is said of it."""
    return diagnose(sightings, KNOWN, lambda way, case: way(case))


class TestExplaining:
    """One misconception must explain all that is seen, and no other may."""

    @pytest.mark.parametrize(
        ("answers", "sentence"),
        [
            ([0, 1, 4, 9], "It squares."),
            ([2, 3, 4, 5], "It adds 2, or 3."),
            ([3, 4, 5, 6], "It adds 2, or 3."),
            ([0, 2, 3, 4], "It adds 1 from 2 on."),
            ([0, 0, 0, RAISED], "It stays 0, or stops at 3."),
            ([0, 1], "It squares."),
            ([0, 2, 4, 6], ""),  # all is right
            ([0, 2, 4], ""),
            ([], ""),
            ([2, 4], ""),  # no way adds 2 here and 3 there
            ([0, 1, 4, 8], ""),
            ([0, 0, 0, 0], ""),
            ([0, RAISED, 4], ""),
            ([RAISED, RAISED], ""),
        ],
    )
    def test_exactly_one(self, answers: list[object], sentence: str) -> None:
        """A sentence is said if one way of it agrees with every answer, and ways of no other do."""
        assert Diagnosis(sentence, "") == said(saw(*answers))

    def test_not_of_several(self) -> None:
        """Where two explain all that is seen, neither is said."""
        twice = {"It squares.": KNOWN["It squares."], "It multiplies by itself.": KNOWN["It squares."]}

        assert Diagnosis() == diagnose(saw(0, 1, 4), twice, lambda way, case: way(case))

    def test_more_than_a_crash(self) -> None:
        """Code may stop for any reason, so a misconception that explains nothing but that is not said."""
        stops: dict[str, tuple[Any, ...]] = {"It stops at 3.": (lambda x: RAISED if x == 3 else Answer.of(2 * x),)}

        assert Diagnosis() == diagnose(saw(0, 2, 4, RAISED), stops, lambda way, case: way(case))

    def test_hidden_answers_are_for_the_instructor(self) -> None:
        """What only hidden answers tell is said apart, and what they speak against is no news."""
        assert Diagnosis("", "It squares.") == said(saw(0, hidden=[1, 4]))
        assert Diagnosis("It squares.", "") == said(saw(0, 1, hidden=[4, 9]))
        assert Diagnosis("It squares.", "") == said(saw(0, 1, hidden=[4, 7]))
        assert Diagnosis("", "") == said(saw(0, 2, 4, hidden=[6]))

    def test_what_is_wrong_comes_first(self) -> None:
        """A way is asked about what went wrong before all else, and no more once it disagrees."""
        asked: list[int] = []

        def ask(way: Any, case: int) -> Answer:
            asked.append(case)
            answer: Answer = way(case)
            return answer

        diagnose(saw(0, 2, 4, 7), {"It squares.": KNOWN["It squares."]}, ask)

        assert [3, 3] == asked  # once for the student, once for the instructor

    @given(st.permutations(range(6)), st.sampled_from([lambda x: x * x, lambda x: x + 2, lambda x: 2 * x + x % 2]))
    def test_order_does_not_matter(self, order: list[int], code: Any) -> None:
        """The same answers in another order give the same diagnosis."""
        seen = [Seen(case, Answer.of(code(case)), right=code(case) == 2 * case) for case in range(6)]
        one, other = Sightings[int](), Sightings[int]()
        one.add(seen, hidden=False)
        other.add([seen[place] for place in order], hidden=False)

        assert said(one) == said(other)


class TestAnswers:
    """When two answers are the same."""

    @pytest.mark.parametrize(
        ("one", "other", "same"),
        [
            (1, 1.0, True),
            (1.0, 1.0 + 1e-13, True),
            (1.0, 1.0 + 1e-9, False),
            (1.0, True, False),
            (math.nan, math.nan, True),
            (math.inf, -math.inf, False),
            (10**4000, 10**4000, True),
            (0.5, 10**4000, False),
            ([1, (2, None)], (1, [2, None]), True),
            ({"a": [1.0]}, {"a": [1]}, True),
            ({"a": 1}, {"b": 1}, False),
            ("text", "text", True),
            (SimpleNamespace(), Opaque("SimpleNamespace"), True),
            (SimpleNamespace(), Opaque("Value"), False),
            ({object(): {1, 2}}, {Opaque("object"): Opaque("set")}, True),
            (complex(1), Opaque("complex"), True),
            (1.0, Opaque("float"), False),
        ],
    )
    def test_returned(self, one: object, other: object, same: bool) -> None:  # noqa: FBT001  # a table
        """Plain values are compared as in a check; of an object, the name of its type."""
        assert same == Answer.of(one).agrees_with(Answer.of(other))

    def test_manners(self) -> None:
        """A case that ended in another manner is answered otherwise, and so is another text."""
        answers = [
            Answer.of(None),
            RAISED,
            Answer(Manner.REFUSED),
            Answer(Manner.PRINTED, "Line 1 is missing."),
            Answer(Manner.PRINTED, "Line 2 is missing."),
        ]

        assert [[one is other for other in answers] for one in answers] == [
            [one.agrees_with(other) for other in answers] for one in answers
        ]

    @pytest.mark.parametrize(
        "huge", ["x" * MOST, [0.0] * MOST, {f"{n}": 1 for n in range(MOST // 3)}, [2 ** (64 * 1000)] * 200]
    )
    def test_there_may_be_too_much(self, huge: object) -> None:
        """What answers without end is not kept, and nothing is concluded from the rest."""
        sightings = saw(0, 1, hidden=[4])
        sightings.add([Seen(3, Answer.of(huge), right=False)], hidden=False)
        sightings.add([Seen(3, Answer.of(9), right=False)], hidden=False)

        assert ([], []) == (sightings.public, sightings.hidden)
        assert Diagnosis() == said(sightings)


class TestWays:
    """A way is asked what the student's code was asked."""

    @staticmethod
    def answer(check: Any, engine: object = None) -> Answer:
        """What comes of a check with an engine, and a program that prints its input twice."""
        way = Way(lambda stdin: stdin * 2, engine)
        return way.answer(Case("check_it", "", check))

    def test_both_roles(self) -> None:
        """A check gets the engine and the program of the way."""
        assert Answer.of([3, "abab", 0]) == self.answer(
            lambda engine, program: [engine.three, program(stdin="ab").stdout, program().status],
            SimpleNamespace(three=3),
        )

    @pytest.mark.parametrize(
        ("error", "manner"),
        [
            (ZeroDivisionError(), Manner.RAISED),
            (SystemExit(1), Manner.RAISED),
            (RecursionError(), Manner.RAISED),
            (AssertionError("no"), Manner.REFUSED),
            (OutputMismatch("Line 1."), Manner.PRINTED),
        ],
    )
    def test_raising(self, error: BaseException, manner: Manner) -> None:
        """Whatever it raises is an answer too."""

        def check(*_: object) -> None:
            raise error

        assert Answer(manner, "Line 1." if manner is Manner.PRINTED else None) == self.answer(check)

    def test_arguments(self) -> None:
        """A way knows no command line: a program that is given arguments is none that it can stand for."""
        assert RAISED == self.answer(lambda _, program: program(stdin="", args=("-v",)).stdout)

    def test_asked_once(self) -> None:
        """The same case is run once, whoever's answers are to be explained; one with other numbers is another case."""
        runs: list[str] = []

        def case(drawn: str) -> Case:
            return Case("check_it", drawn, lambda *_: runs.append(drawn))

        way = Way(str, None)
        for each in (case(""), case(""), case("seed"), case("seed"), case("")):
            way.answer(each)

        assert ["", "seed"] == runs


WAY = SimpleNamespace(program=str, engine=None)


def misconceptions(*known: object) -> ModuleType:
    """A module that has them."""
    module = ModuleType("reference.wrong")
    module.MISCONCEPTIONS = known  # type: ignore[attr-defined]
    return module


@pytest.mark.parametrize(
    ("module", "mistake"),
    [
        (ModuleType("reference.wrong"), "it is not made as it must be (module 'reference.wrong' has no attribute"),
        (misconceptions(SimpleNamespace(id="a", sentence="It does.")), "it is not made as it must be"),
        (misconceptions(SimpleNamespace(id="a", sentence=" ", ways=[1])), "a has no sentence"),
        (misconceptions(SimpleNamespace(id="a", sentence="It\ndoes.", ways=[1])), "a has no sentence"),
        (misconceptions(SimpleNamespace(id="a", sentence="It does.", ways=())), "a has no way"),
        (
            misconceptions(*[SimpleNamespace(id="a", sentence="It does.", ways=[WAY])] * 2),
            "a has the sentence of another",
        ),
    ],
)
def test_modules_with_mistakes(module: ModuleType, mistake: str) -> None:
    """A module that is not made as it must be is a mistake of its author."""
    with pytest.raises(ExerciseError) as caught:
        known_ways("tiny", module)

    assert f"reference.wrong: {mistake}" in caught.value.mistakes[0]


# ---- In a made-up course

WRONG = """\
from types import SimpleNamespace

from reference.engine import Value


def relu(slope, data=lambda x: max(x, 0.0)):
    def method(self):
        return type(self)(data(self.data), ((self, slope(self.data)),))

    engine = SimpleNamespace(Value=type("Value", (Value,), {"relu": method}))
    return SimpleNamespace(engine=engine, program=lambda stdin: "".join(f"twice {line}\\n" for line in stdin.split()))


def known(id, sentence, *ways):
    return SimpleNamespace(id=id, sentence=sentence, ways=ways)


MISCONCEPTIONS = (
    known("open", "`relu` seems to be open; look at it.", relu(lambda x: 1.0), relu(lambda x: 1.0 if x <= 0 else 2.0)),
    known("open-at-zero", "`relu` seems to be open at 0; look at it.", relu(lambda x: float(x >= 0))),
    known("same", "Everything seems to stay as it is; look.", relu(lambda x: 1.0, data=lambda x: x)),
)
"""
IS_OPEN, IS_OPEN_AT_ZERO, IS_SAME = (
    "`relu` seems to be open; look at it.",
    "`relu` seems to be open at 0; look at it.",
    "Everything seems to stay as it is; look.",
)
RELU = '''\
def check_relu(engine):
    """Relu stops what is not positive."""
    x = engine.Value(-2.0)
    y = x.relu()
    y.backward()
    return {"y.data": y.data, "x.grad": x.grad}
'''
AT_ZERO = RELU.replace("check_relu", "check_at_zero").replace("-2.0", "0.0")


def knowing(course: TinyCourse, checks: str = RELU, hidden: str = "", wrong: str = WRONG, **exercise: Any) -> Exercise:
    """An exercise with known wrong rules."""
    loaded = course.exercise(checks, hidden, **exercise)
    course.write("reference/wrong.py", wrong)
    manifest = loaded.folder / "exercise.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(
        text.replace("[reference]", '[reference]\nmisconceptions = "reference.wrong"'), encoding="utf-8"
    )
    return load_exercise(loaded.folder)


def relu(course: TinyCourse, data: str = "max(self.data, 0.0)", slope: str = "1.0 if self.data > 0 else 0.0") -> str:
    """What a student hands in whose relu is another."""
    return course.right.replace("max(self.data, 0.0)", data).replace("1.0 if self.data > 0 else 0.0", slope)


def told(report: Report) -> tuple[str, str]:
    """What the student is told, and what only the instructor is."""
    return report.diagnosis, report.private_diagnosis


class TestGrading:
    """The checks are run once more with each known wrong rule, where something did not pass."""

    def test_public(self, course: TinyCourse, judge: Judge) -> None:
        """What public checks tell stands in the student's report."""
        report = judge(knowing(course, hidden=AT_ZERO), relu(course, slope="1.0"))

        assert (IS_OPEN, "") == told(report)

    def test_any_way(self, course: TinyCourse, judge: Judge) -> None:
        """A mistake may be made in several ways."""
        report = judge(knowing(course, hidden=AT_ZERO), relu(course, slope="1.0 if self.data <= 0 else 2.0"))

        assert (IS_OPEN, "") == told(report)

    def test_hidden(self, course: TinyCourse, judge: Judge) -> None:
        """What only hidden checks tell is the instructor's, and the student's page says nothing of it."""
        exercise = knowing(course, hidden=AT_ZERO)
        report = judge(exercise, course.wrong)

        assert ("", IS_OPEN_AT_ZERO) == told(report)
        assert "seem" not in to_student_page([report], [exercise])

    def test_right_work(self, course: TinyCourse, judge: Judge) -> None:
        """Where all is right, nothing is said."""
        assert ("", "") == told(judge(knowing(course, hidden=AT_ZERO), course.right))

    def test_two_mistakes(self, course: TinyCourse, judge: Judge) -> None:
        """What no known rule explains is not explained."""
        assert ("", "") == told(judge(knowing(course), relu(course, slope="0.5")))

    def test_without_misconceptions(self, course: TinyCourse, judge: Judge) -> None:
        """An exercise need not know any."""
        assert ("", "") == told(judge(course.exercise(), relu(course, slope="1.0")))

    def test_a_file_that_does_not_load(self, course: TinyCourse, unsafe: UnsafeSandbox) -> None:
        """What was seen of the student before says nothing of the next."""
        with Checks(knowing(course)) as checks:
            found = [
                told(grade(Submission("ada", "tiny", "value.py", source.encode()), checks, unsafe))
                for source in (relu(course, slope="1.0"), "no Python", course.right, relu(course, slope="1.0"))
            ]

        assert [(IS_OPEN, ""), ("", ""), ("", ""), (IS_OPEN, "")] == found

    def test_work_that_stops(self, course: TinyCourse, judge: Judge) -> None:
        """Out of time, or with a process that has ended, there is no answer; the other checks still tell."""
        exercise = knowing(course, RELU + "\n\n" + AT_ZERO, limits={"check_seconds": 1})
        open_ = relu(course, slope="1.0")
        acts = {"while True: pass": Verdict.TIMEOUT, "import os; os._exit(3)": Verdict.ERROR}
        for act, verdict in acts.items():
            report = judge(exercise, course.acting(act, open_, when="self.data == 0"))

            assert [Verdict.FAILED, verdict] == [result.verdict for result in report.results]
            assert (IS_OPEN, "") == told(report)

    def test_work_that_raises(self, course: TinyCourse, judge: Judge) -> None:
        """An exception is an answer, which speaks against a rule that gives another."""
        exercise = knowing(course, RELU + "\n\n" + AT_ZERO)
        report = judge(exercise, course.acting("1 / 0", relu(course, slope="1.0"), when="self.data == 0"))

        assert ("", "") == told(report)

    def test_examples(self, course: TinyCourse, judge: Judge) -> None:
        """Examples that Hypothesis draws tell too: the smallest that fails, and some of those before."""
        given_ = '''\
from hypothesis import given, settings, strategies as st


@settings(max_examples=200)
@given(st.integers(-200, -1))
def check_relu(engine, number):
    """Relu stops what is not positive."""
    x = engine.Value(float(number))
    y = x.relu()
    y.backward()
    return {"y.data": y.data, "x.grad": x.grad}
'''
        assert (IS_OPEN, "") == told(judge(knowing(course, given_), relu(course, slope="1.0")))
        assert ("", "") == told(judge(knowing(course, given_), relu(course, slope="1.0 if self.data < -150 else 0.0")))
        assert ("", "") == told(judge(knowing(course, given_), course.right))

    def test_random_inputs(self, course: TinyCourse, judge: Judge) -> None:
        """A rule is asked with the very numbers that the student's code was asked with, each student's own."""
        drawn = RELU.replace("(engine)", "(engine, rng)").replace("-2.0", "rng.uniform(-9.0, -1.0)")
        exercise = knowing(course, RELU.replace("x.grad", "x.grad * 0"), drawn.replace("check_relu", "check_drawn"))
        same = relu(course, data="self.data", slope="1.0")

        assert [(IS_SAME, "")] * 3 == [told(judge(exercise, same, student)) for student in ("ada", "blaise", "carl")]

    def test_programs(self, course: TinyCourse, judge: Judge) -> None:
        """Printed answers are compared as numbers, and where the form is wrong, by what is said of it."""
        checks = '''\
from grader.output import printed


def check_twice(program):
    """Numbers are doubled."""
    return printed(program(stdin="21\\n4\\n").stdout, "twice {:d}", "twice {:d}")
'''
        wrong = WRONG.split("MISCONCEPTIONS", maxsplit=1)[0] + (
            'MISCONCEPTIONS = (known("same", "It stays.", relu(float)), '
            'known("bare", "Words seem to lack.", SimpleNamespace(engine=None, program=lambda _: "42\\n8\\n")))'
        )
        exercise = knowing(course, checks, wrong=wrong)
        program = "import sys\nfor line in sys.stdin: print({})"

        assert ("It stays.", "") == told(judge(exercise, program.format("'twice', line.strip()")))
        assert ("Words seem to lack.", "") == told(judge(exercise, program.format("2 * int(line)")))
        assert ("", "") == told(judge(exercise, program.format("3 * int(line)")))
        assert ("", "") == told(judge(exercise, program.format("'x' * 100_000")))

    def test_assertions(self, course: TinyCourse, judge: Judge) -> None:
        """That something asserted does not hold is wrong, and an answer."""
        asserting = RELU.replace("    return", "    assert x.grad == 0\n    return")

        assert ("", "") == told(judge(knowing(course, asserting), relu(course, slope="1.0")))
        wrong = WRONG.replace('    known("same"', '    # known("same"')
        assert (IS_OPEN, "") == told(judge(knowing(course, asserting, wrong=wrong), relu(course, slope="1.0")))

    def test_answers_without_end(self, course: TinyCourse, judge: Judge) -> None:
        """Where a student answers more than is kept, nothing is said, and the verdicts stand."""
        report = judge(knowing(course), relu(course, data="'x' * 300_000", slope="1.0"))

        assert [Verdict.FAILED] == [result.verdict for result in report.results]
        assert ("", "") == told(report)


class TestTime:
    """Looking for a diagnosis is bounded, and costs no verdict."""

    def test_a_way_that_never_ends(self, course: TinyCourse, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without an end there is no diagnosis."""
        monkeypatch.setattr(session, "DIAGNOSIS_SECONDS", 0.5)
        endless = "(lambda loop: loop(loop))(lambda loop: [0 for _ in iter(int, 1)])"
        report = judge(knowing(course, wrong=WRONG.replace("float(x >= 0)", endless)), relu(course, slope="1.0"))

        assert ([Verdict.FAILED], ("", "")) == ([result.verdict for result in report.results], told(report))

    def test_all_together(self, course: TinyCourse, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nor is there one if all ways together take too long."""
        monkeypatch.setattr(session, "_DIAGNOSIS_CPU_SECONDS", -1.0)

        assert ("", "") == told(judge(knowing(course), relu(course, slope="1.0")))


class TestAuthors:
    """Mistakes of authors are told once something has to be explained; nobody is graded without the explanation."""

    @pytest.mark.parametrize(
        ("wrong", "mistake"),
        [
            ("1 / 0", "reference.wrong cannot be imported: ZeroDivisionError"),
            ("", "reference.wrong: it is not made as it must be"),
        ],
    )
    def test_modules_with_mistakes(self, course: TinyCourse, judge: Judge, wrong: str, mistake: str) -> None:
        """What a module lacks is told with its name; right work does not need it."""
        exercise = knowing(course, wrong=wrong)

        assert judge(exercise, course.right).passed
        with pytest.raises(ExerciseError, match=re.escape(mistake)):
            judge(exercise, relu(course, slope="1.0"))

    def test_a_module_that_never_ends(self, course: TinyCourse, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
        """Importing it is bounded."""
        monkeypatch.setattr(session, "REFERENCE_SECONDS", 1)
        exercise = knowing(course, wrong="while True: pass")

        with pytest.raises(ExerciseError, match="importing its misconceptions takes over 1 s"):
            judge(exercise, relu(course, slope="1.0"))

    def test_a_way_that_never_ends(self, course: TinyCourse, monkeypatch: pytest.MonkeyPatch) -> None:
        """So is asking all of them everything, as it is recorded for students."""
        monkeypatch.setattr(session, "REFERENCE_SECONDS", 1)
        exercise = knowing(course, wrong=WRONG.replace("float(x >= 0)", "[0 for _ in iter(int, 1)]"))

        with (
            Checks(exercise) as checks,
            pytest.raises(ExerciseError, match="its misconceptions everything takes over 1 s"),
        ):
            checks.wrong_answers(lambda _: 7)

    def test_a_way_with_a_bug(self, course: TinyCourse, judge: Judge) -> None:
        """A way that does nothing but raise explains nothing, and the others still do."""
        report = judge(knowing(course, wrong=WRONG.replace("float(x >= 0)", "x.bug")), relu(course, slope="1.0"))

        assert (IS_OPEN, "") == told(report)


# ---- Typical work of the course itself

HALF_SEEN = {"none__half_a_rate_and_b_stays": "b-stays"}
"""Two mistakes, of which public checks show only one; hidden ones show that it is not all."""


def sentences(exercise: Exercise) -> Mapping[str, str]:
    """The id of each misconception, by its sentence."""
    module = importlib.import_module(str(exercise.misconceptions))
    return {each.sentence: each.id for each in module.MISCONCEPTIONS} | {"": ""}


@pytest.mark.parametrize("name", EXERCISES)
def test_typical_work(name: str, unsafe: UnsafeSandbox) -> None:
    """Nearly all typical mistakes are told by their names, none by another's; right work and odd work are told none."""
    exercise = load_exercise(ROOT / "exercises" / name)
    ids = sentences(exercise)
    found: dict[str, str] = {}
    public: dict[str, str] = {}
    with Checks(exercise) as checks:
        for stem, text in typical_work(name).items():
            report = grade(Submission("ada", name, exercise.submit, text.encode()), checks, unsafe, SECRET)
            public[stem] = ids[report.diagnosis]
            found[stem] = ids[report.private_diagnosis or report.diagnosis]
    declared = {stem: stem.partition("__")[0] for stem in found}
    wrong = {stem for stem, mistake in declared.items() if mistake not in {"right", "none"}}
    named = {stem for stem in wrong if found[stem]}

    assert len(wrong) >= 12
    assert {stem: declared[stem] for stem in named} == {stem: found[stem] for stem in named}
    assert len(named) >= 0.9 * len(wrong)
    assert {stem: HALF_SEEN.get(stem, "") for stem in found.keys() - wrong} == {
        stem: found[stem] for stem in found.keys() - wrong
    }
    assert len([stem for stem in wrong if public[stem]]) >= 0.4 * len(wrong)
