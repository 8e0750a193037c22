"""The instructor's page, as text; `test_pages_in_browser.py` looks at it in a browser."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from grader.reports import class_list
from grader.reports.class_page import to_class_page
from grader.reports.text import one_line
from grader.verdict import Absent, Report, Ungraded, Verdict
from tests.reports.page_text import document_of, exercise_of, said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from grader.exercise import Exercise
    from grader.verdict import Outcome

P, F = Verdict.PASSED, Verdict.FAILED


def graded(report: Report, student: str, *verdicts: Verdict, exercise: str = "pow_relu", worth: int = 5) -> Report:
    """Makes a report with a check of some XP for each verdict."""
    results = tuple(
        replace(report.results[0], check=f"check_{place}", verdict=verdict, worth=worth, what=f"{verdict} in {place}")
        for place, verdict in enumerate(verdicts)
    )
    return replace(report, student=student, exercise=exercise, results=results)


def text_of(
    outcomes: Sequence[Outcome],
    exercises: Sequence[Exercise],
    names: Mapping[str, str] = class_list.NO_NAMES,
    pages: Mapping[str, str] = class_list.NO_NAMES,
) -> str:
    """The page; students whose own is not among some have none."""
    return "".join(to_class_page(outcomes, exercises, lambda student: pages.get(student, ""), names))


def table(page: str, region: str) -> list[list[str]]:
    """Reads a table of a page: the texts of its cells, row by row, the headings first."""
    (found,) = document_of(page).xpath(f"//*[@role='region'][starts-with(@aria-label, '{region}')]/table")
    return [
        [" ".join(cell.text_content().split()) for cell in row.xpath("th | td")]
        for row in found.xpath("thead/tr | tbody/tr")
    ]


@pytest.fixture
def outcomes(report: Report) -> list[Outcome]:
    """Four students: one graded in full, one with a zero, one ungraded, one absent."""
    return [
        graded(report, "ada", P, P, P, P, P),
        graded(report, "bo", F, F, F, F, F),
        graded(report, "bo", P, P, F, F, F, exercise="line_fit"),
        Ungraded("cy", "pow_relu", "Docker went away.\nStart it, then grade again."),
        graded(report, "cy", P, F, F, F, F, exercise="line_fit"),
        Absent("di", "pow_relu"),
        Absent("di", "line_fit"),
    ]


def test_the_page_says_whom_it_is_for(outcomes: list[Outcome], exercises: list[Exercise]) -> None:
    """It is the instructor's alone, and says so before anything else."""
    page = text_of(outcomes, exercises)

    assert "For instructors only" in said(page, "//aside")[0]
    assert ["Class results"] == said(page, "//h1")


def test_ungraded_absent_and_zero_are_told_apart(outcomes: list[Outcome], exercises: list[Exercise]) -> None:
    """Each is counted, listed and shown in every table as what it is."""
    page = text_of(outcomes, exercises)
    look = said(page, "//section[@aria-labelledby='look']")[0]

    assert ["students4", "graded4", "of them zero1", "ungraded1", "absent2"] == said(page, "//dl[@class='counts']/div")
    assert [
        ["Student", "Exercise", "Reason"],
        ["cy", "Teach the engine new tricks", "Docker went away. Start it, then grade again."],
    ] == table(page, "Ungraded")
    assert "which is no zero. Teach the engine new tricks (1): di Fit a line (1): di Zero" in look
    assert "no check passed. Teach the engine new tricks (1): bo Not run" in look
    assert [
        ["Student", "pow_reluof 25", "neuron_fitof 25", "line_fitof 25", "totalof 75"],
        ["ada", "25", "", "", "25"],
        ["bo", "0", "", "10", "10"],
        ["cy", "ungraded", "", "5", "5 + ?"],
        ["di", "absent", "", "absent", ""],
    ] == table(page, "XP of each student")
    assert [["ada", "25"], ["bo", "0"], ["cy", "ungraded"], ["di", "absent"]] == [
        row[:2] for row in table(page, "Students by checks of Teach")[1:]
    ]


def test_where_all_is_well_the_page_says_so(report: Report, exercises: list[Exercise]) -> None:
    """No list is just empty."""
    page = text_of([graded(report, "ada", P)], exercises[:1])
    look = said(page, "//section[@aria-labelledby='look']")[0]

    assert "Ungraded Nothing: whatever was handed in was graded. Absent Nobody. Zero Nobody. Not run No file:" in look
    assert "Limits No submission ran out of time or memory." in look


def test_what_could_not_be_run_and_what_was_noted(report: Report, exercises: list[Exercise]) -> None:
    """Why nothing of a file ran stands by itself, and each note once, with all of whom it was noted."""
    late, doubt, problem = "This was handed in late.", "a.py is taken for value.py by its name.", "a.py is empty"
    broken = graded(report, "cy", Verdict.NOT_RUN, Verdict.NOT_RUN)
    broken = replace(broken, results=tuple(replace(each, what=problem) for each in broken.results))
    outcomes = [
        replace(graded(report, "ada", P), notes=(doubt, late)),
        replace(graded(report, "bo", P), notes=(late, late)),
        replace(broken, notes=(late, problem)),
        replace(graded(report, "di", P), notes=()),
    ]
    page = text_of(outcomes, exercises, names={"cy": "Cyril", "bo": "bo"})

    assert [["Student", "Exercise", "Reason"], ["cy (Cyril)", "Teach the engine new tricks", problem]] == table(
        page, "Files that could not be run"
    )
    assert [
        ["Note", "Exercise", "Students"],
        [late, "Teach the engine new tricks", "ada, bo, cy (Cyril)"],
        [doubt, "Teach the engine new tricks", "ada"],
    ] == table(page, "Notes")


