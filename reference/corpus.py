"""Draws the small expressions that a public check of "Teach the engine new tricks" goes through, the smallest first.

    python -m reference.corpus > exercises/pow_relu/checks/expressions.txt

An expression is a line such as

    x = Value(-1.0); y = x.relu() + x; y.backward()

Hypothesis draws many. An expression is kept if it tells two engines apart, of the right one and the wrong ones, that
no smaller one does: so what a wrong engine fails first is about as small as can be. Others are kept for variety. What
is drawn depends on the version of Hypothesis, which nothing else in the reference needs, so it is written to a file.

Where an engine is wrong in a way that nobody thought of, what it fails first may be larger than need be. `smaller`
tells what else to try.
"""

from __future__ import annotations

import ast
import itertools
import random
import re
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from reference.engine import Value
from reference.misconceptions.pow_relu import MISCONCEPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

NUMBERS = (-3.0, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
"""What leaves hold."""
EXPONENTS = (2, 3, 4, 1, 0, -1, -2, -3, 0.5, 1.5, 2.5, -0.5, -1.5, 2.0, 3.0)
OPERATIONS = (
    *(f"{{}} {operator} {{}}" for operator in "+-*" * 4),
    *(f"{{}} {operator} {constant}" for operator in "+-" for constant in (1, 2, 0.5)),
    *(f"{{}} * {constant}" for constant in (2, 3, 0.5)),
    *(f"{{}} ** {exponent}" for exponent in EXPONENTS),
    *("{}.relu()",) * 6,
    *("{}.tanh()",) * 3,
    *("-{}",) * 2,
)
"""What an expression is made of, with braces for its values; as often as it is to be drawn."""


@st.composite
def expressions(draw: st.DrawFn) -> str:
    """Lines of an expression: up to three numbers, and up to seven operations on them and on one another."""
    numbers = draw(st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=3))
    parts: list[tuple[str, list[int]]] = [(f"Value({number})", []) for number in numbers]
    for _ in range(draw(st.integers(1, 7))):
        operation = draw(st.sampled_from(OPERATIONS))
        newest = len(parts) - 1
        which = st.sampled_from([newest, newest, newest, *range(len(parts))])
        parts.append((operation, [draw(which) for _ in range(operation.count("{}"))]))
    return _written(parts)


def smaller(expression: str) -> dict[str, st.SearchStrategy[str]]:
    """Return what makes expressions that are smaller than one, and like it.

    They have the same operations or some of them, with the same numbers or simpler ones.
    """

    def is_smaller(other: str) -> bool:
        return effort(other) < effort(expression) and is_suitable(other)

    return {"expression": _like(expression).filter(is_smaller)}


@st.composite
def _like(draw: st.DrawFn, expression: str) -> str:
    """Lines of an expression that is like another; what is drawn first is what is simplest."""
    parts: list[tuple[str, list[int]]] = []
    numbers: list[int] = []
    places: list[int] = []  # of what takes the place of each part
    for operation, operands in _read(expression):
        inputs = [places[operand] for operand in operands]
        if not inputs:
            place = draw(st.sampled_from([*numbers, len(parts)]))
        elif draw(st.booleans()):
            place = len(parts)
        else:
            place = draw(st.sampled_from(inputs))
        places.append(place)
        if place == len(parts):
            parts.append((draw(st.sampled_from(_up_to(operation))), inputs))
            numbers += [] if inputs else [place]
    return _written(parts[: places[-1] + 1])


def _up_to(operation: str) -> list[str]:
    """The operations that differ from one in a simpler number, the simplest first; then the one itself."""

    def kind(other: str) -> str:
        return re.sub(r"-?\d[\d.]*", "0", other)

    def simplicity(other: str) -> tuple[int, int, str]:
        return len(_AWKWARD.findall(other)), len(other), other

    alike = {other for other in (*OPERATIONS, *map("Value({})".format, NUMBERS)) if kind(other) == kind(operation)}
    return [*sorted((other for other in alike if simplicity(other) < simplicity(operation)), key=simplicity), operation]


