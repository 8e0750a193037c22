"""Stand-ins for the student's objects: what a check holds in its hands when it runs on the student's side.

A check is ordinary Python. `engine.Value(3.0) ** 2` on the student's side records two operations and returns a
stand-in; nothing is sent until a plain value is needed, and then everything recorded goes in one message. An attribute
that is read stays a stand-in until it is used: returned from a check it is fetched with the rest; calculated with,
compared, tested or formatted it first becomes a plain value on the host, so that no object of the student's ever takes
part in a comparison. Objects stay inside; the host holds numbers for them. So do lists and dictionaries, which may
change: they are asked anew whenever they are used.
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, NamedTuple

from grader.errors import ExerciseError
from grader.sandbox import wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_MAX_PENDING = 5_000
"""Operations that are recorded before they are sent without being asked for."""
_MAX_TYPE_NAME = 100


class Frame(NamedTuple):
    """A line of the student's code that an exception passed through.

    Attributes:
        file: The file, or the cell of a notebook; empty where there is only one.
        line: The line's number there.
        function: The function that it is in; empty where there is none.
        text: The line.
        times: How often it was passed through in a row, as in a recursion.
    """

    file: str
    line: int
    function: str
    text: str
    times: int = 1

    @property
    def place(self) -> str:
        """Where it is, such as `line 4` or `cell 3, line 4`."""
        return f"{self.file}, line {self.line}" if self.file else f"line {self.line}"

    def __str__(self) -> str:
        """The line with its place, as a traceback shows it."""
        function = f", in {self.function}" if self.function and self.function != "<module>" else ""
        repeated = f" (repeated {self.times} times)" if self.times > 1 else ""
        return f"  {self.place}{function}: {self.text}{repeated}"


class StudentError(Exception):
    """The student's code raised an exception, or answered with something that is no answer.

    Attributes:
        kind: The exception's type, empty where there was none.
        message: Its message.
        frames: Where it passed through the student's files; innermost last.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str = "",
        frames: Sequence[Frame] = (),
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.frames = tuple(frames)

    def __str__(self) -> str:
        """The exception as its author's interpreter would have shown it, innermost frame last."""
        head = f"{self.kind}: {self.message}" if self.kind and self.message else self.kind or self.message
        return "\n".join([head, *map(str, self.frames)])


class Opaque(NamedTuple):
    """An object where a plain value was asked for; knows only the name of its type."""

    type_name: str


def opaque(reference: dict[str, object]) -> Opaque:
    """Read what the student's process sends in place of an object.

    Raises:
        WireError: It is something else.
    """
    number, type_name = reference.get("r"), reference.get("o")
    if len(reference) != 2 or type(number) is not int or not isinstance(type_name, str):  # noqa: PLR2004  # both
        raise wire.WireError("a reference that is none")
    return Opaque(type_name[:_MAX_TYPE_NAME])


# --------------------------------------------------------------------------------------------------------------------
# Recording


class Operation(NamedTuple):
    """One operation that a check asked for."""

    name: str
    result: int
    arguments: tuple[Any, ...]


