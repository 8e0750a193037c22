"""Inert stand-ins for modules that are not there, and for all that is in them. Standard library only.

A file that draws its graph after training should not lose its gradients because there is nothing to draw with. So what
is asked of an absent module is answered by things that do nothing: they can be called, entered, subclassed and
calculated with, contain nothing and are false. What must not come of one is an answer: whatever would make a number of
it raises an error that names the module.
"""

from __future__ import annotations

import sys
import types

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from typing import Any, NoReturn

_MAX_NAME = 100


class AbsentModule(types.ModuleType):
    """A module that is not there."""

    def __getattr__(self, name: str) -> Inert:
        return _attribute(self.__name__, name)

    def __repr__(self) -> str:
        return f"<{self.__name__}: {_top(self.__name__)} is not installed>"


class Inert:
    """Something in a module that is not there.

    Args:
        name: Where in the module, with dots.
    """

    __slots__ = ("__weakref__", "_name_")

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_name_", name)

    def __getattr__(self, name: str) -> Inert:
        return _attribute(_name(self), name)

    def __setattr__(self, name: str, value: object) -> None:
        pass

    def __delattr__(self, name: str) -> None:
        pass

    def __repr__(self) -> str:
        return f"<{_name(self)}: {_top(_name(self))} is not installed>"

    def __format__(self, form: str) -> str:
        if form:
            _refuse(self)
        return str(self)

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Do nothing; as a decorator, to what is decorated."""
        decorated = len(args) == 1 and not kwargs and isinstance(args[0], types.FunctionType | type)
        return args[0] if decorated else self

    def __bool__(self) -> bool:
        return False

    def __len__(self) -> int:
        return 0

    def __contains__(self, item: object) -> bool:
        return False

    def __iter__(self) -> Iterator[Inert]:
        """Nothing; but where as many items are unpacked as there are names, one for each."""
        return iter([self] * _names_to_fill(sys._getframe(1)))  # noqa: SLF001  # there is no public name for it

    def __next__(self) -> NoReturn:
        raise StopIteration

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def __delitem__(self, key: object) -> None:
        pass

    def __enter__(self) -> Inert:  # noqa: PYI034  # no subclass of it is entered
        return self

    def __exit__(self, *_: object) -> None:
        pass

    async def __aenter__(self) -> Inert:  # noqa: PYI034  # the same
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def __aiter__(self) -> Inert:
        return self

    async def __anext__(self) -> NoReturn:
        raise StopAsyncIteration

    def __await__(self) -> Generator[None, None, Inert]:
        yield from ()
        return self

    __hash__ = object.__hash__

    def __instancecheck__(self, instance: object) -> bool:
        return False

    def __subclasscheck__(self, subclass: type) -> bool:
        return False

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        """Be one base class of a class, however many of its bases are absent."""
        first = next(base for base in bases if isinstance(base, Inert))
        return (type("Inert", (_Base,), {"_absent_": self}),) if first is self else ()

    def __copy__(self) -> Inert:
        return self

    def __deepcopy__(self, _: object) -> Inert:
        return self


class _Base:
    """What a class whose base is absent derives from: what it does not define itself does nothing."""

    _absent_: Inert

    def __init__(self, *args: object, **kwargs: object) -> None:
        pass

    def __init_subclass__(cls, **kwargs: object) -> None:
        pass

    def __getattr__(self, name: str) -> Inert:
        inherited: Inert = getattr(self._absent_, name)
        return inherited

    def __call__(self, *_: object, **__: object) -> Inert:
        return self._absent_


def refuse(value: object) -> None:
    """Raise the error of an answer that a stand-in made, if a value is one.

    Raises:
        ModuleNotFoundError: It is; the text names the module.
    """
    if issubclass(type(value), AbsentModule | Inert):
        _refuse(value)


def _refuse(value: Any, *_: object) -> NoReturn:  # noqa: ANN401  # an AbsentModule or Inert
    module = _top(value.__name__ if issubclass(type(value), AbsentModule) else _name(value))
    because = "it is not installed here, and this answer was made with an inert stand-in for it"
    raise ModuleNotFoundError(f"No module named {module!r}: {because}", name=module)


def _attribute(of: str, name: str) -> Inert:
    # Python asks for names like these to learn what an object can do.
    if name.startswith("__") and name != "__version__":
        raise AttributeError(f"{of} is not there, and its stand-in has no {name}")
    return Inert(f"{of}.{name}"[:_MAX_NAME])


def _name(inert: Inert) -> str:
    name: str = object.__getattribute__(inert, "_name_")
    return name


def _top(name: str) -> str:
    return name.partition(".")[0]


def _names_to_fill(frame: types.FrameType) -> int:
    """How many items a frame is about to unpack, as in `figure, axes = subplots()`; 0 where it does not unpack."""
    import opcode  # noqa: PLC0415  # seldom needed

    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at + 1] if opcode.opname[code[at]] in {"UNPACK_SEQUENCE", "UNPACK_EX"} else 0


def _itself(self: Inert, *_: object) -> Inert:
    return self


def _define(method: Callable[..., object], names: str) -> None:
    for name in names.split():
        setattr(Inert, f"__{name}__", method)


_BINARY = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or xor"
_define(_itself, f"getitem reversed neg pos invert abs lt le eq ne gt ge {_BINARY}")
_define(_itself, " ".join(f"r{name}" for name in _BINARY.split()))
_define(_refuse, "int float complex index round floor ceil trunc bytes fspath reduce")
