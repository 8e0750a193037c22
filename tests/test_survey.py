"""What classes a module has and lacks is found out without hitting an engine that is only made another way."""

from __future__ import annotations

import textwrap
from types import ModuleType

import pytest

from grader.sandbox.survey import survey

ASKED = {"Value": ["data", "grad", "backward"]}


def found(source: str, names: dict[str, list[str]]) -> dict[str, object]:
    """Survey a module made of a source."""
    module = ModuleType("value")
    exec(textwrap.dedent(source), module.__dict__)  # noqa: S102  # the test's own
    return survey(module, names, {"value", "sibling"})


HONEST = """
    class Value:
        def __init__(self, data):
            self.data, self.grad = data, 0.0

        def backward(self):
            pass
"""


@pytest.mark.parametrize(
    "source",
    [
        HONEST,
        f"{HONEST}\n    Scalar, Value = Value, lambda data: Scalar(data)\n",
        """
        class Value:
            __slots__ = ("data", "grad")

            def __init__(self, data):
                self.data = data

            def __add__(self, other):
                return Value(self.data + other.data)

            def backward(self):
                self.grad = 1.0
        """,
        """
        class Value:
            def __init__(self, data, *parents):
                self.data, self.parents = data, parents

            def __add__(self, other):
                return Value(self.data + other.data, self, other)

            def backward(self):
                for parent in self.parents:
                    parent.grad = getattr(parent, "grad", 0.0) + 1.0
        """,
    ],
)
def test_what_an_engine_has_sooner_or_later(source: str) -> None:
    """An attribute may be there from the start, or only when something has been passed back, to either end."""
    assert {"missing": []} == found(source, ASKED)


@pytest.mark.parametrize(
    "source",
    [
        "class Value:\n    def __init__(self, data, parents): pass",
        "class Value:\n    def __init__(self, data): assert isinstance(data, int)",
        "class Value:\n    def __init__(self, data): raise SystemExit",
        "class Value:\n    def __init__(self, data): self.data = data\n    def backward(self): self.grad = 1.0",
        "class Value:\n    data = property(lambda self: 1 / 0)\n    def __init__(self, data): pass",
        "Value = 3",
    ],
)
def test_what_is_odd_is_raised(source: str) -> None:
    """Where an instance cannot be made or used that way, nobody can tell, and the survey ends."""
    with pytest.raises(BaseException):  # noqa: B017, PT011  # whatever it raises
        found(source, ASKED)


def test_classes_without_attributes_are_only_looked_for() -> None:
    """No instance is made of a class that is asked for without attributes."""
    assert {"missing": []} == found("class Value:\n    def __init__(self): raise ValueError", {"Value": []})


def test_what_is_missing_is_told_with_what_is_there() -> None:
    """The student's own classes are told with their public members, attributes first, then what is asked for."""
    source = """
        from collections import OrderedDict

        class Sibling:
            pass

        Sibling.__module__ = "sibling"

        class Mistake(Exception):
            pass

        class Scalar:
            def __init__(self, v):
                self.v, self.grad, self._prev = v, 0.0, ()

            def tanh(self): ...

            def backward(self): ...

        class Odd:
            def __init__(self): ...

            data = 3
    """

    assert {
        "missing": [["Value", ["data", "grad", "backward"]]],
        "classes": [["Sibling", []], ["Scalar", ["v", "grad", "backward", "tanh"]], ["Odd", ["data"]]],
    } == found(source, ASKED)


def test_what_an_instance_lacks_is_told() -> None:
    """Of a class that is there only what its instances lack is missing."""
    source = "class Value:\n    def __init__(self, x):\n        self.x = self.grad = x\n"

    assert {"missing": [["Value", ["data", "backward"]]], "classes": [["Value", ["x", "grad"]]]} == found(source, ASKED)


def test_a_survey_is_bounded() -> None:
    """Of very many classes and members the first are told."""
    long = "x" * 1000
    members = "".join(f"    m{number}{long} = 1\n" for number in range(100))
    told = found("".join(f"class C{number}{long}:\n{members}" for number in range(100)), ASKED)
    classes = told["classes"]

    assert isinstance(classes, list)
    assert (8, 12, 50, 50) == (len(classes), len(classes[0][1]), len(classes[0][0]), len(classes[0][1][0]))
