"""The reference engine: the lesson's numbers, the stated conventions, and differences at high precision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import mpmath  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.engine import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def test_lesson_expression() -> None:
    """With a, b, c = 2, -3, 10, `a * b + c` is 4 and the gradients are -3, 2 and 1."""
    a, b, c = Value(2.0), Value(-3.0), Value(10.0)
    result = a * b + c
    result.backward()

    assert (4.0, -3.0, 2.0, 1.0) == (result.data, a.grad, b.grad, c.grad)


def test_lesson_neuron() -> None:
    """The lesson's neuron, its loss and its gradients come out as the lesson prints them."""
    w, x, b, y = Value(0.5), Value(2.0), Value(-0.3), Value(1.0)
    p = (w * x + b).tanh()
    loss = (p - y) ** 2
    loss.backward()

    assert ["0.6044", "0.1565"] == [f"{number:.4f}" for number in (p.data, loss.data)]
    assert ["-1.0045", "-0.5022", "-0.2511"] == [f"{leaf.grad:.4f}" for leaf in (w, b, x)]


def test_data_is_a_float() -> None:
    """Whatever number is given, `data` is a float, and so is what is computed from it."""
    x = Value(3)

    assert ["3.0", "0.0", "4.0"] == [repr(number) for number in (x.data, x.grad, (x + 1).data)]
    assert "1.0" == repr((x**0).data)
    assert "0.0" == repr(Value(-1).relu().data)


def test_repr_shows_both_numbers() -> None:
    """A value shows its number and its gradient."""
    x = Value(2)
    (x * 3).backward()

    assert "Value(data=2.0, grad=3.0)" == repr(x)


def test_values_are_small() -> None:
    """A value has slots alone, so it is small and a misspelt attribute is an error."""
    assert not hasattr(Value(1.0), "__dict__")


@pytest.mark.parametrize(
    ("expression", "data", "grad"),
    [
        (lambda x: 2 + x, 5.0, 1.0),
        (lambda x: 2 * x, 6.0, 2.0),
        (lambda x: 2 - x, -1.0, -1.0),
        (lambda x: 6 / x, 2.0, -6 / 9),
        (lambda x: x + 2, 5.0, 1.0),
        (lambda x: x * 2, 6.0, 2.0),
        (lambda x: x - 2, 1.0, 1.0),
        (lambda x: x / 2, 1.5, 0.5),
        (lambda x: -x, -3.0, -1.0),
        (lambda x: sum([x, x, x]), 9.0, 3.0),
        (lambda x: x.exp(), math.exp(3), math.exp(3)),
        (lambda x: x.log(), math.log(3), 1 / 3),
    ],
)
def test_operations(expression: Callable[[Value], Value], data: float, grad: float) -> None:
    """Plain numbers stand on either side of an operator, and each operation has its textbook derivative."""
    x = Value(3.0)
    y = expression(x)
    y.backward()

    assert pytest.approx(data, rel=1e-15) == y.data
    assert pytest.approx(grad, rel=1e-15) == x.grad


@pytest.mark.parametrize("wrong", ["2", None, 1j, [1.0]])
def test_only_numbers(wrong: Any) -> None:
    """A value holds a number, and an operand that is none is refused."""
    with pytest.raises(TypeError, match="a Value holds a number"):
        Value(wrong)
    with pytest.raises(TypeError, match="a Value holds a number"):
        Value(1.0) + wrong


@pytest.mark.parametrize(
    ("base", "exponent", "data", "grad"),
    [
        (3.0, 2, 9.0, 6.0),
        (-1.5, 3, -3.375, 6.75),
        (2.0, -1, 0.5, -0.25),
        (-2.0, -2, 0.25, 0.25),
        (4.0, 0.5, 2.0, 0.25),
        (4.0, -0.5, 0.5, -0.0625),
        (-2.0, 2.0, 4.0, -4.0),
        (5.0, 1, 5.0, 1.0),
        (0.0, 1, 0.0, 1.0),
        (0.0, 2, 0.0, 0.0),
        (0.0, 1.5, 0.0, 0.0),
        (7.0, 0, 1.0, 0.0),
        (-7.0, 0, 1.0, 0.0),
        (0.0, 0, 1.0, 0.0),
        (0.0, 0.5, 0.0, math.inf),
    ],
)
def test_power(base: float, exponent: float, data: float, grad: float) -> None:
    """A power passes back `n * x ** (n - 1)`: 0 where n is 0, even at x = 0; infinity where vertical."""
    x = Value(base)
    y = x**exponent
    y.backward()

    assert (data, grad) == (y.data, x.grad)


@pytest.mark.parametrize(
    ("base", "exponent", "error"),
    [
        (0.0, -1, ZeroDivisionError),
        (0.0, -0.5, ZeroDivisionError),
        (-2.0, 0.5, ValueError),
        (1e200, 2, OverflowError),
    ],
)
def test_impossible_power(base: float, exponent: float, error: type[Exception]) -> None:
    """A power that is no real number, or too large a one, is an error."""
    with pytest.raises(error):
        Value(base) ** exponent


