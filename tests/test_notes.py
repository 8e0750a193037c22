"""What a student's process notes becomes sentences, bounded, and none of it is believed."""

from __future__ import annotations

from typing import Any

import pytest

from grader.notes import MOST, describe_missing, merge_notes, read_notes

PLACES = ["cell 1", "cell 2"]


@pytest.mark.parametrize(
    ("note", "sentence"),
    [
        ([0, 2, "failed", "KeyError: 'x'"], "cell 1, line 2 raised KeyError: 'x' and was passed over."),
        ([1, 3, "syntax", "bad"], "cell 2 was passed over, because line 3 is not Python: bad."),
        ([1, 1, "skipped", "bash"], "cell 2 was passed over, because it is for %%bash."),
        ([0, 1, "ignored", ""], "cell 1: 1 magic or shell line was ignored."),
        ([0, 2, "ignored", ""], "cell 1: 2 magic or shell lines were ignored."),
        ([0, 2, "failed", "a\nb\r c"], "cell 1, line 2 raised a b c and was passed over."),
        ([0, 2, "failed", "x" * 9999], f"cell 1, line 2 raised {'x' * 300} and was passed over."),
    ],
)
def test_each_note_is_a_sentence(note: list[object], sentence: str) -> None:
    """A note says what was passed over, where, and why, on one line."""
    assert [sentence] == read_notes({"notes": [note]}, PLACES)


def test_absent_modules_are_named() -> None:
    """For each module that is not installed there is a sentence, after the notes."""
    told = {"absent": ["numpy", "torch"], "notes": [[0, 1, "ignored", ""]]}

    assert [
        "cell 1: 1 magic or shell line was ignored.",
        "numpy is not installed where your code is graded; what you ask of it does nothing here.",
        "torch is not installed where your code is graded; what you ask of it does nothing here.",
    ] == read_notes(told, PLACES)


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"notes": None, "absent": 7},
        {"notes": "failed", "absent": "numpy"},
        {"notes": [7, [], [0, 1, "failed"], [0, 1, "failed", 7], [True, 1, "failed", ""], [0, "1", "failed", ""]]},
        {"notes": [[-1, 1, "failed", ""], [2, 1, "failed", ""], [0, 1, "passed", ""], [[], 1, "failed", ""]]},
        {"absent": [7, None, "", "not a name", "a.b", "x" * 51, "\x1b[31m", ["numpy"]]},
    ],
)
def test_what_is_no_note_is_passed_over(told: dict[str, object]) -> None:
    """Whatever cannot be read says nothing."""
    assert [] == read_notes(told, PLACES)


def test_notes_without_number() -> None:
    """A million notes are no more than a few, and are said to be more."""
    told: dict[str, Any] = {"notes": [[0, number, "failed", "E"] for number in range(1, 1_000_000)]}
    merged = merge_notes([], read_notes(told, PLACES))

    assert MOST == len(merged)
    assert "There is more of this kind, which is not shown." == merged[-1]
    assert merged == merge_notes(merged, merged[:5])


def test_notes_are_told_once() -> None:
    """What has been said is not said again."""
    assert ["a", "b", "c"] == merge_notes(["a", "b"], ["b", "c", "c"])


# --------------------------------------------------------------------------------------------------------------------
# What a file lacks

SCALAR = ["Scalar", ["v", "grad", "backward"]]


@pytest.mark.parametrize(
    ("names", "missing", "classes", "sentence"),
    [
        (
            {"Value": ("data", "grad", "backward")},
            [["Value", ["data", "grad", "backward"]]],
            [["Neuron", ["w", "b"]], SCALAR],
            "value.py defines `Scalar` with `v`, `grad` and `backward`; the exercise asks for `Value` with `data`.",
        ),
        (
            {"Value": ("data", "grad")},
            [["Value", ["data"]]],
            [SCALAR, ["Value", ["v", "grad"]]],
            "value.py defines `Value` with `v` and `grad`; the exercise asks for `Value` with `data`.",
        ),
        ({"Value": ()}, [["Value", []]], [], "value.py defines no class; the exercise asks for `Value`."),
        ({"Value": ("data",)}, [["Value", ["data"]]], [], "value.py defines no class; the exercise asks for `Value`."),
        (
            {"V": (), "La": ()},
            [["V", []], ["La", []]],
            [["val", ["a", "b", "c", "d", "e", "f"]], ["L", []]],
            "value.py defines `val` with `a`, `b`, `c`, `d` and `e`, and `L`; the exercise asks for `V`, and for `La`.",
        ),
        ({"Value": ()}, [], [SCALAR], ""),
    ],
)
def test_what_is_missing_is_said(
    names: dict[str, tuple[str, ...]], missing: list[object], classes: list[object], sentence: str
) -> None:
    """One sentence says what the file has that comes closest, and what of it the exercise asks for otherwise."""
    assert sentence == describe_missing("value.py", names, {"missing": missing, "classes": classes})


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({}, ""),
        ({"missing": 7, "classes": 7}, ""),
        ({"missing": [7, [], ["Value"], [7, []], ["Other", []], ["\x1b", []]]}, ""),
        ({"missing": [["Value", 7]], "classes": [["a b", []], [7, 7], ["x" * 51, []]]}, "value.py defines no class; "),
        (
            {"missing": [["Value", ["__init__", 7, "x"]]], "classes": [["A", [7, "a b", "c"]]]},
            "value.py defines `A` with `c`; ",
        ),
    ],
)
def test_what_is_no_survey_says_nothing(told: dict[str, object], sentence: str) -> None:
    """Of a survey only names are read, and of those that are missing only what the exercise asks for."""
    said = describe_missing("value.py", {"Value": ("data",)}, told)

    assert (sentence and f"{sentence}the exercise asks for `Value`.") == said
