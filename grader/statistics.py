"""What the results of a class say about the checks themselves: classical item analysis, where a check is an item.

    difficulty       the share of graded submissions that passed; the higher, the easier
    discrimination   whether those who pass the check also earn more in the rest of the exercise
    alike            checks that always agree, so that one of them tells nothing new

The discrimination is the point-biserial correlation of passing with the XP of the other checks,

    r = (M1 - M0) / s * sqrt(p * q),

where M1 and M0 are the mean rest of those who pass and of those who do not, s is the standard deviation of the rest
(with n as its divisor), p the share that passes and q = 1 - p. It is Pearson's correlation with passing as 1 and not
passing as 0. The check's own XP is left out of the rest, since it would correlate with itself (S. Henrysson,
"Correction of item-total correlations in item analysis", Psychometrika 28, 1963). Two checks are alike where their phi
coefficient, the same correlation of two columns of 0 and 1 (G. U. Yule, "On the methods of measuring association
between two attributes", 1912), is 1.

What did not run answers no question: a file that does not load fails all checks at once, and would make all of them
agree. So discrimination and likeness count only the submissions of which every check ran.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import groupby
from statistics import correlation
from typing import TYPE_CHECKING

from grader.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from grader.verdict import Report, Result

ENOUGH = 5
"""How many must pass both of two checks, and how many neither, before it means something that they agree."""

FEW = 20
"""With fewer submissions than this, a discrimination is mostly chance."""


@dataclass(frozen=True, slots=True)
class CheckStatistics:
    """How one check did in a class; lasts as long as its exercise's statistics.

    Attributes:
        check: The check's name.
        question: What it asks.
        hidden: Whether it is a hidden one.
        worth: The XP a pass earns.
        verdicts: How many submissions got each verdict, most frequent first.
        complete: How many submissions the discrimination speaks of: those of which every check ran.
        discrimination: Between -1 and 1, or None where it is not defined: all of them pass or none does, or all
            have the same rest.
    """

    check: str
    question: str
    hidden: bool
    worth: int
    verdicts: tuple[tuple[Verdict, int], ...]
    complete: int
    discrimination: float | None

    @property
    def graded(self) -> int:
        """How many submissions were asked."""
        return sum(count for _, count in self.verdicts)

    @property
    def passed(self) -> int:
        """How many of them passed."""
        return dict(self.verdicts).get(Verdict.PASSED, 0)

    @property
    def difficulty(self) -> float:
        """The share that passed, between 0 and 1."""
        return self.passed / self.graded

    @property
    def percent(self) -> int:
        """The share in percent, 0 only if nobody passed, and 100 only if everybody did."""
        rounded = round(100 * self.difficulty)
        return rounded if self.passed in {0, self.graded} else min(max(rounded, 1), 99)

    @property
    def remark(self) -> str:
        """What about the check deserves a look; mostly nothing."""
        if not self.passed:
            return "never passed"
        if self.passed == self.graded:
            return "always passed"
        if self.complete >= FEW and (self.discrimination or 0) < 0:
            return "passed rather by those who earn less elsewhere"
        return ""


@dataclass(frozen=True, slots=True)
class Alike:
    """Checks of one exercise that pass or do not pass together, in every submission of which all checks ran."""

    checks: tuple[str, ...]
    passed: int
    not_passed: int


@dataclass(frozen=True, slots=True)
class ExerciseStatistics:
    """How the checks of one exercise did in a class; lasts as long as what is shown of it.

    Attributes:
        exercise: The exercise's id.
        title: Its title.
        graded: How many submissions were graded.
        complete: Of how many of them every check ran.
        checks: One for each check, in exercise order.
        alike: Groups of checks that say the same thing.
    """

    exercise: str
    title: str
    graded: int
    complete: int
    checks: tuple[CheckStatistics, ...]
    alike: tuple[Alike, ...]


def statistics_of(reports: Iterable[Report]) -> tuple[ExerciseStatistics, ...]:
    """Examines the checks of every exercise that has a graded submission, sorted by the exercises' ids."""
    ordered = sorted(reports, key=lambda report: report.exercise)
    return tuple(_exercise(tuple(group)) for _, group in groupby(ordered, key=lambda report: report.exercise))


def _exercise(reports: Sequence[Report]) -> ExerciseStatistics:
    first: dict[str, Result] = {}
    verdicts: defaultdict[str, Counter[Verdict]] = defaultdict(Counter)
    for report in reports:
        for result in report.results:
            first.setdefault(result.check, result)
            verdicts[result.check][result.verdict] += 1
    complete = [report for report in reports if _ran(report) == first.keys()]
    passed = {check: bytes(check in _passed(report) for report in complete) for check in first}
    return ExerciseStatistics(
        exercise=reports[0].exercise,
        title=reports[0].title,
        graded=len(reports),
        complete=len(complete),
        checks=tuple(
            CheckStatistics(
                check=check,
                question=asked.question,
                hidden=asked.hidden,
                worth=asked.worth,
                verdicts=tuple(verdicts[check].most_common()),
                complete=len(complete),
                discrimination=_point_biserial(passed[check], [_rest(report, check) for report in complete]),
            )
            for check, asked in first.items()
        ),
        alike=_alike(passed),
    )


def _ran(report: Report) -> set[str]:
    return {result.check for result in report.results if result.verdict is not Verdict.NOT_RUN}


def _passed(report: Report) -> set[str]:
    return {result.check for result in report.results if result.passed}


def _rest(report: Report, check: str) -> int:
    return sum(result.xp for result in report.results if result.check != check)


def _point_biserial(passed: bytes, rest: Sequence[int]) -> float | None:
    if len(set(passed)) < 2 or len(set(rest)) < 2:  # noqa: PLR2004  # what does not vary correlates with nothing
        return None
    return max(-1.0, min(1.0, correlation(passed, rest)))  # rounding may lead a little beyond


def _alike(passed: dict[str, bytes]) -> tuple[Alike, ...]:
    groups: dict[bytes, list[str]] = {}
    for check, column in passed.items():
        groups.setdefault(column, []).append(check)
    return tuple(
        Alike(tuple(checks), sum(column), len(column) - sum(column))
        for column, checks in groups.items()
        if len(checks) > 1 and min(sum(column), len(column) - sum(column)) >= ENOUGH
    )
