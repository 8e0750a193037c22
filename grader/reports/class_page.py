"""What an instructor reads of a class: one HTML page with scores, checks, and whatever needs a look.

It is the instructor's alone: it says what happened in hidden checks.
"""

from __future__ import annotations

import heapq
from array import array
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain
from statistics import fmean, median
from typing import TYPE_CHECKING, TypeVar

from grader.outcomes import outlines
from grader.reports import class_list
from grader.reports.feedback import word
from grader.reports.page import render
from grader.reports.text import one_line, visible
from grader.statistics import FEW, statistics_of
from grader.verdict import Absent, Report, Ungraded, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from grader.exercise import Exercise
    from grader.outcomes import Outcomes
    from grader.statistics import Alike, CheckStatistics, ExerciseStatistics
    from grader.verdict import Outcome, Result

_T = TypeVar("_T")

_SLOWEST = 10
"""How many of the slowest submissions are listed."""

_SAMPLES = 3
"""How many different things that happened in a check are told."""

_NAMED = 5
"""How many students are named beside each of them."""

_SAMPLE_CHARACTERS = 600

_BINS = ("0", *(f"≤{tenths}0" for tenths in range(1, 10)), "<100", "100")
"""Percent of the XP: nothing, ten steps between, and everything."""

_COLUMN, _TALLEST, _BASELINE = 30, 92, 112
"""Measures of a histogram in its own units, which `class_page.css` shows at about a pixel each."""


@dataclass(frozen=True, slots=True)
class _Student:
    """A student's name, and where their page is, if they have one."""

    name: str
    href: str


@dataclass(frozen=True, slots=True)
class _Bar:
    """One bar of a histogram, in the histogram's units."""

    label: str
    count: int
    x: int
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class _Histogram:
    """How many students earned which part of the XP."""

    title: str
    remark: str
    bars: tuple[_Bar, ...]


