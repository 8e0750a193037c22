"""What a check has made in the student's process, and what it does with it. Standard library only."""

from __future__ import annotations

import builtins
import itertools
import operator
import random

from grader.sandbox import wire
from grader.sandbox.absent import refuse
from grader.sandbox.raised import describe, type_name
from grader.sandbox.survey import survey

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    from typing import Any

    from grader.sandbox.execution import Execution

_MAX_ITERATION = 10_000
"""Items taken from an iterable; one with more, which may be endless, is no answer."""
_BUILTINS = frozenset({"len", "bool", "str", "repr"})

_ballast: list[object] = []


def _shuffle_addresses(variant: int) -> dict[str, object]:
    """Have what is made from now on lie elsewhere than in another variant: use up places, and free some of them."""
    places = random.Random(variant)  # noqa: S311  # repeatable on purpose
    count = 2_000 * variant
    ballast = [bytearray(8 + 2 * size) for size in places.randbytes(count)]
    _ballast.extend(itertools.compress(ballast, (byte & 1 for byte in places.randbytes(count))))
    return {}


def _unreadable(why: str) -> dict[str, object]:
    """The reply that stands for an answer that cannot be sent."""
    return {"raised": {"type": "", "message": f"the answer cannot be read: {why}", "frames": [], "limit": ""}}


class Objects:
    """What one check has made in the student's process; lasts as long as the check.

    Args:
        execution: The student's file, which has been run.
    """

    def __init__(self, execution: Execution) -> None:
        self._source = execution.source
        self._module = execution.module
        self._objects: dict[int, object] = {}
        self._found = 0

    def answer(self, request: dict[str, Any]) -> bytes:
        """Begin a check, or carry out what it asks for; return the framed reply."""
        if "cases" in request:
            reply = self.apply(request["cases"])
        elif "names" in request:
            reply = self._survey(request)
        else:
            reply = _shuffle_addresses(request["variant"])
        framed = wire.frame(wire.STUDENT, {"id": request["id"], **reply})
        if len(framed) > wire.MAX_REPLY_BYTES:
            framed = wire.frame(wire.STUDENT, {"id": request["id"], **_unreadable(f"it takes {len(framed)} bytes")})
        return framed

    def apply(self, cases: list[Any]) -> dict[str, object]:
        """Carry out the operations of cases and return the values that each asks for, or what was raised."""
        try:
            return {"values": [self._values(operations, wanted) for operations, wanted in cases]}
        except wire.WireError as error:
            return _unreadable(str(error))
        except BaseException as error:  # noqa: BLE001  # whatever student code raises is an answer
            return {"raised": describe(error, self._source.places)}

    def _values(self, operations: list[Any], wanted: list[int]) -> list[object]:
        for name, result, *arguments in operations:
            self._objects[result] = self._operate(name, [self._argument(argument) for argument in arguments])
        return [wire.encode(self._objects[number], self._refer) for number in wanted]

    def _survey(self, request: dict[str, Any]) -> dict[str, object]:
        homes = {self._module.__name__, *self._source.modules}
        try:
            return survey(self._module, request["names"], homes)
        except BaseException as error:  # noqa: BLE001  # the same
            return {"raised": describe(error, self._source.places)}

    def _argument(self, sent: object) -> object:
        """Return what an operation is done with, as the wire has it: mostly an object, sent as its number."""
        if type(sent) is dict and "r" in sent:
            argument = self._objects[sent["r"]]
            refuse(argument)
            return argument
        return wire.decode(sent, self._resolve)

    def _resolve(self, reference: dict[str, Any]) -> object:
        return self._objects[reference["r"]]

    def _refer(self, value: object) -> object:
        refuse(value)
        self._found -= 1
        self._objects[self._found] = value
        return {"r": self._found, "o": type_name(value)}

    def _operate(self, name: str, arguments: list[Any]) -> object:
        match name:
            case "global":
                try:
                    return self._module.__dict__[arguments[0]]
                except KeyError:
                    raise NameError(f"{self._source.name} defines no name {arguments[0]!r}") from None
            case "get":
                return getattr(arguments[0], arguments[1])
            case "set":
                setattr(*arguments)
                return None
            case "call":
                return arguments[0](*arguments[1], **arguments[2])
            case "list":
                items = list(itertools.islice(arguments[0], _MAX_ITERATION + 1))
                if len(items) > _MAX_ITERATION:
                    raise wire.WireError(f"it has more than {_MAX_ITERATION} items")
                return items
            case "isinstance":
                return isinstance(*arguments)
            case _ if name in _BUILTINS:
                return getattr(builtins, name)(*arguments)
            case _:
                return getattr(operator, name)(*arguments)
