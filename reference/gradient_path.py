"""How a gradient gets from the result of an expression back to one of its values, step by step.

    z             starts with a gradient of 1.0
    z = a + v     passes 1.0 to a and 1.0 to v
    a = v.relu()  passes 1.0 * 0.0 = 0.0 to v, which is -1.0
    v.grad = 1.0 + 0.0 = 1.0

An operation passes on what arrived at its result, times its slope. Slopes are the engine's own: the operation is
carried out once more, on values of their own with the same numbers, and asked for their gradients. Numbers have at most
six digits.
"""

from __future__ import annotations

import ast
import operator
from collections import defaultdict
from typing import TYPE_CHECKING

from reference.engine import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_OPERATORS: dict[type[ast.AST], Callable[..., Value]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
}
_WIDEST = 24
"""How wide a step may be that the others are aligned with."""


def derive(code: str) -> dict[str, str]:
    """Tell how each gradient comes about that some code reads.

    Args:
        code: Statements about a `Value`, one a line, such as `x = Value(3.0)`, `y = x ** 2`, `y.backward()`, `x.grad`.

    Returns:
        The lines about each gradient, by the expression that reads it. Of one that nothing reaches, or that several
        calls of `backward` add up, there is nothing to tell.

    Raises:
        ValueError: The code does something else than to make expressions, go back through them and read.
        Exception: What the engine raises.
    """
    told = {}
    names: dict[str, _Part] = {}
    results: list[_Part] = []
    for statement in ast.parse(code).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=expression):
                names[name] = part = _part(expression, code, names)
                part.text, part.statement = name, _text(statement, code)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=expression, attr="backward"), args=[])):
                results.append(_part(expression, code, names))
            case ast.Expr(value=ast.Attribute(value=expression, attr="grad") as read):
                target = _part(expression, code, names)
                reaching = [steps for steps in map(_back_from, results) if target in steps]
                if len(reaching) == 1:
                    told[_text(read, code)] = _path(reaching[0], target, _text(read, code))
            case ast.Expr(value=ast.Attribute(attr="data")):
                pass
            case _:
                raise ValueError(f"this is no step of an expression: {_text(statement, code)}")
    return told


class _Part:
    """One value of an expression; lasts as long as its code is told.

    Attributes:
        text: Its name, or the expression that makes it where it has none.
        statement: What makes it, with its name.
        data: The number.
        operands: What it is made of, each with the slope with respect to it.
    """

    def __init__(self, text: str, data: float, operands: Sequence[tuple[_Part, float]] = ()) -> None:
        self.text = self.statement = text
        self.data = data
        self.operands = operands


def _text(node: ast.AST, code: str) -> str:
    return ast.get_source_segment(code, node) or ""


def _part(node: ast.expr, code: str, names: Mapping[str, _Part]) -> _Part:
    """Work out one value."""
    match node:
        case ast.Name(id=name):
            return names[name]
        case ast.Call(func=ast.Name(id="Value"), args=[number]):
            return _Part(_text(node, code), Value(ast.literal_eval(number)).data)
        case ast.Call(func=ast.Attribute(value=owner, attr=method), args=[]):
            return _result(_text(node, code), operator.methodcaller(method), _part(owner, code, names))
        case ast.BinOp(left=left, op=sign, right=right):
            operands = [_operand(each, code, names) for each in (left, right)]
            return _result(_text(node, code), _OPERATORS[type(sign)], *operands)
        case ast.UnaryOp(op=sign, operand=operand):
            return _result(_text(node, code), _OPERATORS[type(sign)], _part(operand, code, names))
    raise ValueError(f"this is no value of an expression: {_text(node, code)}")


def _operand(node: ast.expr, code: str, names: Mapping[str, _Part]) -> _Part | float:
    """Work out one operand, which may be a plain number."""
    match node:
        case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
            number: float = ast.literal_eval(node)
            return number
    return _part(node, code, names)


def _result(text: str, operation: Callable[..., Value], *operands: _Part | float) -> _Part:
    """Carry out one operation, and find its slopes."""
    leaves = [Value(each.data) if isinstance(each, _Part) else each for each in operands]
    result = operation(*leaves)
    result.backward()
    parts = zip(operands, leaves, strict=True)
    slopes = [(part, leaf.grad) for part, leaf in parts if isinstance(part, _Part) and isinstance(leaf, Value)]
    return _Part(text, result.data, slopes)


def _back_from(result: _Part) -> list[_Part]:
    """Return the values that a result is made of, each after all that are made of it; the result is the first."""
    found: dict[_Part, None] = {}

    def visit(part: _Part) -> None:
        if part not in found:
            for operand, _ in part.operands:
                visit(operand)
            found[part] = None

    visit(result)
    return [*found][::-1]


def _path(steps: Sequence[_Part], target: _Part, read: str) -> str:
    """Tell the steps that lead to one value, and what arrives there."""
    leading = {target}
    for part in reversed(steps):
        if any(operand in leading for operand, _ in part.operands):
            leading.add(part)
    arrived = defaultdict(list, {steps[0]: [1.0]})
    lines = [(steps[0].text, "starts with a gradient of 1.0")]
    for part in steps[: steps.index(target)]:
        if part in leading:
            gradient = sum(arrived[part])
            passed = []
            for operand, slope in part.operands:
                if operand in leading:
                    arrived[operand].append(gradient * slope)
                    passed.append(f"{_amount(gradient, slope)} to {operand.text}")
            collected = f"collects {_sum(arrived[part])} and " if len(arrived[part]) > 1 else ""
            lines.append((part.statement, f"{collected}passes {' and '.join(passed)}{_where(part)}"))
    width = max((len(step) for step, _ in lines if len(step) <= _WIDEST), default=0)
    return "\n".join([*(f"{step:{width}}  {told}" for step, told in lines), f"{read} = {_sum(arrived[target])}"])


def _sum(gradients: Sequence[float]) -> str:
    """Write the gradients that arrived at a value, and their sum."""
    terms = " + ".join(map(_shown, gradients))
    return f"{terms} = {_shown(sum(gradients))}" if len(gradients) > 1 else terms


def _amount(gradient: float, slope: float) -> str:
    """Write what one operand is passed; a slope of 1 changes nothing."""
    if slope == 1:
        return _shown(gradient)
    return f"{_shown(gradient)} * {_shown(slope)} = {_shown(gradient * slope)}"


def _where(part: _Part) -> str:
    """Write the numbers that the slopes of an operation come from, where they are not 1 or -1 anyway."""
    if all(abs(slope) == 1 for _, slope in part.operands):
        return ""
    values = {operand.text: _shown(operand.data) for operand, _ in part.operands}
    if len(values) == 1:
        return f", which is {values.popitem()[1]}"
    return f", where {' and '.join(f'{text} is {number}' for text, number in values.items())}"


def _shown(number: float) -> str:
    return repr(float(f"{number:.6g}") + 0.0)  # no negative zero