@dataclass(frozen=True, slots=True)
class _Cell:
    """What an overview says of a student and an exercise, or of a student's total; `kind` is a class of the style."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class _Sample:
    """What happened in a check, and to whom."""

    text: str
    students: tuple[_Student, ...]
    others: int


@dataclass(frozen=True, slots=True)
class _CheckRow:
    """One check, for the instructor."""

    name: str
    question: str
    hidden: bool
    worth: int
    passed: int
    graded: int
    percent: int
    others: str
    discrimination: str
    remark: str
    samples: tuple[_Sample, ...]
    more_samples: bool


@dataclass(frozen=True, slots=True)
class _GridRow:
    """One student in one exercise: a result for each check, or why there is none."""

    student: _Student
    state: str
    xp: int
    results: tuple[Verdict | None, ...]
    diagnosis: str = ""


@dataclass(frozen=True, slots=True)
class _Diagnosis:
    """What code seems to do, and whose; `untold` are students who do not read it, since hidden checks tell it."""

    sentence: str
    told: tuple[_Student, ...]
    untold: tuple[_Student, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """One exercise, for the instructor."""

    id: str
    title: str
    total_xp: int
    graded: int
    complete: int
    checks: tuple[_CheckRow, ...]
    alike: tuple[str, ...]
    diagnoses: tuple[_Diagnosis, ...]
    rows: Iterable[_GridRow]


@dataclass(frozen=True, slots=True)
class _Reason:
    """Why a submission could not be graded, or its file not be run."""

    student: _Student
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Names:
    """Students of whom the same is to be said in one exercise."""

    title: str
    students: tuple[_Student, ...]


@dataclass(frozen=True, slots=True)
class _Note:
    """What was noted in one exercise, and of whom."""

    text: str
    title: str
    students: tuple[_Student, ...]


@dataclass(frozen=True, slots=True)
class _Limits:
    """One submission that met a limit, and the checks in which it did."""

    student: _Student
    title: str
    seconds: float
    met: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Slow:
    """One of the slowest submissions, and its slowest check."""

    student: _Student
    title: str
    seconds: float
    check: str
    check_seconds: float


@dataclass(frozen=True, slots=True)
class _Page:
    """All that the instructor sees; what there may be a lot of is made as it is shown, once."""

    counts: tuple[tuple[str, int], ...]
    histograms: tuple[_Histogram, ...]
    ungraded: Iterable[_Reason]
    not_run: Iterable[_Reason]
    absent: tuple[_Names, ...]
    zero: tuple[_Names, ...]
    notes: tuple[_Note, ...]
    limits: Iterable[_Limits]
    slow: tuple[_Slow, ...]
    columns: tuple[tuple[str, int], ...]
    students: Iterable[tuple[_Student, tuple[_Cell, ...]]]
    parts: tuple[_Part, ...]
    few: int = FEW


def to_class_page(
    outcomes: Outcomes,
    exercises: Sequence[Exercise],
    page_of: Callable[[str], str],
    names: Mapping[str, str] = class_list.NO_NAMES,
) -> Iterator[str]:
    """Writes the instructor's page piece by piece: scores, what needs a look, and each exercise's checks and students.

    Ungraded, absent and zero are told apart everywhere.

    Args:
        outcomes: By student, then exercise; they are gone through a few times, and their outlines held.
        exercises: All exercises that occur in the outcomes; their order is the page's.
        page_of: Says where a student's page lies, seen from this one; empty where there is none.
        names: What people call the students, by id.
    """
    of_class = _Class(outcomes, exercises, page_of, names)
    return render("class_page.html", ("page.css", "class_page.css"), of_class.page())


class _Class:
    """What is known of a class, by student and exercise; lasts as long as its page is made."""

    def __init__(
        self,
        outcomes: Outcomes,
        exercises: Sequence[Exercise],
        page_of: Callable[[str], str],
        names: Mapping[str, str],
    ) -> None:
        self._in_full = outcomes
        self._outcomes = outlines(outcomes)
        self._exercises = exercises
        self._reports = [outcome for outcome in self._outcomes if isinstance(outcome, Report)]
        self._titles = {exercise.id: one_line(exercise.title) for exercise in exercises}
        self._rows = class_list.rows(self._outcomes, exercises)
        self._students = {
            student: _Student(one_line(class_list.called(student, names)), page_of(student)) for student in self._rows
        }
        self._told = self._samples()

    def page(self) -> _Page:
        """Everything on the page."""
        ungraded = class_list.ungraded(self._outcomes)
        absent = [outcome for outcome in self._outcomes if isinstance(outcome, Absent)]
        zero = [report for report in self._reports if not report.xp]
        statistics = {each.exercise: each for each in statistics_of(self._reports)}
        return _Page(
            counts=(
                ("students", len(self._students)),
                ("graded", len(self._reports)),
                ("of them zero", len(zero)),
                ("ungraded", len(ungraded)),
                ("absent", len(absent)),
            ),
            histograms=tuple(self._histograms()),
            ungraded=_some(self._reason(each, each.reason) for each in ungraded),
            not_run=_some(self._reason(report, report.problem) for report in self._in_full_reports() if report.problem),
            absent=tuple(self._names(absent)),
            zero=tuple(self._names(zero)),
            notes=self._notes(),
            limits=_some(self._limits()),
            slow=tuple(self._slow()),
            columns=tuple(self._columns()),
            students=((self._students[name], tuple(self._cells(row))) for name, row in self._rows.items()),
            parts=tuple(self._part(exercise, statistics.get(exercise.id)) for exercise in self._exercises),
        )

    def _in_full_reports(self) -> Iterator[Report]:
        return (outcome for outcome in self._in_full if isinstance(outcome, Report))

    def _reason(self, outcome: Outcome, reason: str) -> _Reason:
        return _Reason(self._students[outcome.student], self._titles[outcome.exercise], visible(reason))

    def _notes(self) -> tuple[_Note, ...]:
        """What reports note, such as that something was late, the most frequent first; but not why nothing ran."""
        students: dict[tuple[str, str], list[_Student]] = {}
        for report in self._in_full_reports():
            notes = (visible(note, limit=_SAMPLE_CHARACTERS) for note in report.notes if note != report.problem)
            for note in dict.fromkeys(notes):
                students.setdefault((note, report.exercise), []).append(self._students[report.student])
        return tuple(
            _Note(note, self._titles[exercise], tuple(who))
            for (note, exercise), who in sorted(students.items(), key=lambda item: -len(item[1]))
        )

    def _names(self, outcomes: Sequence[Outcome]) -> Iterator[_Names]:
        for exercise, title in self._titles.items():
            students = tuple(self._students[each.student] for each in outcomes if each.exercise == exercise)
            if students:
                yield _Names(title, students)

    def _limits(self) -> Iterator[_Limits]:
        for report in self._reports:
            met: dict[str, list[str]] = {}
            for result in report.results:
                if result.verdict in {Verdict.TIMEOUT, Verdict.MEMORY}:
                    met.setdefault(word(result.verdict), []).append(_short(result.check))
                if result.retried:
                    met.setdefault("run once more", []).append(_short(result.check))
            if met:
                kinds = tuple((kind, ", ".join(checks)) for kind, checks in met.items())
                yield _Limits(self._students[report.student], self._titles[report.exercise], report.seconds, kinds)

    def _slow(self) -> Iterator[_Slow]:
        timed = (report for report in self._in_full_reports() if report.results)
        for report in heapq.nlargest(_SLOWEST, timed, key=lambda report: report.seconds):
            slowest = max(report.results, key=lambda result: result.seconds)
            student, title = self._students[report.student], self._titles[report.exercise]
            yield _Slow(student, title, report.seconds, _short(slowest.check), slowest.seconds)

    def _columns(self) -> Iterator[tuple[str, int]]:
        """The heading of each column of the overview and its XP; a single exercise needs no total."""
        for exercise in self._exercises:
            yield one_line(exercise.id), exercise.xp
        if len(self._exercises) > 1:
            yield "total", sum(exercise.xp for exercise in self._exercises)

    def _cells(self, row: Sequence[Outcome | None]) -> Iterator[_Cell]:
        for outcome in row:
            text = class_list.cell(outcome)
            if isinstance(outcome, Report):
                yield _Cell(text, "full" if outcome.xp == outcome.total_xp else "")
            else:
                yield _Cell(text, text)
        if len(self._exercises) > 1:
            yield _Cell(class_list.total(row))

    def _histograms(self) -> Iterator[_Histogram]:
        if len(self._exercises) > 1:
            yield from self._totals()
        for exercise in self._exercises:
            earned = [report.xp for report in self._reports if report.exercise == exercise.id]
            yield from _histogram(self._titles[exercise.id], earned, exercise.xp)

    def _totals(self) -> Iterator[_Histogram]:
        rows = self._rows.values()
        whole = [row for row in rows if not any(isinstance(outcome, Ungraded) for outcome in row)]
        totals = [[outcome.xp for outcome in row if isinstance(outcome, Report)] for row in whole]
        left_out = {
            "of whose work something is ungraded": len(rows) - len(whole),
            "who handed in nothing": totals.count([]),
        }
        reasons = [f"{count} {why}" for why, count in left_out.items() if count]
        remark = f" Left out: {', '.join(reasons)}." if reasons else ""
        earned = [sum(total) for total in totals if total]
        yield from _histogram("All exercises", earned, sum(exercise.xp for exercise in self._exercises), remark)

    def _part(self, exercise: Exercise, statistics: ExerciseStatistics | None) -> _Part:
        reports = [report for report in self._reports if report.exercise == exercise.id]
        checks = statistics.checks if statistics else ()
        diagnoses = tuple(self._diagnoses(reports))
        numbers = {each.sentence: f"{number}" for number, each in enumerate(diagnoses, start=1)}
        return _Part(
            id=one_line(exercise.id),
            title=self._titles[exercise.id],
            total_xp=exercise.xp,
            graded=len(reports),
            complete=statistics.complete if statistics else 0,
            checks=tuple(self._check(check, exercise) for check in checks),
            alike=tuple(_alike(group) for group in statistics.alike) if statistics else (),
            diagnoses=diagnoses,
            rows=_some(
                self._grid_row(outcome, checks, numbers)
                for outcome in self._outcomes
                if outcome.exercise == exercise.id
            ),
        )

    def _check(self, check: CheckStatistics, exercise: Exercise) -> _CheckRow:
        others = [f"{count} {word(verdict)}" for verdict, count in check.verdicts if verdict is not Verdict.PASSED]
        happened = self._told.get((exercise.id, check.check), ())
        return _CheckRow(
            name=_short(check.check),
            question=one_line(" ".join(check.question.split())),
            hidden=check.hidden,
            worth=check.worth,
            passed=check.passed,
            graded=check.graded,
            percent=check.percent,
            others=", ".join(others),
            discrimination=_signed(check.discrimination),
            remark=check.remark,
            samples=happened[:_SAMPLES],
            more_samples=len(happened) > _SAMPLES,
        )

    def _samples(self) -> dict[tuple[str, str], tuple[_Sample, ...]]:
        """What happened in each check of each exercise, most frequent first: as many as are told, and one more.

        A class has too many to hold, so they are counted by their hashes, and then looked for.
        """
        hashes: defaultdict[tuple[str, str], array[int]] = defaultdict(lambda: array("q"))
        for report, result in self._happened():
            hashes[report.exercise, result.check].append(hash(result.what))
        frequent = {check: Counter(found).most_common(_SAMPLES + 1) for check, found in hashes.items()}
        students: dict[tuple[str, str, int], list[_Student]] = {
            (*check, hashed): [] for check, found in frequent.items() for hashed, _ in found
        }
        texts: dict[int, str] = {}
        for report, result in self._happened():
            hashed = hash(result.what)
            who = students.get((report.exercise, result.check, hashed))
            if who is not None and len(who) < _NAMED:
                texts[hashed] = visible(result.what.strip("\n"), limit=_SAMPLE_CHARACTERS)
                who.append(self._students[report.student])
        return {
            check: tuple(
                _Sample(texts[hashed], tuple(who), count - len(who))
                for hashed, count in found
                for who in [students[*check, hashed]]
            )
            for check, found in frequent.items()
        }

    def _happened(self) -> Iterator[tuple[Report, Result]]:
        """What did not pass, and why; what kept a whole file from running is no news of a check."""
        for report in self._in_full_reports():
            for result in report.results:
                if not result.passed and result.what not in report.notes:
                    yield report, result

    def _diagnoses(self, reports: Sequence[Report]) -> Iterator[_Diagnosis]:
        """What code seems to do, most frequent first."""
        told: dict[str, list[_Student]] = {}
        untold: dict[str, list[_Student]] = {}
        for report in reports:
            whose = untold if report.private_diagnosis else told
            whose.setdefault(_seems(report), []).append(self._students[report.student])
        counts = Counter(filter(None, map(_seems, reports)))
        for sentence, _ in counts.most_common():
            yield _Diagnosis(sentence, tuple(told.get(sentence, ())), tuple(untold.get(sentence, ())))

    def _grid_row(self, outcome: Outcome, checks: Sequence[CheckStatistics], numbers: Mapping[str, str]) -> _GridRow:
        student = self._students[outcome.student]
        if not isinstance(outcome, Report):
            return _GridRow(student, class_list.cell(outcome), 0, ())
        verdicts = {result.check: result.verdict for result in outcome.results}
        results = tuple(verdicts.get(check.check) for check in checks)
        return _GridRow(student, "graded", outcome.xp, results, numbers.get(_seems(outcome), ""))


def _some(things: Iterable[_T]) -> Iterable[_T]:
    """Things that are to be gone through once, made as they are; they are false if there are none."""
    rest = iter(things)
    for first in rest:
        return chain([first], rest)
    return ()


def _seems(report: Report) -> str:
    """What the code seems to do, if that is known."""
    return visible(report.private_diagnosis or report.diagnosis)


def _short(check: str) -> str:
    return one_line(check.removeprefix("check_"))


def _signed(number: float | None) -> str:
    return "undefined" if number is None else f"{number:z.2f}".replace("-", "\u2212")


def _alike(group: Alike) -> str:
    names = ", ".join(map(_short, group.checks))
    return f"{names}: {group.passed} pass all, {group.not_passed} pass none."


def _histogram(title: str, earned: Sequence[int], total: int, remark: str = "") -> Iterator[_Histogram]:
    """Gives a histogram, unless there is nothing to count."""
    if not earned:
        return
    counts = Counter(_bin(xp, total) for xp in earned)
    unit = _TALLEST / max(counts.values())
    bars = tuple(
        _Bar(label, count, place * _COLUMN, round(_BASELINE - unit * count, 1), round(unit * count, 1))
        for place, label in enumerate(_BINS)
        for count in [counts[place]]
    )
    who = f"{len(earned)} {'student' if len(earned) == 1 else 'students'}"
    middle = f"median {median(earned):g}, mean {fmean(earned):.1f} of {total} XP"
    yield _Histogram(title, f"{who}: {middle}.{remark}", bars)


def _bin(xp: int, total: int) -> int:
    """Which bar stands for some XP: the first is for nothing at all, the last for everything."""
    if not xp:
        return 0
    return len(_BINS) - 1 if xp >= total else -(-10 * xp // total)
