"""The reference engine against PyTorch in double precision, where that is installed.

PyTorch is no dependency, and where it is absent there is nothing here to collect: these tests confirm, by a
second implementation, what `test_reference_engine.py` proves everywhere.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from reference.engine import Value

if TYPE_CHECKING:
    from collections.abc import Callable

__test__ = find_spec("torch") is not None  # pytest collects nothing from a module where this is false

torch: Any = None
if __test__:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch remarks on the absence of NumPy, which is not needed here
        torch = import_module("torch")

OPERATIONS: list[Callable[[Any, Any], Any]] = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * y,
    lambda x, y: x / y,
    lambda x, _: -x,
    lambda x, _: 0.5 + x,
    lambda x, _: 1.5 - x,
    lambda x, _: -2 * x,
    lambda x, _: 3 / x,
    lambda x, _: x**-2,
    lambda x, _: x**0,
    lambda x, _: x**0.5,
    lambda x, _: x**2.5,
    lambda x, _: x**3,
    lambda x, _: x.tanh(),
    lambda x, _: x.relu(),
    lambda x, _: x.exp(),
    lambda x, _: x.log(),
]


@pytest.mark.parametrize("seed", range(200))
def test_random_expression(seed: int) -> None:
    """Every value of a random expression, and its gradient, is PyTorch's."""
    rng = Random(seed)
    ours = [Value(rng.uniform(-2, 2)) for _ in range(3)]
    theirs = [torch.tensor(leaf.data, dtype=torch.float64, requires_grad=True) for leaf in ours]
    while len(ours) < 20:
        operation, x, y = rng.choice(OPERATIONS), rng.randrange(len(ours)), rng.randrange(len(ours))
        try:
            value = operation(ours[x], ours[y])
        except (ArithmeticError, ValueError):  # has no value here
            continue
        if 0.01 < abs(value.data) < 100:  # keeps what is rounded away far below the tolerance
            ours.append(value)
            theirs.append(operation(theirs[x], theirs[y]))
            theirs[-1].retain_grad()
    ours[-1].backward()
    theirs[-1].backward()

    assert [tensor.item() for tensor in theirs] == pytest.approx([value.data for value in ours], rel=1e-12)
    expected = [0.0 if tensor.grad is None else tensor.grad.item() for tensor in theirs]
    assert expected == pytest.approx([value.grad for value in ours], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "operation",
    [
        lambda x: x.relu(),
        lambda x: x**0,
        lambda x: x**0.5,
        lambda x: x**1,
        lambda x: x**2,
        lambda x: x.tanh(),
        lambda x: x.exp(),
    ],
)
def test_at_zero(operation: Callable[[Any], Any]) -> None:
    """The conventions at 0 are PyTorch's too."""
    ours, theirs = Value(0.0), torch.zeros((), dtype=torch.float64, requires_grad=True)
    value, tensor = operation(ours), operation(theirs)
    value.backward()
    tensor.backward()

    assert (tensor.item(), theirs.grad.item()) == (value.data, ours.grad)


def test_backward_twice() -> None:
    """A second `backward` adds to the leaves what PyTorch adds."""
    ours, theirs = Value(3.0), torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    value, tensor = ours * ours, theirs * theirs
    value.backward()
    value.backward()
    tensor.backward(retain_graph=True)
    tensor.backward()

    assert theirs.grad.item() == ours.grad
