"""What a check did is shown as the student would have typed it, and typed in it does the same."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.stand_in import Engine, Recorder
from grader.transcript import transcribe

if TYPE_CHECKING:
    from collections.abc import Callable


class Symbol:
    """A value that is nothing but how it was made; lasts as long as its test."""

    def __init__(self, *made_of: object, **named: object) -> None:
        self.made_of = (made_of, named)

    def __repr__(self) -> str:
        return f"Symbol{self.made_of}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symbol) and self.made_of == other.made_of

    __hash__ = None  # type: ignore[assignment]  # it is never in a set

    def __getitem__(self, key: object) -> Symbol:
        return Symbol("getitem", self, key)

    def method(self, *arguments: object, **named: object) -> Symbol:
        """Return the call of a method."""
        return Symbol("method", self, *arguments, **named)


UNARY = ("neg", "pos", "invert")
BINARY = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and_", "or_", "xor")


def _define(name: str) -> None:
    plain = name.removesuffix("_")
    setattr(Symbol, f"__{plain}__", lambda *operands: Symbol(name, *operands))
    setattr(Symbol, f"__r{plain}__", lambda mine, other: Symbol(name, other, mine))


for _name in (*UNARY, *BINARY):
    _define(_name)


def recorded(check: Callable[[Any], object]) -> list[str]:
    """Return the transcript of a check whose values are all objects; its labels are what it returns, if it does."""
    recorder = Recorder(lambda _, wanted: [{"r": -1, "o": "Symbol"} for _ in wanted])
    returned = check(Engine(recorder))
    return transcribe(recorder.history, returned if isinstance(returned, dict) else {})


def in_place(name: str, changed: Any, by: object) -> Any:
    """Carry out an operation in place."""
    return getattr(operator, f"i{name}")(changed, by)


# --------------------------------------------------------------------------------------------------------------------
# How it looks


def test_labels_name_variables() -> None:
    """A value whose attributes a check returns under `"x.data"` is called x."""

    def check(engine: Any) -> object:
        x = engine.Value(3.0)
        y = x**2
        y.backward()
        return {"y.data": y.data, "x.grad": x.grad}

    assert ["x = Value(3.0)", "y = x ** 2", "y.backward()", "y.data", "x.grad"] == recorded(check)


def test_without_labels_variables_are_letters() -> None:
    """What has no name is called a, b, c and so on; what is used once stands where it is used."""

    def check(engine: Any) -> object:
        x, y = engine.Value(3.0), engine.Value(-2.0)
        z = (x * y + x.tanh()) * 2
        return z.backward(), x.grad

    assert [
        "a = Value(3.0)",
        "b = Value(-2.0)",
        "c = a.tanh()",
        "((a * b + c) * 2).backward()",
        "a.grad",
    ] == recorded(check)


@pytest.mark.parametrize(
    "labels",
    [
        {"y.data": None},
        {"y.data": 1.0},
        {"y": "x.grad"},
        {"the gradient": "x.grad"},
        {"x.data": "x.grad"},
        {"x.grad + 1": "x.grad"},
        {"1x.grad": "x.grad"},
        {"x.y.grad": "x.grad"},
        {3: "x.grad"},
    ],
)
def test_other_labels_name_nothing(labels: dict[Any, object]) -> None:
    """A label that is not the name of just that attribute names no variable."""

    def check(engine: Any) -> object:
        grad = engine.Value(3.0).grad
        return {str(label): grad if value == "x.grad" else value for label, value in labels.items()}

    assert ["a = Value(3.0)", "a.grad"] == recorded(check)


def test_a_label_keeps_its_letter() -> None:
    """A letter that is a label's is given to nothing else, and the first label of a value counts."""

    def check(engine: Any) -> object:
        first, second = engine.Value(1.0), engine.Value(2.0)
        return {"a.data": second.data, "z.grad": second.grad, "b.data": first.data}

    assert ["b = Value(1.0)", "a = Value(2.0)", "a.data", "a.grad", "b.data"] == recorded(check)

    def other_check(engine: Any) -> object:
        first, second = engine.Value(1.0), engine.Value(2.0)
        return {"a.data": second.data, "": first.data}

    assert ["b = Value(1.0)", "a = Value(2.0)", "a.data", "b.data"] == recorded(other_check)


