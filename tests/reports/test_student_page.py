"""A student's page, as text; `test_pages_in_browser.py` looks at it in a browser."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.reports.feedback import explain
from grader.reports.student_page import to_student_page
from grader.reports.text import one_line, visible
from grader.verdict import Absent, Report, Ungraded, Verdict
from tests.reports.page_text import document_of, exercise_of, said

if TYPE_CHECKING:
    from grader.exercise import Exercise
    from grader.verdict import Outcome


def test_each_check_says_how_it_went(report: Report, exercises: list[Exercise]) -> None:
    """A check shows its question and whether it is hidden, its verdict in words, its XP, and what explains it."""
    page = to_student_page([report], exercises)

    checks = said(page, "//li")

    assert len(report.results) == len(checks)
    assert "A power has the value base ** exponent. passed 3 of 3 XP" == checks[0]
    assert checks[1].startswith("A power passes back exponent * base ** (exponent - 1). failed 0 of 4 XP What happened")
    assert checks[1].endswith("y.backward() Hint What does a leaf get that is used twice?")
    assert "The last line is printed. output 0 of 2 XP What happened expected 'w=3.00'" == checks[2]
    assert "relu at 0 gives 0. error 0 of 2 XP What happened NameError: 'a'\\x1b[31m" == checks[3]
    assert "A chain of 500 works. memory 0 of 2 XP What happened More than 256 MiB." == checks[4]
    assert checks[5].startswith("Powers hold elsewhere. hidden timeout 0 of 10 XP What happened The code took too long")
    assert checks[5].endswith("and was stopped. Hint Mind the exponent 0.")
    assert checks[6].endswith("hidden not run 0 of 1 XP What happened This check could not be run.")
    assert ["Note matplotlib is not here; an empty stand-in took its place."] == said(page, "//*[@class='note']")


def test_nothing_of_hidden_checks_is_on_the_page(report: Report, exercises: list[Exercise]) -> None:
    """Neither what happened in a hidden check is there, nor what it did, its name, any time, or the secret's mark."""
    page = to_student_page([report], exercises)
    text = document_of(page).text_content()

    assert "SECRET" not in page
    assert "check_hidden" not in page
    assert "f00d" not in page
    assert "seconds" not in text
    assert "7.5" not in text
    assert "9.75" not in text


def test_all_exercises_are_added_up(report: Report, exercises: list[Exercise]) -> None:
    """Every exercise of the student is in the overview, in the order of the course, and in the total."""
    outcomes: list[Outcome] = [
        Ungraded("anna", "line_fit", "SECRET reason"),
        Absent("anna", "neuron_fit"),
        report,
    ]
    page = to_student_page(outcomes, exercises, {"anna": "Anna <b>"})

    assert ["Feedback for anna (Anna <b>)"] == said(page, "//h1") == said(page, "//title")
    assert ["3 of 75 XP so far"] == said(page, "//*[@class='sum']")
    assert [
        "Teach the engine1 of 73 of 25",
        "Train a neuronabsent",
        "Fit a lineungraded",
    ] == said(page, "//nav//tbody/tr")
    assert said(page, "//caption")[0].startswith("1 of 3 exercises graded, 1 absent, 1 still to be graded.")
    assert "SECRET" not in page


def test_absent_ungraded_and_zero_are_told_apart(report: Report, exercises: list[Exercise]) -> None:
    """What is absent or ungraded says so, and only a zero is 0."""
    zero = replace(report, results=tuple(replace(each, verdict=Verdict.FAILED) for each in report.results))
    outcomes: list[Outcome] = [zero, Ungraded("anna", "neuron_fit", "SECRET"), Absent("anna", "line_fit")]
    sections = said(to_student_page(outcomes, exercises), "//section")

    assert sections[0].startswith("Teach the engine 0 of 25 XP for value.py")
    assert sections[1].startswith("Train a neuron ungraded Your work is there, but it could not be graded")
    assert sections[2].startswith("Fit a line absent Nothing that fits this exercise was handed in.")


