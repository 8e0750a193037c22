"""What a check does in the student's process is what Python does, and what is no answer is told instead of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from grader.sandbox import wire

if TYPE_CHECKING:
    from grader.sandbox.objects import Objects
    from tests.conftest import Load


def answered(objects: Objects, **request: object) -> dict[str, Any]:
    """Return what a request is answered."""
    received = wire.FrameBuffer(wire.MAX_REPLY_BYTES)
    received.feed(objects.answer({"id": "x", **request}))
    taken = received.take()
    assert taken
    return wire.parse(taken[1])


def test_operations(loaded: Load) -> None:
    """Each operation does what Python does."""
    source = "class A:\n    x = 1\n\ndef twice(x, by=2):\n    return by * x\n\na = A()\nitems = iter('ab')\n"
    _, objects = loaded(source)
    operations = [
        ["global", 1, "a"],
        ["set", 2, {"r": 1}, "x", 5],
        ["get", 3, {"r": 1}, "x"],
        ["global", 4, "twice"],
        ["call", 5, {"r": 4}, [{"r": 3}], {"d": [["by", 3]]}],
        ["global", 6, "items"],
        ["list", 7, {"r": 6}],
        ["global", 8, "A"],
        ["isinstance", 9, {"r": 1}, {"r": 8}],
        ["repr", 10, {"r": 3}],
        ["add", 11, {"r": 3}, 1],
    ]
    values = [None, 5, 15, ["a", "b"], True, "5", 6, {"r": -1, "o": "A"}]

    cases = [[operations, [2, 3, 5, 7, 9, 10, 11, 1]], [[["get", 12, {"r": 1}, "x"]], [12]]]

    assert {"id": "x", "values": [values, [5]]} == answered(objects, cases=cases)
    assert {"id": "x"} == answered(objects, variant=1)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = iter(int, 1)", "the answer cannot be read: it has more than 10000 items"),
        ("x = ['x' * 300_000] * 5", "the answer cannot be read: it takes"),
        ("", "loaded_here.py defines no name 'x'"),
        ("import nowhere\nx = nowhere.x", "No module named 'nowhere': it is not installed here"),
        ("import nowhere\nx = [nowhere.x]", "No module named 'nowhere': it is not installed here"),
        ("import nowhere as x", "No module named 'nowhere': it is not installed here"),
    ],
)
def test_answers_that_cannot_be_given(loaded: Load, source: str, told: str) -> None:
    """What has no end, is too large, is not there or stands in for what is not there is told instead of an answer."""
    _, objects = loaded(source)
    raised = answered(objects, cases=[[[["global", 1, "x"], ["list", 2, {"r": 1}]], [2]]])["raised"]

    assert raised["message"].startswith(told)


@pytest.mark.parametrize("operation", ["len", "bool", "str", "repr", "neg", "get", "call"])
def test_nothing_is_asked_of_a_stand_in(loaded: Load, operation: str) -> None:
    """A check that comes upon a stand-in is told so at once, whatever it does with it."""
    arguments: dict[str, list[Any]] = {"get": ["data"], "call": [[], {"d": []}]}
    _, objects = loaded("import nowhere\n\ndef f():\n    return nowhere.tanh(1)\n")
    operations = [
        ["global", 1, "f"],
        ["call", 2, {"r": 1}, [], {"d": []}],
        [operation, 3, {"r": 2}, *arguments.get(operation, [])],
    ]
    raised = answered(objects, cases=[[operations, []]])["raised"]

    assert "ModuleNotFoundError" == raised["type"]


def test_a_survey_is_answered(loaded: Load) -> None:
    """A survey tells what is missing, or what the student's code raised meanwhile."""
    _, objects = loaded("class Value:\n    def __init__(self, data):\n        self.data = 1 / data\n")

    assert {"id": "x", "missing": []} == answered(objects, names={"Value": ["data"]})
    _, objects = loaded("class Value:\n    def __init__(self, data):\n        raise ValueError\n")
    assert "ValueError" == answered(objects, names={"Value": ["data"]})["raised"]["type"]