class Recorder:
    """The operations of one case, recorded, sent when a value is needed, and kept to be shown; emptied for each case.

    Args:
        apply: Has operations carried out and returns the values that are wanted, undecoded.
        first: The number that the first object gets.
    """

    def __init__(self, apply: Callable[[list[list[object]], list[int]], list[object]], first: int = 1) -> None:
        self._apply = apply
        self._pending: list[list[object]] = []
        self.history: list[Operation] = []
        self._reads: dict[int, StandIn] = {}
        self._next = first
        self.has_answered = False

    def forget(self) -> None:
        """Start anew; stand-ins made before are of no use any more."""
        self._pending.clear()
        self.history.clear()
        self._reads.clear()
        self.has_answered = False

    def record(self, name: str, *arguments: object) -> StandIn:
        """Record an operation and return the stand-in for its result."""
        result = self._next
        self._next += 1
        self._pending.append([name, result, *(self._encode(argument) for argument in arguments)])
        self.history.append(Operation(name, result, arguments))
        stand_in = StandIn(self, result)
        if len(self._pending) >= _MAX_PENDING:
            self.fetch([])
        return stand_in

    def read(self, name: str, *arguments: object) -> StandIn:
        """Record the reading of something that is probably a plain value, to be fetched with the next message."""
        stand_in = self.record(name, *arguments)
        self._reads[_state(stand_in).number] = stand_in
        return stand_in

    def unread(self, stand_in: StandIn) -> None:
        """Take a read stand-in for an object from now on: it was called, so its value is of no interest."""
        self._reads.pop(_state(stand_in).number, None)

    def is_read(self, stand_in: StandIn) -> bool:
        """Whether a stand-in was read and its value is not known yet."""
        return _state(stand_in).number in self._reads

    def fetch(self, wanted: Sequence[StandIn]) -> None:
        """Have everything that is pending carried out, and learn the values of `wanted` and of what was read."""
        targets = {_state(stand_in).number: stand_in for stand_in in wanted} | self._reads
        operations = self._pending
        self._pending = []
        self._reads = {}
        values = self._apply(operations, list(targets))
        self.has_answered = self.has_answered or bool(values)
        for stand_in, value in zip(targets.values(), values, strict=True):
            state = _state(stand_in)
            try:
                state.value = wire.decode(value, self._resolve)
            except wire.WireError as error:
                raise StudentError(f"the answer cannot be read: {error}") from None
            if isinstance(state.value, StandIn):
                state.value = _state(state.value).value
            state.known = isinstance(state.value, Opaque | bool | int | float | str | None)

    def resolve(self, value: object) -> object:
        """Return what a check returned with plain values in place of stand-ins, or `Opaque`; in one message."""
        missing = self._unknown(value)
        if missing or self._pending:
            self.fetch(missing)
        return filled_in(value, lambda stand_in: _state(stand_in).value)

    def outstanding(self, value: object) -> tuple[list[list[object]], list[int]]:
        """Return what would have to be asked to resolve what a check returned: operations, and objects by number."""
        returned = [_state(stand_in).number for stand_in in self._unknown(value)]
        return self._pending, [*dict.fromkeys([*returned, *self._reads])]

    @staticmethod
    def _unknown(value: object) -> list[StandIn]:
        missing: list[StandIn] = []
        each_stand_in(value, lambda stand_in: None if _state(stand_in).known else missing.append(stand_in))
        return missing

    def _resolve(self, reference: dict[str, object]) -> StandIn:
        value = opaque(reference)
        number = reference["r"]
        assert isinstance(number, int)  # noqa: S101  # for mypy: it is, in one that could be read
        stand_in = StandIn(self, number)
        state = _state(stand_in)
        state.value = value
        state.known = True
        return stand_in

    def _encode(self, value: object) -> object:
        def refer(value: object) -> object:
            if isinstance(value, StandIn):
                return {"r": _state(value).number}
            if isinstance(value, complex):  # what a root of the student's negative number is
                raise StudentError("expected a number, got an object of type complex")
            remedy = "pass plain values and the student's own objects only"
            raise ExerciseError("a check", [f"it passes a {type(value).__name__} to the student's code; {remedy}"])

        return wire.encode(value, refer)


class _State:
    """What is known of a stand-in; kept apart so that no attribute of the student's can collide with it.

    Attributes:
        recorder: Where what is done with it is recorded.
        number: What it stands for inside the sandbox.
        value: Its plain value, or `Opaque`, when it was last fetched.
        known: Whether that is its value for good.
    """

    __slots__ = ("known", "number", "recorder", "value")

    def __init__(self, recorder: Recorder, number: int) -> None:
        self.recorder = recorder
        self.number = number
        self.known = False
        self.value: object = None


def _state(stand_in: StandIn) -> _State:
    state: _State = object.__getattribute__(stand_in, "_state_")
    return state


def number_of(stand_in: StandIn) -> int:
    """Return the number that a stand-in's object has inside the sandbox."""
    return _state(stand_in).number


def _settled(stand_in: StandIn) -> object:
    """Return a stand-in's plain value, or `Opaque` if it stands for an object."""
    state = _state(stand_in)
    if not state.known:
        state.recorder.fetch([stand_in])
    return state.value


def _plain(value: object) -> Any:  # noqa: ANN401  # any plain value
    """Return a value as the host can use it.

    Raises:
        StudentError: It is an object of the student's.
    """
    if not isinstance(value, StandIn):
        return value
    settled = _settled(value)
    if isinstance(settled, Opaque):
        raise StudentError(f"expected a number, got an object of type {settled.type_name}")
    return settled


def each_stand_in(value: object, visit: Callable[[StandIn], None]) -> None:
    """Visit every stand-in in what a check passed or returned."""
    if isinstance(value, StandIn):
        visit(value)
    elif isinstance(value, list | tuple):
        for item in value:
            each_stand_in(item, visit)
    elif isinstance(value, dict):
        for item in value.values():
            each_stand_in(item, visit)