def _read(expression: str) -> list[tuple[str, list[int]]]:
    """Take lines apart into what they were written from."""
    parts: list[tuple[str, list[int]]] = []
    names: dict[str, int] = {}

    def place(node: ast.expr) -> int:
        match node:
            case ast.Name(id=name):
                return names[name]
            case ast.Call(func=ast.Attribute(value=owner, attr=method)):
                operation, operands = f"{{}}.{method}()", [owner]
            case ast.BinOp(left=left, op=sign, right=ast.Constant() | ast.UnaryOp(operand=ast.Constant()) as number):
                operation, operands = _SIGNS[type(sign)].format(ast.unparse(number)), [left]
            case ast.BinOp(left=left, op=sign, right=right):
                operation, operands = _SIGNS[type(sign)].format("{}"), [left, right]
            case ast.UnaryOp(operand=operand):
                operation, operands = "-{}", [operand]
            case _:
                operation, operands = ast.unparse(node), []
        parts.append((operation, [place(operand) for operand in operands]))
        return len(parts) - 1

    for statement in ast.parse(expression).body:
        if isinstance(statement, ast.Assign):
            names[ast.unparse(statement.targets[0])] = place(statement.value)
    return parts


_SIGNS = {ast.Add: "{{}} + {}", ast.Sub: "{{}} - {}", ast.Mult: "{{}} * {}", ast.Pow: "{{}} ** {}"}


def _written(parts: list[tuple[str, list[int]]]) -> str:
    """Write the last part down as a student would, and what it needs of the others.

    Numbers have names, and so has what is used more than once.
    """
    last = len(parts) - 1
    uses = Counter([last])
    for index in range(last, -1, -1):
        if uses[index]:
            uses.update(parts[index][1])
    numbers, results = iter("xwb"), iter("pqrstu")
    texts: dict[int, str] = {}
    statements = []
    for index, (operation, operands) in enumerate(parts):
        if uses[index]:
            texts[index] = operation.format(*(f"({texts[operand]})" for operand in operands))
            if index == last or not operands or uses[index] > 1:
                name = "y" if index == last else next(results if operands else numbers)
                statements.append(f"{name} = {texts[index]}")
                texts[index] = name
    line = "; ".join(ast.unparse(ast.parse(statement)) for statement in [*statements, "y.backward()"])
    return re.sub(r"\*\* \((-[\d.]+)\)", r"** \1", line)


def size(expression: str) -> int:
    """Count the values in a line: its numbers, and the results of its operations."""
    values = (ast.BinOp, ast.UnaryOp, ast.Call)
    nodes = [node for node in ast.walk(ast.parse(expression)) if isinstance(node, values)]
    signs = [node for node in nodes if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)]
    return len(nodes) - len(signs) - 1  # backward() makes no value


class Unsuitable(Exception):  # noqa: N818  # named for what it says of an expression
    """An expression asks what the exercise leaves open, or its answer hangs on a rounding."""


class Careful(Value):
    """The right engine, but strict about what it is asked.

    Attributes:
        is_exact: Whether every right engine finds the same number to the last bit.
    """

    def __init__(self, data: float, inputs: tuple[Value, ...] = (), slopes: tuple[float, ...] = ()) -> None:
        super().__init__(data, inputs, slopes)
        if abs(data) > 100:  # noqa: PLR2004  # numbers that one can look at
            raise Unsuitable
        self.is_exact = all(getattr(value, "is_exact", True) for value in inputs)

    def __pow__(self, exponent: float) -> Value:
        self._look_where_it_stands()
        if (self.data == 0 and exponent < 1) or (self.data < 0 and exponent != int(exponent)):
            raise Unsuitable
        return self._rounded(super().__pow__(exponent))

    def relu(self) -> Value:
        """Return the number, or 0."""
        self._look_where_it_stands()
        return super().relu()

    def tanh(self) -> Value:
        """Return the hyperbolic tangent."""
        return self._rounded(super().tanh())

    def _look_where_it_stands(self) -> None:
        """Stay away from 0, unless it is a plain one."""
        if abs(self.data) < 0.01 and not (self.data == 0 and self.is_exact):  # noqa: PLR2004  # far more than a rounding
            raise Unsuitable

    @staticmethod
    def _rounded(result: Any) -> Value:  # noqa: ANN401  # one of this class
        result.is_exact = False
        return result  # type: ignore[no-any-return]  # the same


