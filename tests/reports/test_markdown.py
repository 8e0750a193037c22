"""Markdown for GitHub and whatever else reads it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exercise import Exercise
from grader.limits import Limits
from grader.reports.markdown import LIMIT, class_markdown, report_markdown
from grader.verdict import Absent, Report, Ungraded
from tests.markdown_readers import assert_inert, read_markdown

if TYPE_CHECKING:
    from grader.verdict import Outcome

OUTCOMES = st.from_type(Report) | st.from_type(Ungraded) | st.from_type(Absent)
FOLDER = Path("/course/exercises/fit")
EXERCISE = Exercise("fit", "Fit", FOLDER, "fit.py", 25, None, "reference.fit", Limits(), (), "d" * 64)


def test_a_report_is_shown_check_by_check(report: Report) -> None:
    """A table has every check; after it comes each that did not pass: what happened, what it did, and the hint."""
    shown = replace(report, results=(report.results[0], report.results[1], report.results[5]))

    assert report_markdown(shown) == dedent(
        """\
        # Teach the engine

        `pow_relu`, `value.py`: **3 of 17 XP**

        Hidden checks decide the other 8 of 25.

        ```
        matplotlib is not here; an empty stand-in took its place.
        ```

        | verdict | XP | check |
        | --- | ---: | --- |
        | passed | 3 of 3 | A power has the value base \\*\\* exponent. |
        | failed | 0 of 4 | A power passes back exponent \\* base \\*\\* (exponent - 1). |
        | timeout | 0 of 10 | Powers hold elsewhere. (hidden) |

        ## failed: A power passes back exponent \\* base \\*\\* (exponent - 1).

        What happened:

        ```
        x.grad is 2.0, expected 12.0
        ```

        What the check did:

        ```
        x = engine.Value(2.0)
        y = x ** 3
        y.backward()
        ```

        Hint: What does a leaf get that is used twice?

        ## timeout: Powers hold elsewhere.

        What happened: The code took too long and was stopped.

        Hint: Mind the exponent 0.
        """
    )


def test_a_hidden_check_leaks_nothing(report: Report) -> None:
    """Neither what happened in a hidden check nor what it did is in it, nor its time, nor the secret's fingerprint."""
    assert not [secret for secret in ("SECRET", "7.5", "f00d") if secret in report_markdown(report)]


def test_what_is_so_for_all_checks_is_said_once(report: Report) -> None:
    """Why nothing ran stands above the table, and not again with each check."""
    problem = "value.py is empty"
    results = tuple(replace(result, what=problem) for result in report.results if not result.passed)

    assert 1 == report_markdown(replace(report, results=results, notes=(problem,))).count(problem)


def test_an_ungraded_submission_is_shown_without_the_reason() -> None:
    """The reason, which may name a case of a hidden check, is not for the student."""
    expected = """\
        # `pow_relu`

        This submission could not be graded, through no fault of its student: it is neither a zero nor a pass.
        """

    assert dedent(expected) == report_markdown(Ungraded("anna", "pow_relu", "check_secret[31415.5]"))


def test_a_class_is_a_table(report: Report, exercises: list[Exercise]) -> None:
    """There is a row for each student and a column for each exercise, the counts, and what is ungraded and why."""
    outcomes: list[Outcome] = [
        report,
        Absent("anna", "line_fit"),
        replace(report, student="bo|", exercise="neuron_fit"),
        Ungraded("bo|", "pow_relu", "No engine:\nuse `docker`"),
    ]

    assert class_markdown(outcomes, exercises) == dedent(
        """\
        # XP

        | student | `pow_relu` of 25 | `neuron_fit` of 25 | `line_fit` of 25 | total of 75 |
        | --- | ---: | ---: | ---: | ---: |
        | `anna` | 3 |  | absent | 3 |
        | `bo\\x7c` | ungraded | 3 |  | 3 + ? |

        Students: 2. Submissions: 2 graded, 1 ungraded, 1 absent.

        ## Ungraded, which is neither a zero nor a pass

        `bo\\x7c`, `pow_relu`:

        ```
        No engine:
        use `docker`
        ```
        """
    )


def test_one_exercise_has_no_total_and_students_have_names(exercises: list[Exercise]) -> None:
    """A total would say everything twice; a name stands beside an id, as code like it."""
    outcomes: list[Outcome] = [Absent("0501", "pow_relu"), Ungraded("0502", "pow_relu", "Why.")]
    markdown = class_markdown(outcomes, exercises[:1], {"0501": "Ada `L`", "0502": "Bo"})

    assert "| student | `pow_relu` of 25 |\n| --- | ---: |\n| `0501 (Ada \\x60L\\x60)` | absent |\n" in markdown
    assert "`0502 (Bo)`, `pow_relu`:" in markdown


def test_fences_are_longer_than_what_they_hold(report: Report) -> None:
    """No run of backticks ends a block of code; one that would make a fence too long for GitHub is written out."""
    texts = ["````", "`" * 60, "`" * 61, "`" * 300]
    results = tuple(replace(report.results[1], what=text, code="") for text in texts)
    _, blocks = read_markdown(report_markdown(replace(report, results=results, notes=())))

    assert ["````\n", "`" * 60 + "\n", r"\x60" * 61 + "\n", r"\x60" * 300 + "\n"] == blocks


@pytest.mark.parametrize("limit", [0, 30, 40, 100, 300, 500, 700, 900, 1_100, LIMIT])
def test_what_is_too_long_is_cut(report: Report, limit: int) -> None:
    """A summary keeps to the bytes that there are, is Markdown all the same, and says that there was more."""
    whole, cut = report_markdown(report), report_markdown(report, limit=limit)
    assert_inert(cut)

    assert len(cut.encode()) <= limit
    assert cut in ("", whole) or cut.endswith("\n**There is more than fits here.**\n")
    assert whole == report_markdown(report, limit=len(whole) + 100)


def test_a_large_class_fits(exercises: list[Exercise]) -> None:
    """What GitHub takes is what a class gets, however long its students' names are."""
    class_ = class_markdown([Absent(f"{number:05}" + "\x1b" * 300, "fit") for number in range(9_000)], exercises)

    assert LIMIT - 1_000 < len(class_.encode()) <= LIMIT


@given(st.from_type(Report) | st.from_type(Ungraded))
def test_every_report_is_inert(outcome: Report | Ungraded) -> None:
    """Whatever the texts, a report is text, code and one table with a row for each check."""
    markdown = report_markdown(outcome)
    assert_inert(markdown)
    tables, _ = read_markdown(markdown)

    rows = [1 + len(outcome.results)] if isinstance(outcome, Report) else []
    assert rows == [len(table) for table in tables]
    assert {3} >= {len(row) for table in tables for row in table}


@given(st.lists(OUTCOMES, max_size=3))
def test_every_class_is_inert(outcomes: list[Outcome]) -> None:
    """Whatever the texts, a class is text, code and one table with a row for each student."""
    ids = dict.fromkeys(outcome.exercise for outcome in outcomes)
    markdown = class_markdown(outcomes, [replace(EXERCISE, id=name) for name in ids])
    assert_inert(markdown)
    (table,), _ = read_markdown(markdown)

    columns = 1 + len(ids) + (len(ids) > 1)
    assert [columns] * (1 + len({outcome.student for outcome in outcomes})) == [len(row) for row in table]