def filled_in(value: object, value_of: Callable[[StandIn], object]) -> object:
    """Return what a check returned with values in place of stand-ins, and of those that are inside these."""
    if isinstance(value, StandIn):
        return filled_in(value_of(value), value_of)
    if isinstance(value, list):
        return [filled_in(item, value_of) for item in value]
    if isinstance(value, tuple) and not isinstance(value, Opaque):
        return tuple(filled_in(item, value_of) for item in value)
    if isinstance(value, dict):
        return {filled_in(key, value_of): filled_in(item, value_of) for key, item in value.items()}
    return value


# --------------------------------------------------------------------------------------------------------------------
# Stand-ins


class Engine:
    """The student's module; `engine.Value` is whatever the student calls `Value`."""

    __slots__ = ("_recorder_",)

    def __init__(self, recorder: Recorder) -> None:
        object.__setattr__(self, "_recorder_", recorder)

    def __getattr__(self, name: str) -> StandIn:
        if name.startswith("__"):
            raise AttributeError(name)
        recorder: Recorder = object.__getattribute__(self, "_recorder_")
        return recorder.record("global", name)

    def __setattr__(self, name: str, value: object) -> None:
        raise ExerciseError("a check", [f"it assigns `engine.{name}`; the student's module cannot be changed"])


def _on_host(name: str, arguments: tuple[object, ...]) -> object:
    """Carry out an operation whose operands are all plain, as it would have been inside.

    Raises:
        StudentError: Its result would be larger than any answer. To Python it is one step, which no alarm ends.
    """
    if len(arguments) > 1 and _size(name.removeprefix("i"), *arguments) > wire.MAX_INT_BITS:
        raise StudentError("with these answers, numbers become too large")
    return getattr(operator, name)(*arguments)


def _size(name: str, left: object, right: object) -> int:
    """At most how large a result is, in bits or characters; 0 if it is no larger than its operands allow."""
    match name, left, right:
        case "pow", int(), int():
            return left.bit_length() * right
        case "mul", int(), int():
            return left.bit_length() + right.bit_length()
        case "lshift", int(), int():
            return left.bit_length() + right
        case "add", str(), str():
            return len(left) + len(right)
        case "mul", str(), int():
            return len(left) * right
        case "mul", int(), str():
            return left * len(right)
        case "mod", str(), _:  # a format that says itself how wide its fields are
            return wire.MAX_INT_BITS + 1
    return 0


def _operate(recorder: Recorder, name: str, *operands: object) -> Any:  # noqa: ANN401  # a stand-in or a plain value
    """Carry out an operation: inside the sandbox, or here if what it needs was read and proves to be plain."""
    known = tuple(_used(operand) for operand in operands)
    if any(isinstance(operand, StandIn) for operand in known):
        return recorder.record(name, *known)
    return _on_host(name, known)


def _used(operand: object) -> object:
    """Return an operand as it takes part in an operation: what was read is fetched first and used if it is plain."""
    if isinstance(operand, StandIn):
        state = _state(operand)
        if state.known or state.recorder.is_read(operand):
            settled = _settled(operand)
            if isinstance(settled, bool | int | float | str | None):
                return settled
    return operand


def _number(stand_in: StandIn) -> Any:  # noqa: ANN401  # whatever converts to a number, but for text
    """Return a plain value that is to become a number; text would, and is none.

    Raises:
        StudentError: It is text, or an object of the student's.
    """
    value = _plain(stand_in)
    if isinstance(value, str):
        raise StudentError("expected a number, got text")
    return value


