"""The wire carries plain values to the bit, and answers everything else with one exception."""

from __future__ import annotations

import json
import math
import struct
import sys
import tracemalloc
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.sandbox.wire import (
    DRIVER,
    MAX_DEPTH,
    MAX_INT_BITS,
    MAX_ITEMS,
    MAX_JSON_ITEMS,
    MAX_KEYS,
    MAX_REPLY_BYTES,
    MAX_REQUEST_BYTES,
    REQUEST,
    STUDENT,
    FrameBuffer,
    WireError,
    decode,
    encode,
    frame,
    parse,
    reframe,
)

LARGEST_INT = 2**MAX_INT_BITS - 1
PLAIN_KEYS = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False)
SIGNS = st.sampled_from([1, -1])
NUMBERS = (
    st.floats()
    | st.floats(width=32, allow_subnormal=True)
    | st.integers()
    | st.builds(lambda bits, sign: sign * (2**bits - 1), st.integers(1, MAX_INT_BITS), SIGNS)
    | st.builds(lambda bits, more, sign: sign * (2**bits + more), st.integers(0, 600), st.integers(-2, 2), SIGNS)
)
PLAIN = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(PLAIN_KEYS, inner, max_size=4)
    ),
    max_leaves=20,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["f", "i", "t", "d", "r", "o", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)


def refuse(value: object) -> Any:
    """Stand for a side that knows of no objects."""
    raise WireError(f"no plain value: {type(value).__name__}")


