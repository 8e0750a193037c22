"""What agrees with the reference's answer and what does not, and how the difference is told."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.compare import ABSOLUTE, RELATIVE, agree
from grader.errors import ExerciseError
from grader.stand_in import Opaque
from reference.engine import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

KEYS = st.text(max_size=3) | st.integers() | st.booleans() | st.none()
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=10,
)
HUGE = st.integers(200, 16_000).map(lambda bits: 2**bits)
OBSERVED = st.recursive(
    PLAIN | st.sampled_from([Opaque("Value"), 1j, b"", object()]) | HUGE | st.dictionaries(HUGE, st.none(), max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
MODERATE = st.floats(0.125, 8.0) | st.floats(-8.0, -0.125)


# --------------------------------------------------------------------------------------------------------------------
# Numbers


@pytest.mark.parametrize(
    ("expected", "observed"),
    [
        (0.0, 0),
        (0, 0.0),
        (0.0, -0.0),
        (2, 2.0),
        (2.0, 2),
        (10**30, 10**30),
        (10**400, 10**400),
        (1e30, 10**30),
        (1.0, 1.0 + 0.9e-11),
        (1e300, 1e300 * (1 + 0.9e-11)),
        (-1e6, -1e6 - 0.9e-5),
        (0.0, 0.9e-12),
        (0.0, 5e-324),
        (math.inf, math.inf),
        (-math.inf, -math.inf),
        (math.nan, math.nan),
    ],
)
def test_numbers_that_agree(expected: float, observed: float) -> None:
    """Plain numbers agree by value, within the tolerance; NaN and the infinities with themselves."""
    assert not agree(expected, observed)


@pytest.mark.parametrize(
    ("expected", "observed"),
    [
        (1.0, 1.0 + 1.3e-11),
        (1.0, 1.0 - 1.3e-11),
        (1e300, 1e300 * (1 + 1.3e-11)),
        (0.0, 1.1e-12),
        (1.0, -1.0),
        (1.0, math.inf),
        (1.0, -math.inf),
        (1.0, math.nan),
        (math.inf, 1.7976931348623157e308),
        (math.inf, 1.0),
        (math.inf, -math.inf),
        (-math.inf, math.inf),
        (math.inf, math.nan),
        (math.nan, math.inf),
        (math.nan, 0.0),
        (math.nan, 1),
        (10**400, 10**400 + 1),
        (10**400, 1.0),
        (1.0, 10**400),
        (math.inf, 10**400),
        (10**400, math.inf),
        (math.nan, 10**400),
        (1.7976931348623157e308, -1.7976931348623157e308),
    ],
)
def test_numbers_that_do_not_agree(expected: float, observed: float) -> None:
    """A NaN or an infinity on one side alone never agrees, nor does what lies outside of the tolerance."""
    assert agree(expected, observed)


@pytest.mark.parametrize(
    ("expected", "observed", "told"),
    [
        (1, True, "expected a number, got True"),
        (0.0, False, "expected a number, got False"),
        (1.5, "1.5", "expected a number, got '1.5'"),
        (1.5, None, "expected a number, got None"),
        (1.5, [1.5], "expected a number, got [1.5]"),
        (1.5, 1.5 + 0j, "expected a number, got (1.5+0j)"),
        (1.5, Opaque("Value"), "expected a number, got an object of type Value"),
        (True, 1, "expected True or False, got 1"),
        (True, False, "expected True, got False"),
        ("1", 1, "expected text, got 1"),
        ("a", "b", "expected 'a', got 'b'"),
        (None, 0, "expected None, got 0"),
        ([1.0], 1.0, "expected a list, got 1.0"),
        ([1.0], Opaque("map"), "expected a list, got an object of type map"),
        ({"a": 1}, [("a", 1)], "expected a dictionary, got [('a', 1)]"),
        ({"a": 1}, Opaque("dict_items"), "expected a dictionary, got an object of type dict_items"),
        (2.0, 3, "expected 2.0, got 3"),
        (2, 2**300, "expected 2, got an integer of 301 bits"),
        (2, [2**16_000], "expected a number, got a collection with an integer of thousands of digits"),
        (2, "x" * 500, f"expected a number, got '{'x' * 199}..."),
    ],
)
def test_kinds_are_kept_apart(expected: object, observed: object, told: str) -> None:
    """A number is no bool, no text and no object; what was expected and what came is told in few words."""
    assert told == agree(expected, observed)


@pytest.mark.parametrize("kind", [int, float, str, list, dict, tuple])
def test_no_subclass_passes_for_a_plain_value(kind: type[Any]) -> None:
    """What only inherits from a plain type does not agree, however it compares."""
    lying = type("E", (kind,), {"__eq__": lambda *_: True, "__hash__": kind.__hash__, "__repr__": lambda _: "E()"})

    assert agree(kind(), lying()).endswith(", got E()")


@given(st.floats(1e-300, 1e300) | st.floats(-1e300, -1e-300))
def test_the_tolerance_is_where_it_is_stated(number: float) -> None:
    """What differs by half of the tolerance agrees and what differs by twice of it does not, of whichever sign."""
    allowed = ABSOLUTE + RELATIVE * abs(number)

    for sign in (1, -1):
        assert not agree(number, number + sign * allowed / 2)
        assert agree(number, number + sign * 2 * allowed)


@given(st.floats(), st.floats())
def test_an_exact_number_needs_no_tolerance(expected: float, observed: float) -> None:
    """Without a finite gap inside of the tolerance two floats agree only if they are the same number, or both NaN."""
    gap = abs(expected - observed)
    assume(not gap <= ABSOLUTE + RELATIVE * abs(expected))

    same = expected == observed or (math.isnan(expected) and math.isnan(observed))
    assert same is (not agree(expected, observed))


# --------------------------------------------------------------------------------------------------------------------
# Collections


@pytest.mark.parametrize(
    ("expected", "observed"),
    [
        ([1.0, (2, None)], (1, [2.0, None])),
        ({"a": [1]}, {"a": (1.0,)}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([], ()),
        ({}, {}),
        ([math.nan, [math.inf]], [math.nan, [math.inf]]),
    ],
)
def test_collections_that_agree(expected: object, observed: object) -> None:
    """A list agrees with a tuple item by item, and a dictionary key by key in whatever order."""
    assert not agree(expected, observed)


@pytest.mark.parametrize(
    ("expected", "observed", "told"),
    [
        ([1, 2], [1], "expected 2 values, got 1"),
        ([1, 2], [1, 2, 3], "expected 2 values, got 3"),
        ([1, [2, 3]], [1, [2, 4]], "[1][1]: expected 3, got 4"),
        ([1, [2, 3]], [1, [2]], "[1]: expected 2 values, got 1"),
        ({"x.grad": 6.0}, {"x.grad": 2.0}, "x.grad: expected 6.0, got 2.0"),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, "a, b: expected 1, got 2"),
        ({"a": [1, None]}, {"a": [1, 1]}, "a[1]: expected None, got 1"),
        ([{"a": 1}], [{"a": 2}], "[0], a: expected 1, got 2"),
        ({"a": 1}, {"b": 1}, "expected ['a'], got ['b']"),
        ({"a": 1}, {}, "expected ['a'], got []"),
        ({"a": {}}, {"a": {1: 2}}, "a: expected [], got [1]"),
    ],
)
def test_a_difference_is_told_with_its_place(expected: object, observed: object, told: str) -> None:
    """Each value that differs is told with its label or its place; lengths and keys come first."""
    assert told == agree(expected, observed)


def test_only_a_few_differences_are_told() -> None:
    """Three differences are told, and how many more there are."""
    lines = [f"[{index}]: expected 0, got 1" for index in range(3)]

    assert lines == agree([0] * 3, [1] * 3).splitlines()
    assert [*lines, "... and 7 more"] == agree([0] * 10, [1] * 10).splitlines()


@given(PLAIN)
def test_every_plain_value_agrees_with_itself(value: object) -> None:
    """Whatever the reference answers with, the same answer agrees."""
    assert not agree(value, value)


@given(PLAIN, OBSERVED)
def test_whatever_is_observed_is_compared(expected: object, observed: object) -> None:
    """No answer of the student's raises anything: it agrees or it does not."""
    told = agree(expected, observed)

    assert len(told) < 4 * 3 * 250


