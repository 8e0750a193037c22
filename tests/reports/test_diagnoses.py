"""What code seems to do, wherever it is shown, and what only hidden checks tell, which is for the instructor alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from grader.reports.class_page import to_class_page
from grader.reports.comment import to_comment
from grader.reports.feedback import SEEMS
from grader.reports.github import to_annotations
from grader.reports.gradescope import to_gradescope
from grader.reports.json_record import to_json
from grader.reports.junit import to_junit, to_junit_batch
from grader.reports.markdown import class_markdown, report_markdown
from grader.reports.prairielearn import to_prairielearn
from grader.reports.student_page import to_student_page
from grader.verdict import Absent
from tests.reports.page_text import document_of, said
from tests.screens import report_screen

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.exercise import Exercise
    from grader.verdict import Outcome, Report

TOLD = "`relu` seems to pass all on; look at <it>."
UNTOLD = "Nothing seems to come back; look at backward."


def test_a_student_is_told(report: Report, exercises: list[Exercise]) -> None:
    """It stands on the student's page and the terminal, in JUnit and Markdown, above the checks or below."""
    report = replace(report, diagnosis=TOLD)
    page = to_student_page([report], exercises)

    assert [f"{SEEMS} relu seems to pass all on; look at <it>."] == said(page, "//*[@class='note diagnosis']")
    assert ["relu"] == said(page, "//*[@class='note diagnosis']//code")
    assert f"\n{SEEMS}:\n  {TOLD}\n\nXP: 3 of 24.\n" in report_screen(report)
    assert [report.notes[0] + f" {SEEMS}: {TOLD}"] == said(to_junit(report), "//testsuite/system-out")
    assert f"\n{SEEMS}: \\`relu\\` seems to pass all on; look at \\<it\\>.\n" in report_markdown(report)


def test_platforms_tell_a_student(report: Report) -> None:
    """It stands where Gradescope and PrairieLearn show what is said of all, and in the comment beside a grade."""
    report = replace(report, diagnosis=TOLD)
    comment = to_comment([report])

    assert f"{report.notes[0]}\n\n{SEEMS}: {TOLD}" == json.loads(to_gradescope([report]))["output"]
    assert f"XP: 3 of 25\n\n{report.notes[0]}\n\n{SEEMS}: {TOLD}" == json.loads(to_prairielearn(report))["message"]
    assert [f"{SEEMS}relu seems to pass all on; look at <it>."] == said(comment, "//p[2]")
    assert ["relu"] == said(comment, "//code")


def test_of_several_exercises(report: Report) -> None:
    """Where Gradescope shows several exercises together, their titles tell whose it is."""
    other = replace(report, exercise="line_fit", title="Fit a line", notes=(), diagnosis=TOLD)

    assert [f"{report.title}: {report.notes[0]}", f"Fit a line: {SEEMS}: {TOLD}"] == json.loads(
        to_gradescope([report, other])
    )["output"].split("\n\n")


def test_where_nothing_is_known_nothing_is_said(report: Report, exercises: list[Exercise]) -> None:
    """There is no empty box, and no heading without a text."""
    shown = [
        to_student_page([report], exercises),
        report_screen(report),
        to_junit(report),
        report_markdown(report),
        "".join(to_class_page([report], exercises, str)),
        to_comment([report]),
        to_gradescope([report]),
        to_prairielearn(report),
    ]

    assert [] == [text for text in shown if "seem" in document_of(text).text_content().lower()]


@pytest.mark.parametrize(
    "show",
    [
        lambda report, exercises: to_student_page([report], exercises),
        lambda report, _: report_screen(report),
        lambda report, _: to_junit(report),
        lambda report, _: "".join(to_junit_batch([report])),
        lambda report, _: report_markdown(report),
        lambda report, exercises: class_markdown([report], exercises),
        lambda report, _: to_annotations([report], "value.py"),
        lambda report, _: to_comment([report]),
        lambda report, _: to_gradescope([report]),
        lambda report, _: to_prairielearn(report),
    ],
)
def test_what_hidden_checks_tell_is_kept(
    report: Report, exercises: list[Exercise], show: Callable[[Report, list[Exercise]], str]
) -> None:
    """Nothing that a student may read changes by it."""
    assert show(report, exercises) == show(replace(report, private_diagnosis=UNTOLD), exercises)


def test_the_instructor_is_told_all(report: Report, exercises: list[Exercise]) -> None:
    """The class page counts each diagnosis, names whose it is and who is not told, and the grid refers to it."""
    outcomes: list[Outcome] = [
        replace(report, student="ada", private_diagnosis=UNTOLD),
        replace(report, student="bo", diagnosis=TOLD),
        replace(report, student="cy", diagnosis=TOLD),
        replace(report, student="di", private_diagnosis=TOLD),
        replace(report, student="ed"),
        Absent("flo", "pow_relu"),
    ]
    page = "".join(to_class_page(outcomes, exercises, str))

    assert [
        "relu seems to pass all on; look at <it>. (3)bo, cy; not told, as it takes hidden checks to see: di",
        f"{UNTOLD} (1)not told, as it takes hidden checks to see: ada",
    ] == said(page, "//ol/li")
    assert ["relu"] == said(page, "//ol/li/code")
    assert ["Seems to do"] == said(page, "//table[@class='grid']/thead/tr/th[3]")
    assert ["2", "1", "1", "1", ""] == said(page, "//table[@class='grid']/tbody/tr/td[2]")
    assert ["absent"] == said(page, "//table[@class='grid']/tbody/tr/td[@colspan='9']")
    assert UNTOLD in "".join(to_json(outcomes))
