"""What a check did, written as the student would have typed it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from grader.stand_in import StandIn, each_stand_in, number_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from grader.stand_in import Operation

_LABEL = re.compile(r"([A-Za-z_]\w*)\.([A-Za-z_]\w*)")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ATOM = 9
"""Binding power of a name, a call or a number; operators bind less."""
_POWER = 8
_UNARY = 7
_PREFIXES = {"neg": "-", "pos": "+", "invert": "~"}
_SYMBOLS = {
    "or": ("|", 1),
    "xor": ("^", 2),
    "and": ("&", 3),
    "lshift": ("<<", 4),
    "rshift": (">>", 4),
    "add": ("+", 5),
    "sub": ("-", 5),
    "mul": ("*", 6),
    "matmul": ("@", 6),
    "truediv": ("/", 6),
    "floordiv": ("//", 6),
    "mod": ("%", 6),
    "pow": ("**", _POWER),
}
"""The operators, and how tightly each binds."""
_HUGE = 1 << 200
"""Where integers are shown in hexadecimal: Python itself refuses to write very large ones otherwise."""


def transcribe(history: Sequence[Operation], labels: Mapping[Any, object]) -> list[str]:
    """Return recorded operations as statements, one a line: values that are used once stand where they are used.

    Args:
        history: The operations, in order.
        labels: What a check calls what it read: `{"x.grad": stand_in}` makes `x` the name of what has this `grad`.
    """
    return _Transcript(history, labels).lines()


class _Transcript:
    """Operations on their way to becoming statements; lasts as long as `transcribe` runs."""

    def __init__(self, history: Sequence[Operation], labels: Mapping[Any, object]) -> None:
        self._history = history
        self._uses: dict[int, int] = {}
        self._names: dict[int, str] = {}
        self._texts: dict[int, tuple[str, int]] = {}
        made = {operation.result: operation for operation in history}
        for operation in history:
            each_stand_in(list(operation.arguments), self._count)
        for label, value in labels.items():
            match = _LABEL.fullmatch(label) if isinstance(label, str) else None
            read = made.get(number_of(value)) if isinstance(value, StandIn) else None
            if match and read and read.name == "get" and read.arguments[1] == match[2]:
                self._names.setdefault(number_of(read.arguments[0]), match[1])
        self._free = [letter for letter in _LETTERS if letter not in self._names.values()]

    def _count(self, stand_in: StandIn) -> None:
        number = number_of(stand_in)
        self._uses[number] = self._uses.get(number, 0) + 1

    def lines(self) -> list[str]:
        """Return the statements, in order."""
        lines = []
        for name, result, arguments in self._history:
            text, power = self._expression(name, arguments)
            uses = self._uses.get(result, 0)
            if name == "set" or not (uses or result in self._names):
                lines.append(text)
            elif name in {"global", "get"} or (uses == 1 and result not in self._names and name != "call"):
                self._texts[result] = (text, power)
            else:
                variable = self._variable(result)
                self._texts[result] = (variable, _ATOM)
                lines.append(f"{variable} = {text}")
        return lines

    def _variable(self, number: int) -> str:
        if number not in self._names:
            self._names[number] = self._free.pop(0) if self._free else f"v{number}".replace("-", "_")
        return self._names[number]

    def _expression(self, name: str, arguments: tuple[Any, ...]) -> tuple[str, int]:
        """Return an operation's text and how tightly it binds."""
        match name:
            case "global":
                return arguments[0], _ATOM
            case "get":
                return f"{self._operand(arguments[0], _ATOM)}.{arguments[1]}", _ATOM
            case "set":
                return f"{self._operand(arguments[0], _ATOM)}.{arguments[1]} = {self._operand(arguments[2])}", 0
            case "getitem" | "setitem" | "delitem":
                item = f"{self._operand(arguments[0], _ATOM)}[{self._operand(arguments[1])}]"
                value = f" = {self._operand(arguments[2])}" if name == "setitem" else ""
                return f"{'del ' if name == 'delitem' else ''}{item}{value}", _ATOM
            case "call":
                function, positional, keywords = arguments
                shown = [self._operand(argument) for argument in positional]
                shown += [f"{key}={self._operand(value)}" for key, value in keywords.items()]
                return f"{self._operand(function, _ATOM)}({', '.join(shown)})", _ATOM
            case "neg" | "pos" | "invert":
                return f"{_PREFIXES[name]}{self._operand(arguments[0], _UNARY)}", _UNARY
            case _ if found := _SYMBOLS.get(name.removesuffix("_")) or _SYMBOLS.get(name.removeprefix("i")):
                symbol, power = found
                left, right = (_ATOM, _UNARY) if power == _POWER else (power, power + 1)
                return f"{self._operand(arguments[0], left)} {symbol} {self._operand(arguments[1], right)}", power
            case _:
                return f"{name}({', '.join(self._operand(argument) for argument in arguments)})", _ATOM

    def _operand(self, value: object, power: int = 0) -> str:
        """Return an operand's text, in parentheses where it binds less than its surroundings need."""
        if isinstance(value, StandIn):
            # What was found in a list has no operation of its own to be named by.
            text, bound = self._texts.get(number_of(value)) or (self._variable(number_of(value)), _ATOM)
        elif isinstance(value, list):
            text, bound = f"[{', '.join(self._operand(item) for item in value)}]", _ATOM
        elif isinstance(value, tuple):
            text, bound = f"({', '.join(self._operand(item) for item in value)}{',' * (len(value) == 1)})", _ATOM
        elif isinstance(value, dict):
            items = [f"{self._operand(key)}: {self._operand(item)}" for key, item in value.items()]
            text, bound = f"{{{', '.join(items)}}}", _ATOM
        else:
            text = hex(value) if isinstance(value, int) and abs(value) >= _HUGE else repr(value)
            bound = _UNARY if text.startswith("-") else _ATOM
        return text if bound >= power else f"({text})"