@pytest.mark.parametrize("value", [Value(2.0), {1}, 1j, b"", range(3), [1, {2}], {"a": [Value(1.0)]}, {Value(1.0): 1}])
def test_a_reference_that_answers_with_objects_is_at_fault(value: object) -> None:
    """A check that returns an object is at fault itself, whatever the student's code answers."""
    with pytest.raises(ExerciseError, match=r"it returns an object of type \w+; return numbers"):
        agree(value, value)


# --------------------------------------------------------------------------------------------------------------------
# What the tolerance is for

EXPRESSIONS: Sequence[Callable[[Any], Any]] = (
    lambda x: x**3 + x,
    lambda x: (x * 2 - 1).tanh(),
    lambda x: (x**2 + 1) ** -1 * x,
    lambda x: (x * 0.5).exp() * x**2,
    lambda x: (x**2 + 2).log() - x**4 * 0.25,
)
POINTS = (0.7, -1.3, 2.1)


@pytest.mark.parametrize("step", [factor * 10.0**-power for power in range(4, 9) for factor in (1, 2, 5)])
def test_finite_differences_do_not_agree(step: float) -> None:
    """Gradients estimated by central differences are told from honest ones, whatever their step."""
    expected, observed = [], []
    for expression in EXPRESSIONS:
        for point in POINTS:
            x = Value(point)
            expression(x).backward()
            expected.append(x.grad)
            ahead, behind = (expression(Value(point + sign * step)).data for sign in (1, -1))
            observed.append((ahead - behind) / (2 * step))

    assert agree(expected, observed)


