"""A student's results as the comment beside a grade."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import html

from grader.reports.comment import MARK, to_comment
from grader.reports.feedback import asked, explain
from grader.reports.text import one_line, visible
from grader.verdict import Report, Verdict

if TYPE_CHECKING:
    from lxml.html import HtmlElement

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
REPORTS = st.lists(st.from_type(Report), max_size=1)


def parsed(reports: list[Report]) -> HtmlElement:
    """What a browser makes of a comment."""
    return html.fragment_fromstring(to_comment(reports))


def test_what_a_student_reads(report: Report) -> None:
    """Title, XP and notes, then of each check the verdict, the question and what explains it."""
    (part,) = [each for each in parsed([report]).iter("li") if "failed" in each.text_content()]

    assert ["Teach the engine 3 of 25 XP"] == [each.text_content() for each in parsed([report]).iter("p")]
    assert "matplotlib is not here; an empty stand-in took its place." in parsed([report]).text_content()
    assert (
        "failed 0 of 4 XPA power passes back exponent * base ** (exponent - 1)."
        "What happenedx.grad is 2.0, expected 12.0"
        "What the check didx = engine.Value(2.0)\ny = x ** 3\ny.backward()"
        "HintWhat does a leaf get that is used twice?"
    ) == part.text_content()


def test_hidden_checks_keep_their_secrets(report: Report) -> None:
    """Of a hidden check the verdict, the question and the hint are told, and nothing else."""
    text = to_comment([report])

    assert "Powers hold elsewhere." in text
    assert "Mind the exponent 0." in text
    assert "SECRET" not in text
    assert "check_hidden" not in text


def test_a_file_that_does_not_load_is_told_once(report: Report) -> None:
    """Checks that did not run for the reason in the notes do not repeat it."""
    problem = "value.py is no notebook."
    results = tuple(replace(each, verdict=Verdict.NOT_RUN, what=problem) for each in report.results)
    text = to_comment([replace(report, results=results, notes=(problem,))])

    assert (1, 7) == (text.count(problem), text.count("not run"))


@UNHURRIED
@given(REPORTS)
def test_it_is_harmless(reports: list[Report]) -> None:
    """Whatever the texts, there are no elements but ours, on one line that begins as ours do."""
    text = to_comment(reports)
    comment = parsed(reports)

    assert text.startswith(MARK)
    assert text.isprintable()
    assert {"div", "p", "pre", "strong", "ul", "li", "br", "code"} >= {each.tag for each in comment.iter()}
    assert [{"class": "grader-feedback"}] == [dict(each.attrib) for each in comment.iter() if each.attrib]


@UNHURRIED
@given(REPORTS)
def test_all_of_it_can_be_read(reports: list[Report]) -> None:
    """Every question and every explanation is there, as visible as elsewhere."""
    text = parsed(reports).text_content()
    texts = [asked(result) for report in reports for result in report.results]
    texts += [visible(note) for report in reports for note in report.notes]
    texts += [one_line(report.diagnosis).replace("`", "") for report in reports]

    assert [] == [each for each in texts if each not in text]
    explained = [
        each
        for report in reports
        for result in report.results
        if result.what not in report.notes
        for _, each in explain(result)
    ]
    assert [] == [each for each in explained if each.strip("\n") not in text]


@pytest.mark.parametrize("delimiter", [";", "\t"])
@UNHURRIED
@given(REPORTS)
def test_it_is_inert_in_a_table(delimiter: str, reports: list[Report]) -> None:
    """In a table of commas that is taken for one of semicolons or tabs, no cell of it is a formula, nor a row."""
    rows = list(csv.reader(io.StringIO(f"Participant 1,{to_comment(reports)}\n", newline=""), delimiter=delimiter))

    assert 1 == len(rows)
    assert [] == [cell for cell in rows[0] if cell.startswith(("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff20"))]
