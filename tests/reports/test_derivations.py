"""How a right answer comes about, wherever a student reads of a public check; of a hidden one never."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from grader.record import outcome_from_record, to_record
from grader.reports.comment import to_comment
from grader.reports.github import to_annotations
from grader.reports.gradescope import to_gradescope
from grader.reports.junit import to_junit, to_junit_batch
from grader.reports.markdown import report_markdown
from grader.reports.prairielearn import to_prairielearn
from grader.reports.student_page import to_student_page
from tests.reports.page_text import said
from tests.screens import report_screen

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.exercise import Exercise
    from grader.verdict import Report

LABEL = "How the right answer comes about"
STEPS = "y             passes 1.0 to x\nx.grad 1.0"

SHOWN: list[Callable[[Report, list[Exercise]], str]] = [
    lambda report, exercises: to_student_page([report], exercises),
    lambda report, _: report_screen(report),
    lambda report, _: to_junit(report),
    lambda report, _: "".join(to_junit_batch([report])),
    lambda report, _: report_markdown(report),
    lambda report, _: to_comment([report]),
    lambda report, _: to_gradescope([report]),
    lambda report, _: to_prairielearn(report),
    lambda report, _: to_annotations([report]),
]


def derived(report: Report, *, hidden: bool) -> Report:
    """The same with a derivation for each check of one kind that did not pass."""
    return replace(
        report,
        results=tuple(
            replace(result, derivation=STEPS) if result.hidden is hidden and not result.passed else result
            for result in report.results
        ),
    )


@pytest.mark.parametrize("show", SHOWN)
def test_public(report: Report, exercises: list[Exercise], show: Callable[[Report, list[Exercise]], str]) -> None:
    """Each format has it once for each check."""
    shown = show(derived(report, hidden=False), exercises)

    assert 4 == shown.count(LABEL) == shown.count("y             passes 1.0 to x")
    assert LABEL not in show(report, exercises)


@pytest.mark.parametrize("show", SHOWN)
def test_hidden(report: Report, exercises: list[Exercise], show: Callable[[Report, list[Exercise]], str]) -> None:
    """Were there one of a hidden check, nothing that a student may read would change by it."""
    assert show(report, exercises) == show(derived(report, hidden=True), exercises)


def test_place(report: Report, exercises: list[Exercise]) -> None:
    """It stands between the code that it is about and the hint, line by line."""
    report = derived(report, hidden=False)
    screen = report_screen(report)

    assert f"    y.backward()\n  {LABEL}:\n    y             passes 1.0 to x\n    x.grad 1.0\n  Hint:\n" in screen
    assert LABEL in said(to_student_page([report], exercises), "//dt")


def test_record(report: Report) -> None:
    """It is kept with the grade; an earlier record, which has none, is read as well."""
    kept, earlier = (json.loads(json.dumps(to_record(each))) for each in (derived(report, hidden=False), report))
    for check in earlier["checks"]:
        del check["derivation"]

    assert derived(report, hidden=False) == outcome_from_record(kept)
    assert report == outcome_from_record(earlier)
