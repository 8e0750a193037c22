"""Engines that are wrong in one rule, made of the right one.

They are built as students' engines are: `backward` brings the results into an order, and each passes its gradient on to
what it was made of by the rule of its operation. `wrong` replaces one of these pieces.
"""

from __future__ import annotations

import functools
import itertools
from collections import deque
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

from reference.engine import Value
from reference.misconceptions import Way
from reference.pow_relu import lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Order = Callable[["Engine"], Iterable["Engine"]]
    """Brings the results that a value was made of, itself among them, into the order in which they pass on."""
    Rule = Callable[..., None]
    """What is called with a result and the operands it was made of, when the result passes its gradient on."""

_ages = itertools.count()


class Engine(Value):
    """The `Value` of a student's engine; lasts as long as an expression does.

    Attributes:
        order: In which results pass their gradients on.
        seed: Makes the gradient that a result has of itself.
        age: How many values there were before.
        find_slopes: Works the slopes out, when they are needed.
        pass_on: What it does with its gradient.
    """

    order: ClassVar[Order]
    seed: ClassVar[Callable[[Engine], float]]

    def __init__(self, data: float, inputs: tuple[Value, ...] = (), slopes: tuple[float, ...] = ()) -> None:
        super().__init__(0.0, inputs, slopes)
        self.data = data  # an odd power is complex, which is no error in Python
        self.age = next(_ages)
        self.find_slopes: Callable[[], tuple[float, ...]] = lambda: self.slopes
        self.pass_on: Callable[[], None] = functools.partial(_add, self)

    def __pow__(self, exponent: float) -> Value:
        """Raise to a power as Python does; only going back does one meet what is wrong with the slope."""
        result = type(self)(self.data**exponent, (self,))
        result.find_slopes = lambda: (exponent * self.data ** (exponent - 1),)
        return result

    def backward(self) -> None:
        """Pass gradients back, each result in its turn."""
        engine = type(self)
        self.grad = engine.seed(self)
        for result in engine.order(self):
            result.pass_on()


class _OwnNegative(Engine):
    """Its negative is no product with -1."""

    def __neg__(self) -> Value:
        return type(self)(-self.data, (self,), (-1.0,))


class _OwnDifference(_OwnNegative):
    """Its difference is no sum either."""

    def __sub__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else type(self)(other)
        return type(self)(self.data - other.data, (self, other), (1.0, -1.0))


DIALECTS = (Engine, _OwnNegative, _OwnDifference)
"""Which operations are made of others, which tells where a rule of those is wrong."""


def wrong(
    dialect: type[Engine] = Engine,
    *,
    order: Order | None = None,
    seed: Callable[[Engine], float] = lambda _: 1.0,
    rules: Mapping[str, Rule] | None = None,
    data: Mapping[str, Callable[..., float]] | None = None,
    methods: Mapping[str, Callable[..., Any]] | None = None,
) -> Way:
    """Make an engine that is right but for what is given.

    Args:
        dialect: How it is built.
        order: Brings results into order.
        seed: Makes a result's gradient of itself.
        rules: For an operation, what passes gradients on.
        data: For one of those, what computes its result of the input's number and the other operand.
        methods: Whatever else is replaced, by its name.
    """
    operations = {
        name: _operation(getattr(dialect, name), rule, (data or {}).get(name)) for name, rule in (rules or {}).items()
    }
    pieces = {"order": staticmethod(order or depth_first), "seed": staticmethod(seed)}
    engine = type("Value", (dialect,), {**pieces, **operations, **(methods or {})})
    return Way(lambda _: "".join(f"{line}\n" for line in lines(engine)), SimpleNamespace(Value=engine))


def _operation(right: Callable[..., Engine], rule: Rule, compute: Callable[..., float] | None) -> Callable[..., Engine]:
    """An operation that passes gradients on otherwise than the right one, and may compute otherwise too."""

    def operation(value: Engine, *operands: Any) -> Engine:  # noqa: ANN401  # values and numbers
        result = right(value, *operands)
        if compute:
            result.data = compute(value.data, *operands)
        result.pass_on = functools.partial(rule, result, value, *operands)
        return result

    return operation


# --------------------------------------------------------------------------------------------------------------------
# Rules


