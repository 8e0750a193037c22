"""The instructor's record as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.record import SCHEMA, to_record, write_json
from grader.reports import json_record
from grader.verdict import Absent, Report, Ungraded, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.verdict import Outcome

OUTCOMES = st.from_type(Report) | st.from_type(Ungraded) | st.from_type(Absent)


def to_json(outcomes: Sequence[Outcome]) -> str:
    """The whole record."""
    return "".join(json_record.to_json(outcomes))


def encodable(text: str) -> str:
    """Replaces the surrogates, as the record does."""
    return "".join(f"\\u{ord(c):x}" if 0xD800 <= ord(c) <= 0xDFFF else c for c in text)


def test_the_record_holds_everything(report: Report) -> None:
    """A graded submission is there with its XP, every check, its times and what it was made from."""
    (outcome,) = json.loads(to_json([report]))["outcomes"]

    assert [result.check for result in report.results] == [check["check"] for check in outcome.pop("checks")]
    assert {
        "student": "anna",
        "exercise": "pow_relu",
        "state": "graded",
        "title": "Teach the engine",
        "file": "value.py",
        "xp": 3,
        "total_xp": 25,
        "seconds": 9.75,
        "notes": ["matplotlib is not here; an empty stand-in took its place."],
        "diagnosis": "",
        "private_diagnosis": "",
        "provenance": {
            "submission": "a" * 64,
            "exercise": "b" * 64,
            "reference": "c" * 64,
            "sandbox": "docker",
            "image": "sha256:c0ffee",
            "secret": "f00d",
            "versions": {"grader": "0.1.0"},
        },
    } == outcome


def test_hidden_checks_are_told_in_full(report: Report) -> None:
    """The instructor reads what happened in a hidden check, and what it did."""
    (outcome,) = json.loads(to_json([report]))["outcomes"]

    assert {
        "check": "check_hidden_powers",
        "question": "Powers hold elsewhere.",
        "hidden": True,
        "verdict": "timeout",
        "xp": 0,
        "worth": 10,
        "hint": "Mind the exponent 0.",
        "what": "SECRET output",
        "code": "SECRET = engine.Value(7.5)",
        "derivation": "",
        "retried": False,
        "seconds": 7.5,
    } == outcome["checks"][5]


def test_ungraded_absent_and_zero_are_three_things(report: Report) -> None:
    """Only what is graded has XP: a zero is a number, ungraded has a reason, absent has nothing."""
    zero = replace(report, results=tuple(replace(r, verdict=Verdict.FAILED) for r in report.results))
    record = json.loads(to_json([zero, Absent("bo", "pow_relu"), Ungraded("cy", "pow_relu", "No engine.")]))

    assert record["schema"] == SCHEMA
    anna, bo, cy = record["outcomes"]
    assert ("graded", 0) == (anna["state"], anna["xp"])
    assert {"student": "bo", "exercise": "pow_relu", "state": "absent"} == bo
    assert {"student": "cy", "exercise": "pow_relu", "state": "ungraded", "reason": "No engine."} == cy


def test_accents_can_be_read_and_controls_cannot_act() -> None:
    """The file itself shows letters as they are, and escapes what a terminal would obey or hide."""
    text = to_json([Ungraded("Müller 名前", "x", "\x1b[31m \x7f \x9b \u202e \u2028 \U000e0041 \ud800")])

    assert '"student": "Müller 名前"' in text
    assert r'"\u001b[31m \u007f \u009b \u202e \u2028 \udb40\udc41 \\ud800"' in text


@given(st.lists(OUTCOMES, max_size=4))
def test_every_text_survives(outcomes: list[Outcome]) -> None:
    """Whatever the texts, the record is printable UTF-8 and reads back as they were, but for surrogates."""
    text = to_json(outcomes)

    assert text.replace("\n", "").isprintable()
    read = json.loads(text.encode("utf-8"))["outcomes"]
    assert sorted(encodable(outcome.student) for outcome in outcomes) == sorted(each["student"] for each in read)
    whats = [encodable(r.what) for outcome in outcomes if isinstance(outcome, Report) for r in outcome.results]
    assert sorted(whats) == sorted(check["what"] for each in read for check in each.get("checks", ()))
    reasons = [encodable(outcome.reason) for outcome in outcomes if isinstance(outcome, Ungraded)]
    assert sorted(reasons) == sorted(each["reason"] for each in read if each["state"] == "ungraded")


@given(st.lists(OUTCOMES, max_size=4))
def test_the_layout_is_that_of_any_json(outcomes: list[Outcome]) -> None:
    """Piece by piece comes what would be written at once, in the outcomes' order."""
    record = {"schema": SCHEMA, "outcomes": [to_record(outcome) for outcome in outcomes]}

    assert write_json(record, indent=2) + "\n" == to_json(outcomes)


@pytest.mark.parametrize("seconds", [math.nan, math.inf])
def test_a_time_that_is_no_number_is_refused(report: Report, seconds: float) -> None:
    """JSON has no NaN and no infinity, so neither is ever written."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json([replace(report, seconds=seconds)])