@pytest.mark.parametrize(
    ("check", "line"),
    [
        (lambda a: a**-1, "a ** -1"),
        (lambda a: a**-0.5, "a ** -0.5"),
        (lambda a: (-2.0) ** a, "(-2.0) ** a"),
        (lambda a: -(a**2), "-a ** 2"),
        (lambda a: (-a) ** 2, "(-a) ** 2"),
        (lambda a: 2 ** (a**3), "2 ** a ** 3"),
        (lambda a: (a**2) ** 3, "(a ** 2) ** 3"),
        (lambda a: a - (2 - a), "a - (2 - a)"),
        (lambda a: a - 2 - a, "a - 2 - a"),
        (lambda a: a + -a, "a + -a"),
        (lambda a: a / (2 * a), "a / (2 * a)"),
        (lambda a: a * (a + 1) % 3, "a * (a + 1) % 3"),
        (lambda a: ~a & (a | 1) ^ (a << 2), "~a & (a | 1) ^ a << 2"),
        (lambda a: (a + 1).relu(), "(a + 1).relu()"),
        (lambda a: (-a).relu(), "(-a).relu()"),
        (lambda a: (a + 1)[0], "(a + 1)[0]"),
        (lambda a: a(a, 1, by=[a, (a,), (1, a)], names={"a": -a, 1: None}),
         "a(a, 1, by=[a, (a,), (1, a)], names={'a': -a, 1: None})"),
        (lambda a: a("it's", x=()), 'a("it\'s", x=())'),
        (abs, "abs(a)"),
        (lambda a: in_place("add", a, 1), "a + 1"),
        (lambda a: in_place("pow", a, 2), "a ** 2"),
        (lambda a: in_place("and", a, 2), "a & 2"),
        (lambda a: operator.matmul(a, a), "a @ a"),
        (lambda a: a + 2**200, f"a + {2**200:#x}"),
        (lambda a: a * -(2**16_000), f"a * -{2**16_000:#x}"),
        (lambda a: setattr(a, "data", a + 1), "a.data = a + 1"),
        (lambda a: operator.setitem(a, -1, a[0]), "a[-1] = a[0]"),
        (lambda a: operator.delitem(a, a), "del a[a]"),
    ],
)  # fmt: skip
def test_operations_look_as_they_are_typed(check: Callable[[Any], object], line: str) -> None:
    """Operators, calls, items and assignments are written as in Python, with no more parentheses than it takes."""
    assert [line] == recorded(lambda engine: check(engine.a))


def test_what_is_used_twice_has_a_name() -> None:
    """A value that is used again, and the result of a call, is a variable."""

    def check(engine: Any) -> object:
        x = engine.Value(1.0)
        y = x + 1
        return engine.loss(y, y * 2, of=engine.MLP(2, [8, 1])).backward()

    assert [
        "a = Value(1.0)",
        "b = a + 1",
        "c = MLP(2, [8, 1])",
        "d = loss(b, b * 2, of=c)",
        "d.backward()",
    ] == recorded(check)


def test_there_is_a_name_for_everything() -> None:
    """After the letters come numbers."""

    def check(engine: Any) -> object:
        return [engine.f(engine.f(number)) for number in range(27)]

    lines = recorded(check)

    assert ["z = f(25)", "f(z)"] == lines[50:52]
    assert lines[52].startswith("v")
    assert f"f({lines[52].split()[0]})" == lines[53]


def test_what_came_in_a_list_has_a_name_too() -> None:
    """An object that was found in a list is a variable, though nothing made it; so is the list that it was found in."""
    answers: list[list[object]] = [[[{"r": -number, "o": "Value"} for number in range(1, 30)]]]
    recorder = Recorder(lambda *_: answers.pop())
    engine: Any = Engine(recorder)
    total = 0
    for parameter in engine.parameters():
        total = parameter * 2 + total

    lines = transcribe(recorder.history, {})

    assert ["a = parameters()", "list(a)"] == lines[:2]
    assert lines[2].startswith("v_29 * 2 + (v_28 * 2 + (v_27 * 2 + (v_26 * 2 + (z * 2 + (")
    assert lines[2].endswith("(b * 2 + 0)" + ")" * 27)


# --------------------------------------------------------------------------------------------------------------------
# A law

CONSTANTS = st.sampled_from([2, -1, 0.5, -3.0, True, None, "a", 2**300, -(2**300), (), (1,), {"k": -1}])
STEPS = st.lists(
    st.tuples(
        st.sampled_from([*UNARY, *BINARY, *BINARY, "reflected", "method", "item", "call", "forget"]),
        st.integers(0, 9),
        st.integers(0, 9),
        st.sampled_from(BINARY),
        CONSTANTS,
    ),
    max_size=12,
)


def run(steps: list[tuple[str, int, int, str, Any]], engine: Any) -> Any:
    """Run a drawn program on either side; its last value is made of all that it did."""
    values = [engine.Value(1), engine.Value(-2.0, [], label="b")]
    for kind, first, second, name, constant in steps:
        one, two = values[first % len(values)], values[second % len(values)]
        number = constant if isinstance(constant, int | float) else 7
        match kind:
            case "reflected":
                values.append(getattr(operator, name)(number, one))
            case "method":
                values.append(one.method(two, constant, named=[one, (two,), {"k": one}]))
            case "item":
                values.append(one[constant])
            case "call":
                values.append(engine.Value(constant, one))
            case "forget":
                operator.add(one, two)
            case _ if kind in UNARY:
                values.append(getattr(operator, kind)(one))
            case _:
                values.append(getattr(operator, kind)(one, two if second % 2 else number))
    return engine.Value(values)


@given(STEPS)
def test_a_transcript_does_what_it_shows(steps: list[tuple[str, int, int, str, Any]]) -> None:
    """Typed into an interpreter, a transcript makes just what was made."""

    class Module:
        Value = Symbol

    expected = run(steps, Module)
    lines = recorded(lambda engine: {"result.data": run(steps, engine).data})

    namespace: dict[str, Any] = {"Value": Symbol}
    assert "result.data" == lines.pop()
    exec("\n".join(lines), namespace)  # noqa: S102  # that is the question

    assert expected == namespace["result"]