def test_one_exercise_has_no_total(report: Report, exercises: list[Exercise]) -> None:
    """It would say everything twice."""
    page = text_of([graded(report, "ada", P)], exercises[:1])

    assert [["Student", "pow_reluof 25"], ["ada", "5"]] == table(page, "XP of each student")


def test_nobody_at_all(exercises: list[Exercise]) -> None:
    """A class of nobody is no mistake."""
    page = text_of([], exercises)

    assert [] == said(page, "//figure")
    assert 3 == said(page, "//p").count("Nothing was graded.")
    assert [["Student", "pow_reluof 25", "neuron_fitof 25", "line_fitof 25", "totalof 75"]] == table(page, "XP of each")


def test_the_distribution_of_scores(outcomes: list[Outcome], exercises: list[Exercise]) -> None:
    """Of the totals and of each exercise there is a picture, which also says in words how many earned what."""
    page = text_of(outcomes, exercises)

    left_out = " Left out: 1 of whose work something is ungraded, 1 who handed in nothing."

    assert [
        f"All exercises, 2 students: median 17.5, mean 17.5 of 75 XP.{left_out}",
        "Teach the engine new tricks, 2 students: median 12.5, mean 12.5 of 25 XP.",
        "Fit a line, 2 students: median 7.5, mean 7.5 of 25 XP.",
    ] == said(page, "//figcaption")
    assert ["≤20 percent: 1; ≤40 percent: 1", "0 percent: 1; 100 percent: 1", "≤20 percent: 1; ≤40 percent: 1"] == said(
        page, "//desc"
    )


@pytest.mark.parametrize(
    ("xp", "label"),
    [(0, "0"), (1, "≤10"), (10, "≤10"), (11, "≤20"), (90, "≤90"), (91, "<100"), (99, "<100"), (100, "100")],
)
def test_bars(report: Report, exercises: list[Exercise], xp: int, label: str) -> None:
    """Nothing and everything have bars of their own; the others are ten percent wide."""
    exercise = replace(exercises[0], xp=100)
    page = text_of([graded(report, "ada", P, worth=xp)], [exercise])

    assert [f"{label} percent: 1"] == said(page, "//desc")


def test_checks(report: Report, exercises: list[Exercise]) -> None:
    """Each check says how many pass it, what became of the others, whom it tells apart, and what is odd about it."""
    rows = [(P, F, P, P)] * 5 + [(P, F, F, F)] * 4 + [(P, Verdict.TIMEOUT, F, F)]
    outcomes = [graded(report, f"student {number}", *row) for number, row in enumerate(rows)]
    page = text_of(outcomes, exercises[:1])

    assert [
        ["Check", "XP", "Passed", "Share", "Otherwise", "Discrimination", "Remark"],
        ["0", "5", "10 of 10", "100 %", "", "undefined", "always passed"],
        ["1", "5", "0 of 10", "0 %", "9 failed, 1 timeout", "undefined", "never passed"],
        ["2", "5", "5 of 10", "50 %", "5 failed", "1.00", ""],
        ["3", "5", "5 of 10", "50 %", "5 failed", "1.00", ""],
    ] == [[cell.removesuffix(report.results[0].question) for cell in row] for row in table(page, "Checks of")]
    assert ["2, 3: 5 pass all, 5 pass none."] == said(page, "//section/ul[not(@class)]/li")
    assert "With fewer than 20, it is mostly chance." in said(page, "//main")[0]


def test_a_negative_discrimination(report: Report, exercises: list[Exercise]) -> None:
    """It has a proper minus, and where enough were asked it stands out."""
    outcomes = [graded(report, f"student {number}", *((P, F, F) if number % 2 else (F, P, P))) for number in range(20)]
    page = text_of(outcomes, exercises[:1])

    assert ["\u22121.00", "passed rather by those who earn less elsewhere"] == table(page, "Checks of")[1][-2:]
    assert "With fewer" not in said(page, "//main")[0]


def test_what_happened_in_hidden_checks(report: Report, exercises: list[Exercise]) -> None:
    """Of each check the page tells what happened most often, and to whom, hidden or not."""
    hidden = replace(report.results[5], what="SECRET is wrong")
    others = [replace(hidden, what=f"other {number}") for number in range(4)]
    outcomes = [replace(report, student=f"s{number}", results=(hidden,), notes=()) for number in range(7)]
    outcomes += [replace(report, student=f"t{number}", results=(each,)) for number, each in enumerate(others)]
    page = text_of(outcomes, exercises[:1])

    assert ["hidden_powers"] == said(page, "//details/summary")
    assert "11 of 11 did not pass; the most frequent of what happened." == said(page, "//details/p")[0]
    assert ["s0, s1, s2, s3, s4 and 2 more", "t0", "t1"] == said(page, "//details//dt")
    assert ["SECRET is wrong", "other 0", "other 1"] == said(page, "//details//dd")


