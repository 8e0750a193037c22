"""What results say about the checks themselves."""

from __future__ import annotations

from math import sqrt
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.statistics import ENOUGH, FEW, Alike, CheckStatistics, statistics_of
from grader.verdict import Provenance, Report, Result, Verdict

PROVENANCE = Provenance("a", "b", "docker", "image", "", ())
P, F, N = Verdict.PASSED, Verdict.FAILED, Verdict.NOT_RUN


def reports(*rows: tuple[Verdict, ...], exercise: str = "fit", worth: tuple[int, ...] = ()) -> list[Report]:
    """Makes a report of each row; a check in place n is called `check_n`, and is worth 1 XP unless said otherwise."""
    return [
        Report(
            f"student {number}",
            exercise,
            "Fit",
            "fit.py",
            25,
            tuple(
                Result(f"check_{place}", f"Is it {place}?", place > 1, verdict, worth[place] if worth else 1)
                for place, verdict in enumerate(row)
            ),
            PROVENANCE,
        )
        for number, row in enumerate(rows)
    ]


def checks(*rows: tuple[Verdict, ...], worth: tuple[int, ...] = ()) -> tuple[CheckStatistics, ...]:
    """Examines reports of one exercise."""
    (exercise,) = statistics_of(reports(*rows, worth=worth))
    return exercise.checks


def test_difficulty_is_the_share_that_passed() -> None:
    """Of all that were graded, also of those whose check did not run; each verdict is counted."""
    first, second = checks((P, F), (P, F), (N, N), (F, Verdict.TIMEOUT))

    assert (4, 2, 0.5, 50) == (first.graded, first.passed, first.difficulty, first.percent)
    assert (4, 0, 0.0, 0) == (second.graded, second.passed, second.difficulty, second.percent)
    assert ((P, 2), (N, 1), (F, 1)) == first.verdicts


@pytest.mark.parametrize(("passed", "percent"), [(0, 0), (1, 1), (150, 50), (299, 99), (300, 100)])
def test_percent_are_honest_at_both_ends(passed: int, percent: int) -> None:
    """Only where nobody passed it is 0 %, and only where everybody did it is 100 %."""
    assert (percent,) == tuple(check.percent for check in checks(*[(P,)] * passed, *[(F,)] * (300 - passed)))


def test_discrimination_by_hand() -> None:
    """Rests of 3 and 1 among those who pass, of 0 and 0 among those who do not, correlate by 2 / sqrt(1.5 * 4) ."""
    first, *_ = checks((P, P, P), (P, P, F), (F, F, F), (F, F, F), worth=(9, 1, 2))

    assert pytest.approx((2 - 0) / sqrt(1.5) * sqrt(0.5 * 0.5)) == first.discrimination


TABLES = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.tuples(*[st.sampled_from([P, F, Verdict.ERROR])] * width), min_size=1, max_size=30)
)


@given(TABLES)
def test_discrimination_is_the_corrected_point_biserial_correlation(table: list[tuple[Verdict, ...]]) -> None:
    """It is (M1 - M0) / s * sqrt(pq) of the rest, and None where that divides by 0."""
    for place, check in enumerate(checks(*table)):
        rests = [sum(verdict is P for verdict in (*row[:place], *row[place + 1 :])) for row in table]
        those = [rest for rest, row in zip(rests, table, strict=True) if row[place] is P]
        others = [rest for rest, row in zip(rests, table, strict=True) if row[place] is not P]
        share = len(those) / len(table)

        if not those or not others or not pstdev(rests):
            assert check.discrimination is None
        else:
            expected = (fmean(those) - fmean(others)) / pstdev(rests) * sqrt(share * (1 - share))

            assert check.discrimination is not None
            assert -1 <= check.discrimination <= 1
            assert pytest.approx(expected) == check.discrimination


def test_what_did_not_run_says_nothing_of_a_check() -> None:
    """Files that do not load make checks neither discriminate nor agree; they count as not passed all the same."""
    ran = [(P, P), (P, F), (F, P), (F, F)] * ENOUGH
    (exercise,) = statistics_of(reports(*ran, *[(N, N)] * 50))
    (without,) = statistics_of(reports(*ran))

    assert [each.discrimination for each in without.checks] == [each.discrimination for each in exercise.checks]
    assert (70, 20, ()) == (exercise.graded, exercise.complete, exercise.alike)
    assert pytest.approx(10 / 70) == exercise.checks[0].difficulty


def test_checks_that_always_agree_say_the_same_thing() -> None:
    """Those are named together, if enough pass all of them and enough none."""
    (exercise,) = statistics_of(reports(*[(P, F, P, P)] * ENOUGH, *[(F, F, F, P)] * ENOUGH))

    assert (Alike(("check_0", "check_2"), ENOUGH, ENOUGH),) == exercise.alike


@pytest.mark.parametrize(("passed", "not_passed"), [(ENOUGH - 1, 50), (50, ENOUGH - 1), (50, 0)])
def test_few_students_prove_no_agreement(passed: int, not_passed: int) -> None:
    """Nothing is said of checks that nearly everybody passes, or nearly nobody, or too few were asked."""
    (exercise,) = statistics_of(reports(*[(P, P)] * passed, *[(F, F)] * not_passed))

    assert () == exercise.alike


def test_one_exception_is_enough() -> None:
    """Checks that disagree once are two checks."""
    (exercise,) = statistics_of(reports(*[(P, P)] * 50, *[(F, F)] * 50, (P, F)))

    assert () == exercise.alike


@pytest.mark.parametrize(
    ("table", "remark"),
    [
        ([(F, P), (F, F)], "never passed"),
        ([(P, P), (P, F)], "always passed"),
        ([(P, P), (F, F)], ""),
        ([(P, F), (F, P)], ""),
        ([(P, F), (F, P)] * (FEW // 2), "passed rather by those who earn less elsewhere"),
        ([(P, P), (F, P)] * FEW, ""),
    ],
)
def test_remarks(table: list[tuple[Verdict, ...]], remark: str) -> None:
    """What nobody or everybody passes is named, and, where enough were asked, what the weaker ones rather pass."""
    assert remark == checks(*table)[0].remark


def test_exercises_are_examined_one_by_one() -> None:
    """Each exercise with a graded submission has its own statistics, by id; their checks are in its order."""
    mixed = reports((P, F), exercise="b") + reports((F,), (P,), exercise="a") + reports((P, P), exercise="b")
    first, second = statistics_of(mixed)

    assert [("a", "Fit", 2, ["check_0"]), ("b", "Fit", 2, ["check_0", "check_1"])] == [
        (each.exercise, each.title, each.graded, [check.check for check in each.checks]) for each in (first, second)
    ]
    assert ("Is it 1?", False, 1) == (second.checks[1].question, second.checks[1].hidden, second.checks[1].worth)
    assert () == statistics_of([])


def test_an_exercise_that_changed() -> None:
    """A check that only some submissions were asked counts for those; the others are not complete."""
    (exercise,) = statistics_of(reports((P,), (F,), (P, P)))

    assert (3, 1) == (exercise.graded, exercise.complete)
    assert [3, 1] == [check.graded for check in exercise.checks]


def test_a_report_without_checks_is_graded() -> None:
    """Where nothing was asked, there is nothing to say."""
    (exercise,) = statistics_of(reports(()))

    assert (1, (), ()) == (exercise.graded, exercise.checks, exercise.alike)