@pytest.mark.parametrize("exponent", [Value(2.0), "2", None])
def test_exponent_is_a_constant(exponent: Any) -> None:
    """An exponent that is no plain number is refused."""
    with pytest.raises(TypeError, match="the exponent must be a constant number"):
        Value(2.0) ** exponent


def test_value_as_exponent_of_a_number() -> None:
    """A number to the power of a value is refused as well."""
    number: Any = 2

    with pytest.raises(TypeError, match="unsupported operand"):
        number ** Value(3.0)


def test_division_by_zero() -> None:
    """Division by 0 is the error that it is for plain numbers."""
    with pytest.raises(ZeroDivisionError):
        1 / Value(0.0)


@pytest.mark.parametrize("data", [0.0, -1.0])
def test_log_of_what_has_none(data: float) -> None:
    """Only a positive number has a logarithm."""
    with pytest.raises(ValueError, match="math domain error"):
        Value(data).log()


def test_exp_of_too_much() -> None:
    """An exponential that no float can hold is an error."""
    with pytest.raises(OverflowError):
        Value(1000.0).exp()


@pytest.mark.parametrize(
    ("data", "result", "grad"), [(2.0, 2.0, 1.0), (-2.0, 0.0, 0.0), (0.0, 0.0, 0.0), (-0.0, 0.0, 0.0)]
)
def test_relu(data: float, result: float, grad: float) -> None:
    """Relu passes the gradient on where its input is positive; at 0 it passes none."""
    x = Value(data)
    y = x.relu()
    y.backward()

    assert (result, grad) == (y.data, x.grad)


def test_relu_keeps_nan() -> None:
    """Relu does not turn what is no number into one."""
    assert math.isnan(Value(math.nan).relu().data)


@pytest.mark.parametrize(
    ("expression", "data", "grad"),
    [
        (lambda x: x + x, 6.0, 2.0),
        (lambda x: x * x, 9.0, 6.0),
        (lambda x: x - x, 0.0, 0.0),
        (lambda x: x / x, 1.0, 0.0),
        (lambda x: x**3 * x, 81.0, 108.0),
        (lambda x: x**2 + x, 12.0, 7.0),
        (lambda x: (-2 * x).relu() + x, 3.0, 1.0),
        (lambda x: x - x.relu(), 0.0, 0.0),
    ],
)
def test_value_used_again(expression: Callable[[Value], Value], data: float, grad: float) -> None:
    """A value used more than once gets the sum of what each use passes back."""
    x = Value(3.0)
    y = expression(x)
    y.backward()

    assert pytest.approx(data) == y.data
    assert pytest.approx(grad) == x.grad


def test_gradient_is_passed_on_once_complete() -> None:
    """A value hears from all its uses before it passes its gradient on, near and far ones alike."""
    a = Value(1.5)
    b = a + a
    c = b * b
    d = c * b + c
    d.backward()

    assert (66.0, 33.0, 4.0) == (a.grad, b.grad, c.grad)


def test_leaves_add_up_and_the_rest_is_fresh() -> None:
    """Each `backward` adds to the leaves alone, so twice the same is twice the gradient."""
    x = Value(3.0)
    y = x * x
    z = y * 2
    z.backward()
    z.backward()

    assert (24.0, 2.0, 1.0) == (x.grad, y.grad, z.grad)


def test_two_results_of_a_shared_part() -> None:
    """The gradients of two results with a part in common add up in the leaf to that of their sum."""
    x = Value(3.0)
    shared = x * x
    (shared * 2).backward()
    (shared * 5).backward()

    assert 42.0 == x.grad


def test_backward_of_a_leaf() -> None:
    """A leaf's derivative with respect to itself is 1, and adds up as from any other result."""
    x = Value(3.0)
    x.backward()
    assert 1.0 == x.grad

    x.backward()
    assert 2.0 == x.grad


def test_later_assignment_changes_nothing_made() -> None:
    """An expression keeps the slopes of the numbers that it was made from."""
    a, b = Value(2.0), Value(3.0)
    c = a * b
    a.data = 100.0
    c.backward()

    assert (6.0, 3.0, 2.0) == (c.data, a.grad, b.grad)


def test_long_chain() -> None:
    """A chain of 100,000 operations is built, passed through and thrown away without recursion."""
    x = Value(1.0)
    y = x
    for _ in range(100_000):
        y = y + x
    y.backward()

    assert (100_001.0, 100_001.0) == (y.data, x.grad)
    del y


def test_deep_sharing() -> None:
    """Work grows with the number of values, not with that of the paths, here 2 ** 1000."""
    x = Value(1.0)
    y = x
    for _ in range(1000):
        y = (y + y) * 0.5
    y.backward()

    assert (1.0, 1.0) == (y.data, x.grad)