def test_what_stands_in_a_note_is_not_repeated(report: Report, exercises: list[Exercise]) -> None:
    """Where one thing kept all checks from running, it is said once."""
    what = "value.py does not load.\nSyntaxError: expected ':'"
    results = tuple(replace(each, verdict=Verdict.NOT_RUN, what=what) for each in report.results)
    page = to_student_page([replace(report, results=results, notes=(what, "Another remark."))], exercises)

    assert 1 == page.count("SyntaxError")
    assert ["What happened See the note above."] * len(results) == said(page, "//li//dl")
    assert ["Notes value.py does not load. SyntaxError: expected ':' Another remark."] == said(
        page, "//*[@class='note']"
    )


@pytest.mark.parametrize(
    ("what", "summary"),
    [
        ("one\n" * 12, []),
        ("one\n" * 13, ["13 lines"]),
        ("x" * 1000, []),
        ("x" * 1001, ["1001 characters"]),
    ],
)
def test_long_texts_are_folded(report: Report, exercises: list[Exercise], what: str, summary: list[str]) -> None:
    """More than a dozen lines, or very long ones, are folded away under a remark of how much there is."""
    page = to_student_page([replace(report, results=(replace(report.results[1], what=what),))], exercises)

    assert summary == said(page, "//li//summary")


def test_provenance_in_small_print(report: Report, exercises: list[Exercise]) -> None:
    """What a report was made from is there for whoever looks for it."""
    found = said(to_student_page([report], exercises), "//*[@class='provenance']/dl/*")

    assert {
        "SHA-256 of what you handed in": "a" * 64,
        "SHA-256 of the exercise": "b" * 64,
        "Sandbox": "docker, sha256:c0ffee",
        "Versions": "grader 0.1.0",
    } == dict(zip(found[::2], found[1::2], strict=True))


def test_checks_that_are_still_to_come(report: Report, exercises: list[Exercise]) -> None:
    """Where hidden checks have not been asked, the page says how much they decide; where none was, it says so."""
    public = replace(report, results=report.results[:5])
    nothing = replace(report, results=())

    assert "Hidden checks decide the other 12 of 25 XP." in said(to_student_page([public], exercises), "//p")
    assert "Of hidden checks" not in said(to_student_page([public], exercises), "//caption")[0]
    assert "There was no check to run." in said(to_student_page([nothing], exercises), "//p")


def test_only_the_style_sheet_is_allowed(report: Report, exercises: list[Exercise]) -> None:
    """The page's policy allows its own style sheet, by digest, and nothing else."""
    page = document_of(to_student_page([report], exercises))
    style = page.findtext(".//style") or ""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = page.xpath("//meta[@http-equiv]")

    assert [
        (
            "Content-Security-Policy",
            f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        )
    ] == [(each.get("http-equiv"), each.get("content")) for each in policy]


OUTCOME = st.from_type(Report) | st.from_type(Ungraded) | st.from_type(Absent)


@given(OUTCOME)
def test_every_outcome_has_a_page(outcome: Outcome) -> None:
    """Whatever the texts, the page is UTF-8 without characters that do not show, and has all that may be said."""
    page = to_student_page([outcome], [exercise_of(outcome)])
    document = document_of(page)

    assert page == to_student_page([outcome], [exercise_of(outcome)])
    assert all(character.isprintable() or character in "\n\t" for character in page)
    assert one_line(outcome.student) in (document.findtext(".//bdi") or "")
    assert not re.search(r"<(script|iframe|img|link|object|embed|form|base)", page)
    if isinstance(outcome, Report):
        texts = [
            text if result.what not in outcome.notes else "See the note above."
            for result in outcome.results
            for _, text in explain(result, outcome.notes)
        ]
        assert texts == [each.text for each in document.xpath("//li//dd//*[self::p or self::pre]")]
        assert [visible(note) for note in outcome.notes] == [
            each.text or "" for each in document.xpath("//*[@class='note']/pre")
        ]
