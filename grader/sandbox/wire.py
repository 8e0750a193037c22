"""Frames and plain values: all that crosses a sandbox's boundary, in both directions. Standard library only.

A frame is a length (4 bytes, big-endian, counting the body), a kind (1 byte) and a body of ASCII JSON. What may stand
in the JSON is spelled out by `encode`; floats travel in hexadecimal, so not a bit is lost and no NaN needs an
extension of JSON. Whatever else arrives raises `WireError`, before anything of its size is allocated.
"""

from __future__ import annotations

import json
import re
import struct

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

PROTOCOL = 5
"""What host and driver must agree on, see `driver`: raised with every change of what they say to each other."""

REQUEST = b"Q"
"""Host to driver, and driver to the student's process: something to do."""
DRIVER = b"D"
"""Driver to host: what the driver itself observed."""
STUDENT = b"S"
"""Driver to host: a reply of the student's process, relayed unread. Nothing in it is to be believed."""

MAX_REQUEST_BYTES = 8 << 20
MAX_REPLY_BYTES = 1 << 20
MAX_JSON_ITEMS = 500_000
MAX_ITEMS = 50_000
MAX_KEYS = 1_000
"""Keys of a dictionary: many that were chosen to collide take quadratic time."""
MAX_DEPTH = 40
MAX_INT_BITS = 16_384

_HEADER = struct.Struct("!I1s")
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?')
_SAFE_INT = 1 << 53
_SAFE_DIGITS = 17  # a sign and sixteen digits
_FLOAT_CHARACTERS = 32  # more than the longest that `float.hex` makes


class WireError(Exception):
    """Bytes or a value that the wire does not carry; the text says why."""


def written(message: object) -> bytes:
    """Return `message`, made of plain JSON types, as it is sent: on one line."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii")


def frame(kind: bytes, message: object, errand: bytes = b"") -> bytes:
    """Return `message`, made of plain JSON types, as one frame.

    Args:
        kind: The frame's kind.
        message: What it says.
        errand: In a request to the driver, what that passes on unread to the student's process: JSON on one line.

    Raises:
        WireError: It is a request that is too large to be accepted.
    """
    body = written(message)
    if errand:
        body += b"\n" + errand
    if kind == REQUEST and (len(body) > MAX_REQUEST_BYTES or _has_too_many_items(body)):
        raise WireError(f"more than {MAX_REQUEST_BYTES >> 20} MiB, or {MAX_JSON_ITEMS} items, at once")
    return _HEADER.pack(len(body), kind) + body


def parse_request(body: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the request in a frame's body, and the errand that comes with it; empty where none does.

    Raises:
        WireError: It is no message, see `parse`.
    """
    message, _, errand = body.partition(b"\n")
    return parse(message), errand


def reframe(kind: bytes, body: bytes) -> bytes:
    """Return a frame around a body that is passed on unread."""
    return _HEADER.pack(len(body), kind) + body


class FrameBuffer:
    """Bytes of one direction on their way to becoming frames; lasts as long as its channel.

    Args:
        limit: The largest body that is accepted, in bytes.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = bytearray()

    def __len__(self) -> int:
        """Bytes received and not yet taken."""
        return len(self._bytes)

    def feed(self, data: bytes) -> None:
        """Add bytes as they arrived."""
        self._bytes += data

    def take(self) -> tuple[bytes, bytes] | None:
        """Return the next frame's kind and body, or None while it is incomplete.

        Raises:
            WireError: The frame announces a larger body than is accepted.
        """
        if len(self._bytes) < _HEADER.size:
            return None
        length, kind = _HEADER.unpack_from(self._bytes)
        if length > self._limit:
            raise WireError(f"a message of {length} bytes; at most {self._limit} are accepted")
        end = _HEADER.size + length
        if len(self._bytes) < end:
            return None
        body = bytes(self._bytes[_HEADER.size : end])
        del self._bytes[:end]
        return kind, body


def parse(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a frame's body.

    Raises:
        WireError: It is not an object of ASCII JSON with distinct keys and small integers, or has too many items.
    """
    if _has_too_many_items(body):
        raise WireError("a message of too many items")
    try:
        message = json.loads(
            body.decode("ascii"),
            object_pairs_hook=_distinct,
            parse_float=_no_float,
            parse_int=_small_int,
            parse_constant=_no_float,
        )
    except WireError:
        raise
    except (ValueError, RecursionError) as error:
        raise WireError(f"not a message: {type(error).__name__}") from None
    if not isinstance(message, dict):
        raise WireError("a message that is no object")
    return message