class StandIn:
    """The stand-in for one object or value inside the sandbox; lasts as long as the case that made it."""

    __slots__ = ("_state_",)

    def __init__(self, recorder: Recorder, number: int) -> None:
        object.__setattr__(self, "_state_", _State(recorder, number))

    def __getattr__(self, name: str) -> StandIn:
        if name.startswith("__"):
            raise AttributeError(name)  # what Python itself looks for and may do without
        recorder = _state(self).recorder
        recorder.unread(self)
        return recorder.read("get", self, name)

    def __setattr__(self, name: str, value: object) -> None:
        recorder = _state(self).recorder
        recorder.unread(self)
        recorder.record("set", self, name, value)

    def __call__(self, *args: object, **kwargs: object) -> StandIn:
        """Call it inside the sandbox."""
        """Record a call, of a class, a function or a method."""
        recorder = _state(self).recorder
        recorder.unread(self)
        return recorder.record("call", self, list(args), kwargs)

    def __instancecheck__(self, instance: object) -> bool:
        """Ask inside the sandbox whether `instance` is one of this class."""
        if not isinstance(instance, StandIn):
            return False
        return bool(_plain(_state(self).recorder.record("isinstance", instance, self)))

    def __getitem__(self, key: object) -> Any:  # noqa: ANN401  # a stand-in or a plain value
        recorder = _state(self).recorder
        recorder.unread(self)
        return recorder.read("getitem", self, key)

    def __setitem__(self, key: object, value: object) -> None:
        recorder = _state(self).recorder
        recorder.unread(self)
        recorder.record("setitem", self, key, value)

    def __delitem__(self, key: object) -> None:
        recorder = _state(self).recorder
        recorder.unread(self)
        recorder.record("delitem", self, key)

    def __contains__(self, item: object) -> bool:
        settled = _settled(self)
        if isinstance(settled, str):
            return _plain(item) in settled
        return item in (list(self) if isinstance(settled, Opaque) else settled)  # type: ignore[operator]  # or it raises

    def __iter__(self) -> Iterator[Any]:
        state = _state(self)
        state.recorder.unread(self)
        return iter(_plain(state.recorder.record("list", self)))

    def __len__(self) -> int:
        recorder = _state(self).recorder
        recorder.unread(self)
        length: int = _plain(recorder.record("len", self))
        return length

    def __bool__(self) -> bool:
        settled = _settled(self)
        if isinstance(settled, Opaque):
            settled = _plain(_state(self).recorder.record("bool", self))
        return bool(settled)

    def __eq__(self, other: object) -> bool:
        mine = _settled(self)
        theirs = _settled(other) if isinstance(other, StandIn) else other
        if isinstance(mine, Opaque) or isinstance(theirs, Opaque):
            return self is other
        return bool(mine == theirs)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        settled = _settled(self)
        return object.__hash__(self) if isinstance(settled, Opaque) else hash(settled)

    def __lt__(self, other: object) -> bool:
        return bool(_plain(self) < _plain(other))

    def __le__(self, other: object) -> bool:
        return bool(_plain(self) <= _plain(other))

    def __gt__(self, other: object) -> bool:
        return bool(_plain(self) > _plain(other))

    def __ge__(self, other: object) -> bool:
        return bool(_plain(self) >= _plain(other))

    def __float__(self) -> float:
        return float(_number(self))

    def __int__(self) -> int:
        return int(_number(self))

    def __index__(self) -> int:
        return int(operator.index(_plain(self)))

    def __round__(self, digits: int | None = None) -> Any:  # noqa: ANN401  # int or float
        return round(_plain(self), digits)

    def __floor__(self) -> int:
        floor: int = math.floor(_plain(self))
        return floor

    def __ceil__(self) -> int:
        ceiling: int = math.ceil(_plain(self))
        return ceiling

    def __trunc__(self) -> int:
        truncated: int = math.trunc(_plain(self))
        return truncated

    def __format__(self, form: str) -> str:
        return format(_plain(self) if form else str(self), form)

    def __str__(self) -> str:
        settled = _settled(self)
        if isinstance(settled, Opaque):
            settled = _plain(_state(self).recorder.record("str", self))
        return str(settled)

    def __repr__(self) -> str:
        settled = _settled(self)
        if isinstance(settled, Opaque):
            return str(_plain(_state(self).recorder.record("repr", self)))
        return repr(settled)


def _unary(name: str) -> Callable[[StandIn], Any]:
    def method(self: StandIn) -> Any:  # noqa: ANN401  # a stand-in or a plain value
        return _operate(_state(self).recorder, name, self)

    return method


def _binary(name: str, *, reflected: bool = False) -> Callable[[StandIn, object], Any]:
    def method(self: StandIn, other: object) -> Any:  # noqa: ANN401  # a stand-in or a plain value
        operands = (other, self) if reflected else (self, other)
        return _operate(_state(self).recorder, name, *operands)

    return method


_UNARY = ("neg", "pos", "invert", "abs")
_BINARY = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor")

for _name in _UNARY:
    setattr(StandIn, f"__{_name}__", _unary(_name))
for _name in _BINARY:
    _function = f"{_name}_" if _name in {"and", "or"} else _name  # as the module `operator` calls them
    setattr(StandIn, f"__{_name}__", _binary(_function))
    setattr(StandIn, f"__r{_name}__", _binary(_function, reflected=True))
    setattr(StandIn, f"__i{_name}__", _binary(f"i{_name}"))