def bits(value: object) -> object:
    """Return a value so that two of them are equal only if they are the same to the bit, types and order included."""
    if isinstance(value, float):
        return "float", "nan" if math.isnan(value) else struct.pack("!d", value)
    if isinstance(value, dict):
        return "dict", [(bits(key), bits(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return type(value).__name__, [bits(item) for item in value]
    return type(value).__name__, value


def carried(value: object) -> object:
    """Return what arrives at the other end of a wire."""
    buffer = FrameBuffer(MAX_REQUEST_BYTES)
    buffer.feed(frame(REQUEST, {"value": encode(value, refuse)}))
    taken = buffer.take()
    assert taken is not None
    return decode(parse(taken[1])["value"], refuse)


def peak_memory(action: Any) -> int:
    """Return how many bytes were in use at most while `action` ran, beyond those before it."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        action()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


# --------------------------------------------------------------------------------------------------------------------
# Values


@given(PLAIN)
@example(math.nan)
@example([math.inf, -math.inf, -0.0, 0.0, 5e-324, -5e-324, sys.float_info.max, sys.float_info.min])
@example([True, 1, 1.0, False, 0, 0.0, -0.0, None, ""])
@example({"d": {"f": 1}, "t": ("i", {"r": 1, "o": "E"})})
@example([(), [], {}, [[]], ((),), {"": {}}])
@example("\ud800 \udfff \x00 \ufffe \U0001f600")
def test_plain_values_arrive_to_the_bit(value: object) -> None:
    """Every plain value arrives as it was: type, sign of zero, last bit, order of keys."""
    assert bits(value) == bits(carried(value))


@pytest.mark.parametrize("sign", [1, -1])
def test_integers_of_16384_bits_arrive_and_larger_ones_are_refused(sign: int) -> None:
    """The largest integer has 16384 bits; one more is too many, and nobody's quadratic time is spent on it."""
    assert sign * LARGEST_INT == carried(sign * LARGEST_INT)
    with pytest.raises(WireError, match="an integer of 16385 bits"):
        encode(sign * (LARGEST_INT + 1), refuse)


def test_no_subclass_passes_for_a_plain_value() -> None:
    """A subclass of a plain type is an object like any other: it is left to the caller."""
    classes = [type("E", (base,), {}) for base in (int, float, str, list, tuple, dict)]
    objects = [kind() for kind in classes] + [1j, b"", {1}, range(2), object(), math]

    for each in objects:
        assert {"r": id(each)} == encode(each, lambda value: {"r": id(value)})


def test_objects_are_referred_to_wherever_they_stand() -> None:
    """What `refer` returns stands in the object's place, and `resolve` gets it back."""
    here, there = object(), object()
    value = {"a": [here, 1.5], "b": (there, None)}
    names: dict[object, object] = {here: {"r": 1}, there: {"r": 2, "o": "E"}}

    encoded = json.loads(json.dumps(encode(value, names.__getitem__)))

    assert {"a": [1, 1.5], "b": (2, None)} == decode(encoded, lambda reference: reference["r"])


def test_too_many_items_are_refused() -> None:
    """A value has at most 50,000 items, itself and whatever it is nested in included."""
    assert [0] * (MAX_ITEMS - 1) == carried([0] * (MAX_ITEMS - 1))
    for value in (
        [0] * MAX_ITEMS,
        [[0] * (MAX_ITEMS // 2)] * 2,
        [dict.fromkeys(range(MAX_KEYS))] * (MAX_ITEMS // MAX_KEYS // 2 + 1),
        (0,) * MAX_ITEMS,
    ):
        with pytest.raises(WireError, match="more than 50000 items"):
            encode(value, refuse)


@pytest.mark.parametrize("wrap", [lambda v: [v], lambda v: (v,), lambda v: {0: v}])
def test_too_deep_values_are_refused(wrap: Any) -> None:
    """A value is nested 40 deep at most, so one that contains itself ends too."""
    value: Any = 0
    for _ in range(MAX_DEPTH):
        value = wrap(value)
    endless: list[object] = []
    endless.append(endless)

    assert bits(value) == bits(carried(value))
    for deep in (wrap(value), endless):
        with pytest.raises(WireError, match="nested more than 40 deep"):
            encode(deep, refuse)


def test_keys_that_collide_cost_nothing() -> None:
    """A dictionary has at most a thousand keys, so that no choice of them keeps the host busy."""
    colliding = {((1 << 61) - 1) * (key + 1): 0 for key in range(MAX_KEYS + 1)}
    pairs = [[{"i": hex(key)}, 0] for key in colliding]

    with pytest.raises(WireError, match="more than 1000 keys"):
        encode(colliding, refuse)
    with pytest.raises(WireError, match="more than 1000 keys"):
        decode({"d": pairs}, refuse)
    assert MAX_KEYS == len(decode({"d": pairs[:-1]}, refuse))


def test_the_widest_value_has_few_enough_items_of_json() -> None:
    """Whatever can be encoded can be parsed: 50,000 items never make too many of JSON."""
    values: list[object] = [
        [0.5] * (MAX_ITEMS - 1),
        [()] * (MAX_ITEMS - 1),
        [{}] * (MAX_ITEMS - 1),
        [{float(key): {} for key in range(MAX_KEYS)}] * (MAX_ITEMS // MAX_KEYS // 2 - 1),
    ]

    for value in values:
        assert bits(value) == bits(carried(value))


@given(JSON)
@example({"f": "0x1p+99999"})
@example({"f": "0x1." + "0" * 40})
@example({"f": "\ud800"})
@example({"f": 1})
@example({"i": "0x" + "f" * 5000})
@example({"i": "zz"})
@example({"i": "\ud800"})
@example({"t": "no list"})
@example({"d": "no list"})
@example({"d": [["key"]]})
@example({"d": ["ab"]})
@example({"d": [[[], 1]]})
@example({"d": [[{"t": []}, 1]]})
@example({"d": [["a", 1], ["a", 2]]})
@example({"d": [[1, 1], [True, 2]]})
@example({"x": 1})
@example({})
@example({"f": "0x1p0", "i": "0x1"})
@example(1.5)
def test_anything_else_than_a_value_is_a_wire_error(message: object) -> None:
    """Whatever JSON arrives is a plain value or a `WireError`, and what it decodes to can be sent again."""
    try:
        value = decode(message, refuse)
    except WireError:
        return
    assert bits(value) == bits(decode(encode(value, refuse), refuse))


@pytest.mark.parametrize("tag", ["list", "t", "d"])
def test_too_deep_values_do_not_decode(tag: str) -> None:
    """Nesting is bounded at the receiving end too, long before Python's own limit."""
    value: object = 0
    for _ in range(2 * MAX_DEPTH + 1):
        value = {"list": [value], "t": {"t": [value]}, "d": {"d": [["key", value]]}}[tag]

    with pytest.raises(WireError, match="nested too deep"):
        decode(value, refuse)


def test_objects_are_no_keys() -> None:
    """Where objects are known, they still cannot be a dictionary's keys."""
    with pytest.raises(WireError, match="not plain"):
        decode({"d": [[{"r": 1}, 0]]}, lambda _: object())


# --------------------------------------------------------------------------------------------------------------------
# Messages


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"{",
        b"{}{}",
        b"[]",
        b"1",
        b'"text"',
        b"null",
        b"\xff",
        '{"a": "ä"}'.encode(),
        b'\xef\xbb\xbf{"a": 1}',
        b'{"a": 1, "a": 1}',
        b'{"a": {"b": [{"c": 1, "c": 2}]}}',
        b'{"\\u0061": 1, "a": 1}',
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": -Infinity}',
        b'{"a": 1.0}',
        b'{"a": 1e999}',
        b'{"a": 1E2}',
        b'{"a": ' + b"9" * 18 + b"}",
        b'{"a": -' + b"9" * 17 + b"}",
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"a": ' + b"9" * 500_000 + b"}",
        b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"[" * 100_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"a": "\\x"}',
        b'{"a": "\\ud8"}',
        b'{"a": "\x00"}',
        b'{"a": 0x1}',
        b"{'a': 1}",
        b'{"a": [' + b"0," * MAX_JSON_ITEMS + b"0]}",
        b"[{}" + b",{}" * (MAX_JSON_ITEMS // 2) + b"]",
    ],
    ids=lambda body: repr(body[:24]),
)
def test_malformed_messages_are_wire_errors(body: bytes) -> None:
    """What is no object of ASCII JSON, with distinct keys and small integers, is a `WireError`."""
    with pytest.raises(WireError):
        parse(body)


@given(st.binary(max_size=60))
@example(b'{"a":1}')
def test_any_bytes_are_a_message_or_a_wire_error(body: bytes) -> None:
    """No bytes raise anything but `WireError`."""
    try:
        message = parse(body)
    except WireError:
        return
    assert isinstance(message, dict)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=3), st.data())
def test_mutated_messages_are_messages_or_wire_errors(message: dict[str, object], data: st.DataObject) -> None:
    """Nor do the bytes of a message with some of them changed, taken out or put in."""
    body = bytearray(json.dumps(message).encode())
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(body)))
        body[at : at + data.draw(st.integers(0, 2))] = data.draw(
            st.binary(max_size=2) | st.sampled_from([b"{", b"[", b"-", b'"'])
        )

    try:
        found = parse(bytes(body))
        for value in found.values():
            decode(value, refuse)
    except WireError:
        return


@pytest.mark.parametrize(
    "text", [",[{" * 200_000, '","' * 200_000, "\\\\," * 300_000, '\\"[' * 300_000], ids=lambda text: text[:4]
)
def test_what_stands_in_a_text_is_no_item(text: str) -> None:
    """A text may hold as many commas and brackets as it likes; what stands around it is counted all the same."""
    _, body = _only(reframe(DRIVER, json.dumps({"text": text}).encode()), MAX_REQUEST_BYTES)

    assert {"text": text} == parse(body)
    with pytest.raises(WireError, match="too many items"):
        parse(b'{"a": [' + b"0," * MAX_JSON_ITEMS + b"0]," + body[1:])


@pytest.mark.parametrize("text", ['"', '"\\', '"\\"' * 100_000, '\\"' * 200_000, '"\\\n' * 200_000, '"' * 500_001])
def test_unfinished_texts_are_counted_in_no_time(text: str) -> None:
    """A body that is no JSON is refused as fast as any other."""
    with pytest.raises(WireError):
        parse(b"," * MAX_JSON_ITEMS + text.encode())


def test_too_large_requests_are_not_sent() -> None:
    """A request that the other end would refuse is refused before it is sent; a reply is bounded where it arrives."""
    assert frame(REQUEST, {"text": "x" * (MAX_REQUEST_BYTES - 11)})
    for message in ({"text": "x" * (MAX_REQUEST_BYTES - 10)}, {"items": [0] * (MAX_JSON_ITEMS + 1)}):
        with pytest.raises(WireError, match="more than 8 MiB, or 500000 items, at once"):
            frame(REQUEST, message)
        assert frame(DRIVER, message)


def test_small_integers_and_lone_surrogates_pass() -> None:
    """Integers that a float holds exactly are themselves; text is anything that Python holds as text."""
    message = {"a": 2**53 - 1, "b": -(2**53) + 1, "c": "\ud800", "d": [{"": None}, True]}
    _, body = _only(frame(DRIVER, message))

    assert message == parse(body)


# --------------------------------------------------------------------------------------------------------------------
# Frames


def _only(data: bytes, limit: int = MAX_REPLY_BYTES) -> tuple[bytes, bytes]:
    buffer = FrameBuffer(limit)
    buffer.feed(data)
    taken = buffer.take()
    assert taken is not None
    return taken


@given(
    st.lists(st.tuples(st.sampled_from([REQUEST, DRIVER, STUDENT]), st.binary(max_size=40)), max_size=4),
    st.lists(st.integers(1, 30), min_size=1),
)
def test_frames_arrive_however_they_are_split(frames: list[tuple[bytes, bytes]], sizes: list[int]) -> None:
    """Frames come out whole and in order, wherever the stream was cut, and nothing remains."""
    stream = b"".join(reframe(kind, body) for kind, body in frames)
    buffer = FrameBuffer(100)
    found = []
    at = 0
    for turn in range(len(stream)):
        size = sizes[turn % len(sizes)]
        buffer.feed(stream[at : at + size])
        at += size
        while taken := buffer.take():
            found.append(taken)

    assert frames == found
    assert 0 == len(buffer)


def test_a_relayed_body_is_the_same_frame() -> None:
    """A body passed on unread makes the frame that its message would have made."""
    message = {"id": "n", "values": [1, None]}

    assert frame(STUDENT, message) == reframe(STUDENT, _only(frame(STUDENT, message))[1])


@pytest.mark.parametrize("length", [101, 2**31 - 1, 2**32 - 1])
def test_a_length_over_the_limit_is_refused_at_once(length: int) -> None:
    """A frame that announces too much is refused when its header has arrived."""
    buffer = FrameBuffer(100)
    buffer.feed(struct.pack("!I", length))
    assert buffer.take() is None
    buffer.feed(b"S")

    with pytest.raises(WireError, match=f"a message of {length} bytes; at most 100 are accepted"):
        buffer.take()


def test_a_frame_of_just_the_limit_is_accepted() -> None:
    """The limit itself is not too much."""
    buffer = FrameBuffer(100)
    buffer.feed(reframe(STUDENT, b"x" * 100))

    assert (STUDENT, b"x" * 100) == buffer.take()


def test_the_length_of_a_buffer_is_what_waits_in_it() -> None:
    """A buffer tells how many bytes have come and were not taken."""
    buffer = FrameBuffer(100)
    buffer.feed(reframe(STUDENT, b"x") + b"yz")
    buffer.take()

    assert 2 == len(buffer)


# --------------------------------------------------------------------------------------------------------------------
# Memory


@pytest.mark.parametrize("piece", [b"{},", b"[[[]]],", b"999,", b'{"":0},', b'"\\ud83d\\ude00",'], ids=repr)
def test_hostile_bodies_take_bounded_memory(piece: bytes) -> None:
    """The largest reply that a student's process can send becomes at most 50 MiB, whatever is in it, or an error."""
    body = b'{"values": [' + piece * ((MAX_REPLY_BYTES - 20) // len(piece)) + b"0]}"
    assert len(body) <= MAX_REPLY_BYTES

    def receive() -> None:
        try:
            for value in parse(body)["values"]:
                decode(value, refuse)
        except WireError:
            pass

    assert peak_memory(receive) < 50 << 20


def test_an_announced_length_allocates_nothing() -> None:
    """A header that announces two gigabytes costs nothing."""

    def receive() -> None:
        buffer = FrameBuffer(MAX_REPLY_BYTES)
        buffer.feed(struct.pack("!Ic", 2**31 - 1, STUDENT))
        with pytest.raises(WireError):
            buffer.take()

    assert peak_memory(receive) < 1 << 16


@settings(max_examples=20)
@given(st.sampled_from("fi"), st.integers(33, 200_000))
def test_long_numbers_are_refused_unread(tag: str, length: int) -> None:
    """A float or an integer of too many digits is refused by its length, in no time."""
    digits = "0x" + "f" * max(length, MAX_INT_BITS)

    with pytest.raises(WireError, match="too many digits"):
        decode({tag: digits}, refuse)
