"""A graded submission as Gradescope's results.json."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.reports.gradescope import to_gradescope
from grader.verdict import Report, Verdict

if TYPE_CHECKING:
    from grader.reports.gradescope import Visibility

SCHEMA = json.loads((Path(__file__).parents[1] / "schemas" / "gradescope.json").read_text(encoding="utf-8"))
REMARK = "value (1).py is taken for value.py by its name"


def read(text: str) -> Any:  # whatever it is
    """Read strictly what was written, and hold it against the schema."""

    def refuse(number: str) -> None:
        raise ValueError(number)

    text.encode()
    written = json.loads(text, parse_constant=refuse)
    jsonschema.validate(written, SCHEMA)
    return written


def test_every_check_is_a_test(report: Report) -> None:
    """A check is a test worth its XP, named by its question; its output says what a student may read."""
    written = read(to_gradescope([report]))

    assert [result.xp for result in report.results] == [test["score"] for test in written["tests"]]
    assert [result.worth for result in report.results] == [test["max_score"] for test in written["tests"]]
    assert {
        "number": "2",
        "name": "A power passes back exponent * base ** (exponent - 1).",
        "score": 0,
        "max_score": 4,
        "status": "failed",
        "output": "What happened:\nx.grad is 2.0, expected 12.0\n\n"
        "What the check did:\nx = engine.Value(2.0)\ny = x ** 3\ny.backward()\n\n"
        "Hint:\nWhat does a leaf get that is used twice?",
        "visibility": "visible",
    } == written["tests"][1]


def test_what_stands_in_a_note_is_said_of_each_check(report: Report) -> None:
    """Where a note says what kept checks from running, each test says that, hidden ones too."""
    note = "value.py defines `Scalar`; the exercise asks for `Value`."
    results = tuple(replace(each, verdict=Verdict.ERROR, what=note) for each in report.results)
    written = read(to_gradescope([replace(report, results=results, notes=(note,))]))

    assert {f"What happened:\n{note}"} == {test["output"] for test in written["tests"]}


def test_a_passed_check_needs_no_words(report: Report) -> None:
    """A check that passed has the status and nothing to read."""
    test = read(to_gradescope([report]))["tests"][0]

    assert ("passed", 3, "") == (test["status"], test["score"], test["output"])


def test_hidden_checks_keep_their_secrets(report: Report) -> None:
    """Of a hidden check there is the question, a coarse verdict and the hint, and not how long it took."""
    text = to_gradescope([report])
    written = read(text)

    assert "SECRET" not in text
    assert (
        "What happened:\nThe code took too long and was stopped.\n\nHint:\nMind the exponent 0."
        == (written["tests"][5]["output"])
    )
    assert 1.762 == written["execution_time"]


@pytest.mark.parametrize("hidden", ["visible", "after_due_date", "after_published", "hidden"])
def test_when_hidden_checks_are_seen(report: Report, hidden: Visibility) -> None:
    """Hidden checks are seen when the instructor says so; public ones always."""
    written = read(to_gradescope([report], hidden))

    expected = [hidden if result.hidden else "visible" for result in report.results]
    assert expected == [test["visibility"] for test in written["tests"]]


def test_what_is_printed_stays_with_the_instructor(report: Report) -> None:
    """The grader's own output is not shown, and no text is taken for markup."""
    written = read(to_gradescope([report]))

    assert "hidden" == written["stdout_visibility"]
    assert {"text"} == {written[key] for key in ("output_format", "test_output_format", "test_name_format")}


def test_remarks_and_notes(report: Report) -> None:
    """What the student should know besides stands above the tests."""
    written = read(to_gradescope([report], remarks=[REMARK]))

    assert f"{REMARK}\n\nmatplotlib is not here; an empty stand-in took its place." == written["output"]


def test_several_exercises(report: Report) -> None:
    """The tests of several exercises have the exercise's number and title, and all of them count."""
    other = replace(report, exercise="line_fit", title="Fit a line", results=report.results[:2])
    written = read(to_gradescope([report, other]))

    assert ["1.1", "1.7", "2.1", "2.2"] == [written["tests"][at]["number"] for at in (0, 6, 7, 8)]
    assert "Fit a line: A power has the value base ** exponent." == written["tests"][7]["name"]
    assert report.xp + other.xp == sum(test["score"] for test in written["tests"])


@given(st.from_type(Report), st.lists(st.text()))
def test_valid_whatever_students_write(report: Report, remarks: list[str]) -> None:
    """Whatever stands in a report, the file is one that Gradescope reads, and its tests' scores are the XP."""
    written = read(to_gradescope([report], remarks=remarks))

    assert report.xp == sum(test["score"] for test in written["tests"])
