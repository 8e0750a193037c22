"""The record of a run is read back as it was written, and nothing else is taken for one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.record import read_outcomes
from grader.reports.json_record import to_json
from grader.verdict import Absent, Provenance, Report, Result, Ungraded, Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from grader.verdict import Outcome

TEXTS = st.text(st.characters(codec="utf-8"), max_size=6) | st.sampled_from(["=1+1", "\0\x1b", "\u202e", "Müller, Jr."])
XP = st.integers(0, 1_000_000)
SECONDS = st.floats(0, 1e6)
RESULTS = st.builds(
    Result, TEXTS, TEXTS, st.booleans(), st.sampled_from(Verdict), XP, TEXTS, TEXTS, TEXTS, seconds=SECONDS
)
PROVENANCES = st.builds(
    Provenance, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, st.dictionaries(TEXTS, TEXTS).map(lambda each: tuple(each.items()))
)
REPORTS = st.builds(
    Report,
    *(TEXTS, TEXTS, TEXTS, TEXTS, XP),
    st.lists(RESULTS, max_size=3).map(tuple),
    PROVENANCES,
    st.lists(TEXTS, max_size=2).map(tuple),
    SECONDS,
    TEXTS,
    TEXTS,
)
OUTCOMES = st.lists(
    REPORTS | st.builds(Ungraded, TEXTS, TEXTS, TEXTS) | st.builds(Absent, TEXTS, TEXTS),
    min_size=1,
    max_size=4,
    unique_by=lambda outcome: (outcome.student, outcome.exercise),
)


@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)  # each example writes the file anew
@given(OUTCOMES)
def test_what_was_written_is_read(tmp_path: Path, outcomes: list[Outcome]) -> None:
    """Every text, number and time comes back."""
    (file := tmp_path / "results.json").write_text("".join(to_json(outcomes)), "utf-8")
    read = read_outcomes(file)

    assert sorted(map(repr, outcomes)) == sorted(map(repr, read))


def test_folder(results: Path) -> None:
    """The folder that was graded into may be named instead of the record in it."""
    assert read_outcomes(results) == read_outcomes(results / "results.json")


@pytest.fixture
def record(results: Path) -> dict[str, Any]:
    """A record, to be spoilt."""
    read = json.loads((results / "results.json").read_text("utf-8"))
    assert isinstance(read, dict)
    return read


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (["schema"], 2, "its schema is 2, and this grader reads 1"),
        (["schema"], True, "schema is not a whole number"),
        (["outcomes"], {}, "outcomes is not a list"),
        (["outcomes"], [], "it has no outcomes"),
        (["outcomes", 0], "ada", r"outcomes\[0\] is not an object"),
        (["outcomes", 0, "student"], 501, r"outcomes\[0\]\.student is not a text"),
        (["outcomes", 0, "student"], "\ud800", r"outcomes\[0\]\.student is no text that UTF-8 can hold"),
        (["outcomes", 0, "state"], "lost", r"outcomes\[0\]\.state is none that there is: 'lost'"),
        (["outcomes", 0, "xp"], 25, r"outcomes\[0\]\.xp is 25, and its checks earned 4"),
        (["outcomes", 0, "xp"], 4.0, r"outcomes\[0\]\.xp is not a whole number"),
        (["outcomes", 0, "total_xp"], -1, r"outcomes\[0\]\.total_xp is not from 0 to 1,000,000,000"),
        (["outcomes", 0, "seconds"], -1, r"outcomes\[0\]\.seconds is no time"),
        (["outcomes", 0, "seconds"], "1", r"outcomes\[0\]\.seconds is not a number"),
        (["outcomes", 0, "notes"], [None], r"outcomes\[0\]\.notes\[0\] is not a text"),
        (["outcomes", 0, "checks", 1, "hidden"], 1, r"outcomes\[0\]\.checks\[1\]\.hidden is not true or false"),
        (["outcomes", 0, "checks", 1, "verdict"], "won", r"outcomes\[0\]\.checks\[1\]\.verdict is no verdict: 'won'"),
        (["outcomes", 0, "provenance", "versions"], [], r"outcomes\[0\]\.provenance\.versions is not an object"),
        (["outcomes", 1, "exercise"], "fit", r"outcomes\[1\] is the second of '501' for 'fit'"),
    ],
)
def test_another_form(results: Path, record: dict[str, Any], place: list[Any], value: object, said: str) -> None:
    """What is not of the record's form is refused with its place in the record."""
    part: Any = record
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    (results / "results.json").write_text(json.dumps(record), "utf-8")

    with pytest.raises(SubmissionError, match=rf"results\.json is no record of results: {said}"):
        read_outcomes(results)


def test_a_field_that_is_missing(results: Path, record: dict[str, Any]) -> None:
    """So is what lacks something."""
    del record["outcomes"][0]["checks"][0]["worth"]
    (results / "results.json").write_text(json.dumps(record), "utf-8")

    with pytest.raises(SubmissionError, match=r"outcomes\[0\]\.checks\[0\]\.worth is missing; name a results\.json as"):
        read_outcomes(results)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "Expecting value"),
        (b"\xff", "can't decode"),
        (b'{"schema": 1, "schema": 1}', "a name is twice in one object"),
        (b'{"schema": NaN}', "NaN is no JSON"),
        (b'{"schema": ' + b"9" * 5000 + b"}", "Exceeds the limit"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b"[]", "it is not an object"),
        (
            b'{"schema": 1, "outcomes": [{"student": "a", "exercise": "b", "state": "ungraded", "reason": 1e999}]}',
            "rea",
        ),
    ],
)
def test_no_record(results: Path, data: bytes, said: str) -> None:
    """Nor is anything else taken for a record, however it is made."""
    (results / "results.json").write_bytes(data)

    with pytest.raises(SubmissionError, match=f"is no record of results: .*{said}"):
        read_outcomes(results)


def test_no_file(tmp_path: Path) -> None:
    """A folder without a record is told with the next step."""
    with pytest.raises(SubmissionError, match=r"results\.json cannot be read \(No such file or directory\); name"):
        read_outcomes(tmp_path)


def test_too_large(tmp_path: Path) -> None:
    """A record is read up to a bound."""
    with (tmp_path / "results.json").open("wb") as file:
        file.truncate(256 * 1024 * 1024 + 1)

    with pytest.raises(SubmissionError, match=r"results\.json is larger than 256 MiB; grade the exercises one"):
        read_outcomes(tmp_path)