def answers(value: type[Value], expression: str) -> tuple[float, ...]:
    """Work a line out with an engine's `Value`: the result, and the gradients of all that has a name.

    Raises:
        Exception: What the engine raises.
    """
    names: dict[str, Any] = {"Value": value, "__builtins__": {}}
    exec(expression, names)  # noqa: S102  # drawn above
    return (names["y"].data, *(names[name].grad for name in "xwbpqrstu" if name in names))


_AWKWARD = re.compile(r"\.5\b|\((0|1|-1)\.0\)|\*\* [01]\b")
_SILLY = re.compile(r"--|- -|\b(\w+) - \1\b|\.(relu|tanh)\(\)\.\2\(\)")
"""What nobody would write: a sign twice, a difference that is 0, a function of itself."""


def is_suitable(expression: str) -> bool:
    """Whether a line asks only what the exercise says, with numbers that one can look at."""
    if _SILLY.search(expression):
        return False
    try:
        return max(map(abs, answers(Careful, expression))) < 1000  # noqa: PLR2004  # as above, for gradients
    except Unsuitable:
        return False


def response(value: type[Value], expression: str) -> tuple[str, ...]:
    """What an engine answers, alike for answers that are alike."""
    try:
        return tuple(f"{number + 0.0:.9g}" for number in answers(value, expression))
    except (ArithmeticError, TypeError, ValueError) as error:
        return (type(error).__name__,)


def drawn(count: int) -> list[str]:
    """Draw so many expressions, the smallest first; the same whenever the versions are the same."""
    found: set[str] = set()

    @seed(1)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(expressions())
    def draw(expression: str) -> None:
        if is_suitable(expression):
            found.add(expression)

    draw()
    return sorted(found, key=effort)


def effort(expression: str) -> tuple[int, int, int, str]:
    """How hard an expression is to look at: its size, how many numbers in it are a fraction or trivial, its length."""
    return size(expression), len(_AWKWARD.findall(expression)), len(expression), expression


def telling(candidates: Iterable[str]) -> list[str]:
    """Those of the expressions that tell two engines apart that no earlier one did."""
    engines = [("right", Value)]
    engines += [(each.id, way.engine.Value) for each in MISCONCEPTIONS for way in each.ways if way.engine]
    alike = {
        (one, other)
        for one, other in itertools.combinations(range(len(engines)), 2)
        if engines[one][0] != engines[other][0]
    }
    kept = []
    for expression in candidates:
        told = [response(value, expression) for _, value in engines]
        still = {(one, other) for one, other in alike if told[one] == told[other]}
        if len(still) < len(alike):
            kept.append(expression)
        alike = still
    return kept


def evenly(candidates: list[str]) -> list[str]:
    """Put expressions into an order in which every size comes up as often, as long as there are any."""
    turns: Counter[int] = Counter()

    def turn(expression: str) -> int:
        turns[size(expression)] += 1
        return turns[size(expression)]

    return sorted(candidates, key=turn)


def main(draws: int = 6_000, lines: int = 200) -> None:
    """Print so many lines, out of so many that are drawn; the command line may give both numbers."""
    candidates = drawn(draws)
    kept = set(telling(candidates))
    others = [expression for expression in candidates if expression not in kept]
    random.Random(1).shuffle(others)  # noqa: S311  # repeatable on purpose
    kept.update(evenly(others)[: lines - len(kept)])
    print(*sorted(kept, key=effort), sep="\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
