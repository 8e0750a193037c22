"""What stands in for an absent module does nothing, and never becomes an answer."""

from __future__ import annotations

import asyncio
import copy
import json
import math
import operator
import pickle
import weakref
from dataclasses import dataclass
from functools import wraps
from inspect import unwrap
from typing import TYPE_CHECKING, Any, Optional

import pytest

from grader.sandbox.absent import AbsentModule, Inert, refuse

if TYPE_CHECKING:
    from collections.abc import Callable

np: Any = AbsentModule("numpy")
x: Any = np.linalg.norm


def test_names() -> None:
    """A stand-in says what it stands in for, and that this is not installed; however deep it is."""
    deep = x
    for _ in range(1000):
        deep = deep.T

    assert "<numpy: numpy is not installed>" == repr(np)
    assert "<numpy.linalg.norm: numpy is not installed>" == str(x) == f"{x}"
    assert "<numpy.__version__: numpy is not installed>" == str(np.__version__)
    assert len(str(deep)) < 150


@pytest.mark.parametrize(
    "use",
    [
        lambda: x(1, axis=0),
        lambda: x[1:2, ...],
        lambda: x + 1,
        lambda: 1 - x,
        lambda: x @ x,
        lambda: 2.0**x,
        lambda: divmod(7, x),
        lambda: -x,
        lambda: abs(x),
        lambda: ~x,
        lambda: x | None,
        lambda: "text" + x,
        lambda: [1] * x,
        lambda: sum([x, x]),
        lambda: x.T.shape,
        lambda: x < 3,
        lambda: x == 3,
        lambda: 3 != x,
        lambda: max(x, 3),
        lambda: reversed(x),
        lambda: copy.deepcopy([x])[0],
        lambda: copy.copy(x),
        weakref.ref(x),
        lambda: Optional[x].__args__[0],  # type: ignore[attr-defined]  # noqa: UP045  # it looks at this
    ],
)
def test_what_is_done_with_one_gives_another(use: Callable[[], object]) -> None:
    """Calls, items, arithmetic and comparisons with a stand-in give stand-ins."""
    assert type(use()) is Inert


def test_one_is_empty_and_false() -> None:
    """A stand-in is false, has no items, and takes what is put into it without keeping it."""
    x[0] = 1
    del x[0]
    x.shape = 3
    del x.shape

    assert not x
    assert (0, [], False, []) == (len(x), list(x), 1 in x, [*zip(x, x, strict=True)])
    assert "nothing" == next(x, "nothing")
    assert {x: 1}[x] == 1


def test_one_unpacks_into_as_many_names_as_there_are() -> None:
    """A stand-in that is unpacked fills every name, as where a figure and its axes are made."""
    figure, (left, right) = x()
    first, *others = x

    assert {Inert} == {type(each) for each in (figure, left, right, first)}
    assert [] == others
    assert [] == [pair for pair, _ in x]


def test_one_can_be_entered() -> None:
    """A stand-in is a context and can be waited for; nothing is kept from passing through."""

    async def use() -> list[object]:
        async with x as entered:
            return [entered, await x, *[each async for each in x]]

    with x as entered, pytest.raises(KeyError), x:
        raise KeyError

    assert [Inert] * 3 == [type(each) for each in (entered, *asyncio.run(use()))]


def test_one_decorates() -> None:
    """As a decorator, called or not, a stand-in leaves alone what it decorates."""

    @x  # type: ignore[untyped-decorator]  # what is not there has no type
    @x(cache=True)  # type: ignore[untyped-decorator]  # the same
    def twice(number: int) -> int:
        return 2 * number

    @x
    class Plain:
        pass

    assert 6 == twice(3)
    assert isinstance(Plain(), Plain)
    assert Inert is type(x(3))
    assert twice is unwrap(wraps(x)(twice), stop=lambda found: found is twice)


def test_one_is_a_base_class() -> None:
    """What derives from stand-ins derives from nothing; what it does not define itself does nothing."""

    class Net(np.Module, np.Mixin, flag=True):  # type: ignore[misc, call-arg]  # the same
        def __init__(self, size: int) -> None:
            super().__init__(size)
            self.size = size

        def double(self) -> int:
            return 2 * self.size

    net: Any = Net(3)

    assert 6 == net.double()
    assert {Inert} == {type(each) for each in (net(1), net.parameters(), net.weight.grad)}
    assert not hasattr(net, "__array__")


def test_nothing_is_an_instance_of_one() -> None:
    """Nothing is an instance of a stand-in, nor a subclass of it."""
    assert not isinstance(3, np.ndarray)
    assert isinstance(3, (np.ndarray, int))
    assert not issubclass(int, np.ndarray)


def test_one_is_used_in_annotations() -> None:
    """Annotations and defaults may name stand-ins."""

    @dataclass
    class Layer:
        weights: np.ndarray | None = np.zeros(3)  # noqa: RUF009  # as a student would

    assert Inert is type(Layer().weights)


@pytest.mark.parametrize(
    "use",
    [
        float,
        int,
        complex,
        bytes,
        round,
        math.floor,
        math.ceil,
        math.trunc,
        math.tanh,
        math.isnan,
        operator.index,
        range,
        pickle.dumps,
        lambda stand_in: format(stand_in, ".2f"),
        lambda stand_in: "%.2f" % stand_in,  # noqa: UP031  # the same
        lambda stand_in: "%d" % stand_in,  # noqa: UP031  # the same
        lambda stand_in: [1, 2][stand_in],
        open,
        refuse,
    ],
)
def test_one_becomes_no_answer(use: Callable[[object], object]) -> None:
    """Whatever would make a number of a stand-in raises an error that names the module."""
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'numpy': it is not installed") as caught:
        use(x)

    assert "numpy" == caught.value.name


def test_a_module_becomes_no_answer() -> None:
    """Nor does a stand-in for a module itself; what is none may be an answer."""
    with pytest.raises(ModuleNotFoundError, match="'numpy'"):
        refuse(AbsentModule("numpy.linalg"))
    refuse(3)
    refuse(json)


@pytest.mark.parametrize("name", ["__wrapped__", "__array__", "__path_of_nothing__", "__name__x"])
def test_what_python_asks_for_is_not_there(name: str) -> None:
    """A stand-in has no more of Python's own names than it needs."""
    assert not hasattr(x, name)
    assert not hasattr(np, name)