@given(st.lists(MODERATE, min_size=2, max_size=8), st.randoms(use_true_random=False))
def test_sums_and_products_in_another_order_agree(numbers: list[float], random: Any) -> None:
    """Honest arithmetic may be done in any order."""
    shuffled = random.sample(numbers, len(numbers))

    assert not agree([sum(numbers), math.prod(numbers)], [sum(shuffled), math.prod(shuffled)])


@given(MODERATE, MODERATE, MODERATE, st.integers(2, 5))
def test_honest_formulas_agree(a: float, b: float, c: float, exponent: int) -> None:
    """A rule may be written in any of its usual forms."""
    slope = 1 - math.tanh(a) ** 2
    double = math.exp(-2 * abs(a))
    expected = [a * (b + c), a / b, exponent * a ** (exponent - 1), math.tanh(a), slope, (a - b) * (a - b)]
    observed = [
        a * b + a * c,
        a * b**-1,
        exponent * a**exponent / a,
        math.copysign((1 - double) / (1 + double), a),
        1 / math.cosh(a) ** 2,
        a * a - 2 * a * b + b * b,
    ]

    assert not agree(expected, observed)


@given(st.lists(MODERATE, min_size=2, max_size=5), st.lists(MODERATE, min_size=5, max_size=5))
def test_gradients_collected_in_another_order_agree(data: list[float], weights: list[float]) -> None:
    """The gradient of a value used many times may be added up in any order of its uses."""
    gradients = []
    for uses in (list(zip(data, weights, strict=False)), list(zip(data, weights, strict=False))[::-1]):
        x = Value(0.75)
        total = Value(0.0)
        for number, weight in uses:
            total = total + (x * number).tanh() * weight + x**2 * number
        total.backward()
        gradients.append((total.data, x.grad))

    assert not agree(*gradients)