def test_what_kept_a_file_from_running_is_no_news_of_its_checks(report: Report, exercises: list[Exercise]) -> None:
    """What stands in a note is not told again for each check."""
    results = tuple(replace(each, verdict=Verdict.NOT_RUN, what="does not load") for each in report.results)
    page = text_of([replace(report, results=results, notes=("does not load",))], exercises[:1])

    assert [] == said(page, "//details")


def test_limits_and_the_slowest(report: Report, exercises: list[Exercise]) -> None:
    """Who ran out of time or memory, or had a check run twice, is named, and so are the slowest ten."""
    again = replace(report.results[0], retried=True)
    slow = replace(report, results=(again, *report.results[1:]))
    outcomes = [slow, *(replace(graded(report, f"s{number}", P), seconds=float(number)) for number in range(12))]
    page = text_of(outcomes, exercises[:1])
    title = "Teach the engine new tricks"

    assert [
        ["Student", "Exercise", "What, in which checks", "Seconds"],
        ["anna", title, "run once more: value; memory: chain; timeout: hidden_powers", "9.8"],
    ] == table(page, "Submissions that met")
    assert [
        ["Student", "Exercise", "Seconds", "Slowest check", "Its seconds"],
        ["s11", title, "11.0", "0", "0.0"],
        ["s10", title, "10.0", "0", "0.0"],
        ["anna", title, "9.8", "hidden_powers", "7.5"],
    ] == table(page, "Slowest")[:4]
    assert 11 == len(table(page, "Slowest"))


def test_the_grid(report: Report, exercises: list[Exercise]) -> None:
    """Students by checks: every verdict is a word, a check that was not asked is empty."""
    public = replace(report, student="bo", results=report.results[:2])
    page = text_of([report, public], exercises[:1])

    assert [
        ["Student", "XP", "value", "gradient", "lines", "relu", "chain", "hidden_powershidden", "hidden_reluhidden"],
        ["anna", "3", "passed", "failed", "output", "error", "memory", "timeout", "not run"],
        ["bo", "3", "passed", "failed", "", "", "", "", ""],
    ] == table(page, "Students by checks")


def test_links(outcomes: list[Outcome], exercises: list[Exercise]) -> None:
    """Every name leads to the student's own page, where there is one, whatever the file is called."""
    document = document_of(text_of(outcomes, exercises, pages={"ada": "pages/a b#c?.html", "bo": "pages/bo~1f.html"}))
    links = {(link.text_content(), link.get("href")) for link in document.xpath("//main//a")}

    assert {("ada", "pages/a%20b%23c%3F.html"), ("bo", "pages/bo~1f.html")} == links


def test_contents(outcomes: list[Outcome], exercises: list[Exercise]) -> None:
    """Every entry of the contents leads somewhere."""
    document = document_of(text_of(outcomes, exercises))
    targets = [link.get("href") for link in document.xpath("//nav//a")]

    assert ["#scores", "#look", "#students", "#exercise-1", "#exercise-2", "#exercise-3"] == targets
    assert all(document.get_element_by_id(target[1:]) is not None for target in targets)


def test_large_classes(report: Report, exercises: list[Exercise]) -> None:
    """Three hundred students with three exercises of fifteen checks make a page of a megabyte, in seconds."""
    verdicts = [P, F, P, Verdict.ERROR, P] * 3
    outcomes = [
        graded(report, f"student-{number:03}", *verdicts, exercise=exercise.id, worth=1)
        for number in range(300)
        for exercise in exercises
    ]
    pages = {outcome.student: f"pages/{outcome.student}.html" for outcome in outcomes}
    started = time.process_time()
    page = text_of(outcomes, exercises, pages=pages)

    assert time.process_time() - started < 10
    assert len(page) < 1_000_000
    assert 300 * 3 * 15 == len(document_of(page).xpath("//table[@class='grid']//td[@class != 'number']"))


OUTCOMES = st.lists(st.from_type(Report) | st.from_type(Ungraded) | st.from_type(Absent), max_size=4)


@given(OUTCOMES)
def test_every_class_has_a_page(outcomes: list[Outcome]) -> None:
    """Whatever the texts, the page is UTF-8 without characters that do not show, and names everybody."""
    distinct = list({(outcome.student, outcome.exercise): outcome for outcome in outcomes}.values())
    exercises = list({outcome.exercise: exercise_of(outcome) for outcome in distinct}.values())
    page = text_of(distinct, exercises)
    students = document_of(page).xpath("//table[@class='students']/tbody/tr/th/bdi")

    assert page == text_of(distinct, exercises)
    assert all(character.isprintable() or character in "\n\t" for character in page)
    assert [one_line(student) for student in sorted({each.student for each in distinct})] == [
        each.text or "" for each in students
    ]
    assert html.tostring(document_of(page)).count(b"<script") == 0
