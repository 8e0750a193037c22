"""A graded submission as PrairieLearn's results.json."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import GraderError
from grader.reports.prairielearn import MOST_BYTES, to_prairielearn
from grader.verdict import Absent, Report, Result, Ungraded, Verdict

SCHEMA = json.loads((Path(__file__).parents[1] / "schemas" / "prairielearn.json").read_text(encoding="utf-8"))


def read(text: str) -> Any:  # whatever it is
    """Read strictly what was written, and hold it against the schema and the largest size."""

    def refuse(number: str) -> None:
        raise ValueError(number)

    assert len(text.encode()) <= MOST_BYTES
    written = json.loads(text, parse_constant=refuse)
    jsonschema.validate(written, SCHEMA)
    return written


def test_every_check_is_a_test(report: Report) -> None:
    """The score is the part of all XP that was earned; a check is a test worth its XP."""
    written = read(to_prairielearn(report, ["value (1).py is taken for value.py by its name"]))

    assert written["gradable"]
    assert 3 / 25 == written["score"]
    assert written["message"].startswith("XP: 3 of 25\n\nvalue (1).py is taken for value.py by its name\n\nmatplotlib")
    assert {
        "name": "check_gradient",
        "description": "A power passes back exponent * base ** (exponent - 1).",
        "points": 0,
        "max_points": 4,
        "message": "failed",
        "output": "What happened:\nx.grad is 2.0, expected 12.0\n\n"
        "What the check did:\nx = engine.Value(2.0)\ny = x ** 3\ny.backward()\n\n"
        "Hint:\nWhat does a leaf get that is used twice?",
    } == written["tests"][1]


def test_hidden_checks_keep_their_secrets(report: Report) -> None:
    """Of a hidden check there is the question, a coarse verdict and the hint."""
    text = to_prairielearn(report)

    assert "SECRET" not in text
    assert "The code took too long and was stopped." in read(text)["tests"][5]["output"]


def test_what_does_not_load_has_a_score(report: Report) -> None:
    """A file that cannot be run is graded: nobody chooses whether an attempt counts."""
    results = tuple(replace(result, verdict=Verdict.NOT_RUN) for result in report.results)
    written = read(to_prairielearn(replace(report, results=results)))

    assert (True, 0.0) == (written["gradable"], written["score"])


def test_nothing_handed_in() -> None:
    """An attempt without a file does not count."""
    written = read(to_prairielearn(Absent("ada", "tiny"), ["notes.txt is not asked for"]))

    assert not written["gradable"]
    assert ["No file for this exercise was handed in.", "notes.txt is not asked for"] == written["format_errors"]


def test_a_fault_of_the_grader() -> None:
    """An attempt that could not be graded does not count, and the reason is not for the student."""
    text = to_prairielearn(Ungraded("ada", "tiny", "the hidden check_relu[-3.0] raised"))

    assert not read(text)["gradable"]
    assert "check_relu" not in text


def test_long_texts_are_cut(report: Report) -> None:
    """A file that would be too large has shorter texts, and every test."""
    endless = Result("check", "Is it?", hidden=False, verdict=Verdict.FAILED, worth=1, what="\u4e2d" * 5_000)
    written = read(to_prairielearn(replace(report, results=(endless,) * 100)))

    assert 100 == len(written["tests"])
    assert "shortened from" in written["tests"][0]["output"]


def test_too_many_checks(report: Report) -> None:
    """What cannot be made small enough is refused."""
    result = Result("check" * 100, "Is it?", hidden=False, verdict=Verdict.PASSED, worth=1)

    with pytest.raises(GraderError, match=r"^pow_relu: the results are larger than PrairieLearn takes; split"):
        to_prairielearn(replace(report, results=(result,) * 2_000))


@given(st.from_type(Report) | st.from_type(Ungraded) | st.from_type(Absent), st.lists(st.text()))
def test_valid_whatever_students_write(outcome: Report | Ungraded | Absent, remarks: list[str]) -> None:
    """Whatever stands in an outcome, the file is one that PrairieLearn reads."""
    assert isinstance(outcome, Report) == read(to_prairielearn(outcome, remarks))["gradable"]