# Random expressions, against central differences at high precision.

OPERATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "x + y": lambda x, y, _: x + y,
    "x - y": lambda x, y, _: x - y,
    "x * y": lambda x, y, _: x * y,
    "x / y": lambda x, y, _: x / y,
    "-x": lambda x, _y, _: -x,
    "x + 0.75": lambda x, _y, _: x + 0.75,
    "1.5 - x": lambda x, _y, _: 1.5 - x,
    "-2 * x": lambda x, _y, _: -2 * x,
    "3 / x": lambda x, _y, _: 3 / x,
    "x / 4": lambda x, _y, _: x / 4,
    "x ** -2": lambda x, _y, _: x**-2,
    "x ** -1": lambda x, _y, _: x**-1,
    "x ** -0.5": lambda x, _y, _: x**-0.5,
    "x ** 0": lambda x, _y, _: x**0,
    "x ** 0.5": lambda x, _y, _: x**0.5,
    "x ** 1": lambda x, _y, _: x**1,
    "x ** 2": lambda x, _y, _: x**2,
    "x ** 2.5": lambda x, _y, _: x**2.5,
    "x ** 3": lambda x, _y, _: x**3,
    "tanh(x)": lambda x, _y, functions: functions.tanh(x),
    "relu(x)": lambda x, _y, functions: functions.relu(x),
    "exp(x)": lambda x, _y, functions: functions.exp(x),
    "log(x)": lambda x, _y, functions: functions.log(x),
}
NEEDS_X_AWAY_FROM_0 = {"3 / x", "x ** -2", "x ** -1", "relu(x)"}
NEEDS_POSITIVE_X = {"x ** -0.5", "x ** 0.5", "x ** 2.5", "log(x)"}
LARGEST = 20  # keeps rounding errors, which grow with the values on the way, far below the tolerance
PRECISE = SimpleNamespace(
    tanh=mpmath.tanh, exp=mpmath.exp, log=mpmath.log, relu=lambda x: x if x > 0 else mpmath.mpf(0)
)


def possible(operation: str, x: Any, y: Any) -> bool:
    """Tell whether the operation is defined and smooth here, with a result of moderate size."""
    if (operation in NEEDS_X_AWAY_FROM_0 and abs(x) < 0.1) or (operation in NEEDS_POSITIVE_X and x < 0.1):
        return False
    if (operation == "x / y" and abs(y) < 0.1) or (operation == "exp(x)" and x > LARGEST):
        return False
    return bool(abs(OPERATIONS[operation](x, y, PRECISE)) <= LARGEST)


@dataclass(frozen=True)
class Graph:
    """An expression: leaves, then steps that each make a value from two earlier ones, given by index."""

    leaves: list[float]
    steps: list[tuple[str, int, int]]

    def values(self, leaves: Sequence[Any], functions: Any) -> list[Any]:
        """Work the expression out in the arithmetic of these leaves: all its values, the result last."""
        values = list(leaves)
        for operation, x, y in self.steps:
            values.append(OPERATIONS[operation](values[x], values[y], functions))
        return values


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Expressions of up to 12 steps on up to 3 leaves, whose values are often used again."""
    leaves = draw(st.lists(st.floats(-2, 2), min_size=1, max_size=3))
    graph = Graph(leaves, [])
    values = [mpmath.mpf(leaf) for leaf in leaves]
    for _ in range(draw(st.integers(1, 12))):
        x, y = (draw(st.integers(0, len(values) - 1)) for _ in "xy")
        operation = draw(st.sampled_from([name for name in OPERATIONS if possible(name, values[x], values[y])]))
        graph.steps.append((operation, x, y))
        values.append(OPERATIONS[operation](values[x], values[y], PRECISE))
    return graph


@given(graphs())
@settings(max_examples=300, deadline=None)
def test_random_expression(graph: Graph) -> None:
    """The value and gradients of an expression are those of 80-digit arithmetic and central differences."""
    leaves = [Value(leaf) for leaf in graph.leaves]
    values = graph.values(leaves, Value)
    values[-1].backward()
    # An error in one value reaches a leaf as much enlarged as gradients are on their way there.
    tolerance = 1e-11 * (1 + max(abs(value.grad) for value in values))

    with mpmath.workdps(80):
        exact = [mpmath.mpf(leaf) for leaf in graph.leaves]
        assert abs(graph.values(exact, PRECISE)[-1] - values[-1].data) <= 1e-11 * LARGEST
        step = mpmath.mpf(10) ** -25
        for index, leaf in enumerate(leaves):
            above, below = (
                graph.values([*exact[:index], exact[index] + move, *exact[index + 1 :]], PRECISE)[-1]
                for move in (step, -step)
            )
            assert abs((above - below) / (2 * step) - leaf.grad) <= tolerance