def _has_too_many_items(body: bytes) -> bool:
    def items(text: bytes) -> int:
        return text.count(b",") + text.count(b"[") + text.count(b"{")

    return items(body) > MAX_JSON_ITEMS and items(_STRING.sub(b"", body)) > MAX_JSON_ITEMS


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise WireError("a message with a key twice")
    return found


def _no_float(_: str) -> NoReturn:
    raise WireError("a message with a number that is no integer")


def _small_int(digits: str) -> int:
    if len(digits) > _SAFE_DIGITS:
        raise WireError("a message with too large a number")
    return int(digits)


def encode(value: object, refer: Callable[[object], object]) -> object:
    """Return `value` as JSON types, floats to the bit.

    None, booleans, strings and small integers stand for themselves and a list for a list. Everything else is an object
    of one key: `f` a float in hexadecimal, `i` a large integer in hexadecimal, `t` a tuple, `d` a dictionary as pairs.
    Types must match exactly, so that no subclass passes for a number; a value of any other type is left to `refer`.

    Raises:
        WireError: The value is too large or too deep to send.
    """
    budget = [MAX_ITEMS]

    def one(value: object, depth: int) -> object:
        budget[0] -= 1
        if budget[0] < 0:
            raise WireError(f"a value of more than {MAX_ITEMS} items")
        if depth > MAX_DEPTH:
            raise WireError(f"a value nested more than {MAX_DEPTH} deep")
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is float:
            return {"f": value.hex()}  # type: ignore[attr-defined]  # narrowed by `kind`, to refuse subclasses
        if kind is int:
            return _encode_int(value)  # type: ignore[arg-type]  # the same
        if kind is list:
            return [one(item, depth + 1) for item in value]  # type: ignore[attr-defined]  # the same
        if kind is tuple:
            return {"t": [one(item, depth + 1) for item in value]}  # type: ignore[attr-defined]  # the same
        if kind is dict and len(value) > MAX_KEYS:  # type: ignore[arg-type]  # the same
            raise WireError(f"a dictionary of more than {MAX_KEYS} keys")
        if kind is dict:
            pairs = value.items()  # type: ignore[attr-defined]  # the same
            return {"d": [[one(key, depth + 1), one(item, depth + 1)] for key, item in pairs]}
        return refer(value)

    return one(value, 0)


def _encode_int(value: int) -> object:
    if -_SAFE_INT < value < _SAFE_INT:
        return value
    if value.bit_length() > MAX_INT_BITS:
        raise WireError(f"an integer of {value.bit_length()} bits")
    return {"i": hex(value)}


def decode(value: object, resolve: Callable[[dict[str, object]], object]) -> Any:  # noqa: ANN401  # it is any plain value
    """Return what `encode` made into `value`; an object that is not of its making is left to `resolve`.

    Raises:
        WireError: `value` is not something that `encode` makes.
    """
    return _decode(value, resolve, 0)


def _decode(value: object, resolve: Callable[[dict[str, object]], object], depth: int) -> object:
    if depth > 2 * MAX_DEPTH:
        raise WireError("a value nested too deep")
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, list):
        return [_decode(item, resolve, depth + 1) for item in value]
    if isinstance(value, dict):
        if len(value) == 1:
            ((tag, inner),) = value.items()
            match tag, inner:
                case "f", str():
                    return _decode_float(inner)
                case "i", str():
                    return _decode_int(inner)
                case "t", list():
                    return tuple(_decode(item, resolve, depth + 1) for item in inner)
                case "d", list():
                    return _decode_dict(inner, lambda item: _decode(item, resolve, depth + 1))
        return resolve(value)
    raise WireError(f"a value of type {type(value).__name__}")


def _decode_float(text: str) -> float:
    if len(text) > _FLOAT_CHARACTERS:
        raise WireError("a float of too many digits")
    try:
        return float.fromhex(text)
    except (ValueError, OverflowError):
        raise WireError("a float that is none") from None


def _decode_int(text: str) -> int:
    if len(text) > MAX_INT_BITS // 4 + 3:
        raise WireError("an integer of too many digits")
    try:
        return int(text, 16)
    except ValueError:
        raise WireError("an integer that is none") from None


def _decode_dict(pairs: list[object], one: Callable[[object], object]) -> dict[object, object]:
    found: dict[object, object] = {}
    if len(pairs) > MAX_KEYS:
        raise WireError(f"a dictionary of more than {MAX_KEYS} keys")
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2:  # noqa: PLR2004  # a pair
            raise WireError("a dictionary that is no list of pairs")
        key = one(pair[0])
        if not isinstance(key, str | int | float | bool | None) or key in found:
            raise WireError("a dictionary with a key that is not plain, or twice")
        found[key] = one(pair[1])
    return found