def _add(result: Engine, *_: object) -> None:
    """What is right: each input's gradient grows by its slope times the result's gradient."""
    for source, slope in zip(result.inputs, result.find_slopes(), strict=True):
        source.grad += slope * result.grad


def assign(result: Engine, *_: object) -> None:
    """Forget the gradient that is already there."""
    for source, slope in zip(result.inputs, result.find_slopes(), strict=True):
        source.grad = slope * result.grad


def nothing(*_: object) -> None:
    """Pass nothing on: the rule was not kept, or the inputs were not."""


def gains(*amounts: Callable[..., float]) -> Rule:
    """A rule by which each operand's gradient grows by an amount, made of the result and the operands."""

    def rule(result: Value, *operands: Value | float) -> None:
        for operand, amount in zip(operands, amounts, strict=False):
            if isinstance(operand, Value):
                operand.grad += amount(result, *operands)

    return rule


# --------------------------------------------------------------------------------------------------------------------
# Orders


def _results(inputs: Iterable[Value]) -> list[Engine]:
    """Those of the inputs that have inputs of their own; the others pass nothing on."""
    return [value for value in inputs if isinstance(value, Engine) and value.inputs]


def _first_to_last(value: Engine) -> Sequence[Engine]:
    return _results(value.inputs)


def _last_to_first(value: Engine) -> Sequence[Engine]:
    return _results(value.inputs[::-1])


def _bottom_up(root: Engine, sources: Callable[[Engine], Sequence[Engine]], *, once: bool = True) -> list[Engine]:
    """Every result after those it was made of."""
    found: list[Engine] = []
    seen: set[Engine] = set()

    def visit(value: Engine) -> None:
        if not once or value not in seen:
            seen.add(value)
            for source in sources(value):
                visit(source)
            found.append(value)

    visit(root)
    return found


def _top_down(root: Engine, sources: Callable[[Engine], Sequence[Engine]], *, once: bool = True) -> Iterable[Engine]:
    """Each result when one comes upon it, on and on along the first way down."""
    seen: set[Engine] = set()
    pending = [root]
    while pending:
        value = pending.pop()
        if once and value in seen:
            continue
        seen.add(value)
        yield value
        pending += sources(value)[::-1]


def _in_breadth(root: Engine, sources: Callable[[Engine], Sequence[Engine]], *, once: bool = True) -> Iterable[Engine]:
    """Each result when one comes upon it, the nearer ones first."""
    seen: set[Engine] = set()
    pending = deque([root])
    while pending:
        value = pending.popleft()
        if once and value in seen:
            continue
        seen.add(value)
        yield value
        pending += sources(value)


def depth_first(root: Engine) -> Iterable[Engine]:
    """The lesson's order."""
    return reversed(_bottom_up(root, _first_to_last))


def _depth_first_from_the_last(root: Engine) -> Iterable[Engine]:
    """That of a stack in place of the recursion."""
    return reversed(_bottom_up(root, _last_to_first))


def _youngest_first(root: Engine) -> Iterable[Engine]:
    """That of a tape."""
    return sorted(_bottom_up(root, _first_to_last), key=lambda value: value.age, reverse=True)


def _seen_from_above(root: Engine) -> Iterable[Engine]:
    """That of a stack on which no value is put twice."""
    seen = {root}
    pending = [root]
    while pending:
        value = pending.pop()
        yield value
        for source in _results(value.inputs):
            if source not in seen:
                seen.add(source)
                pending.append(source)


RIGHT_ORDERS: tuple[Order, ...] = (depth_first, _depth_first_from_the_last, _youngest_first)
"""Where a gradient is forgotten, it depends on the order which one."""

TOO_EARLY: tuple[Order, ...] = (
    _seen_from_above,
    *(
        functools.partial(walk, sources=sources)
        for walk in (_top_down, _in_breadth)
        for sources in (_first_to_last, _last_to_first)
    ),
)
"""A result passes its gradient on before all of it has arrived."""

ONE_STEP: Order = functools.partial(_bottom_up, sources=_first_to_last)
"""The wrong way round: when the result passes its gradient on, what is below has had its turn."""

AGAIN: tuple[Order, ...] = tuple(
    functools.partial(walk, sources=sources, once=False)
    for walk in (_top_down, _in_breadth, lambda *root, **how: reversed(_bottom_up(*root, **how)))
    for sources in (_first_to_last, _last_to_first)
)
"""A result passes its gradient on as often as it is used."""
