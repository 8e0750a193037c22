"""Whatever bytes come over the wire, whoever reads them ends with a verdict: two targets for a coverage-guided fuzzer.

    python tests/fuzz/fuzz_wire.py host -max_total_time=60
    python tests/fuzz/fuzz_wire.py driver -max_total_time=60

`host` is the grader reading what a sandbox says; `driver` is the driver reading what a student's process says. An input
is what the other side sends; the arguments after the target are libFuzzer's.
"""

from __future__ import annotations

import os
import secrets
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Self

import atheris  # type: ignore[import-untyped]  # it has no types

INSTRUMENTED = ["grader.sandbox.wire", "grader.student", "grader.notes", "grader.sandbox.driver"]

with atheris.instrument_imports(include=INSTRUMENTED):
    from grader.compare import agree
    from grader.limits import Limits
    from grader.sandbox import driver, wire
    from grader.sandbox.replies import Gone
    from grader.stand_in import Opaque, StudentError
    from grader.student import Stopped, Student
    from grader.submission import Submission

NONCE = "0123456789abcdef"
PLAIN = (type(None), bool, int, float, str, Opaque)


class Replay:
    """A session and a sandbox that answer with given bytes, in pieces; lasts for one input."""

    kind = image = "replay"

    def __init__(self, data: bytes) -> None:
        self._pieces = [data[at : at + 50] for at in range(0, len(data), 50)]

    def open(self, _: Limits) -> Replay:
        """Itself, as long as there is something to say."""
        return self

    def send(self, data: bytes, deadline: float) -> None:
        """Take what the host says."""

    def receive(self, _: float) -> bytes:
        """The next piece; nothing at the end."""
        return self._pieces.pop(0) if self._pieces else b""

    def memory_ran_out(self) -> bool:
        """Never."""
        return False

    def close(self) -> None:
        """Nothing to close."""

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""


def host(data: bytes) -> None:
    """Load a file, begin a check and ask for a value, with a sandbox that answers `data`."""
    secrets.token_hex = lambda nbytes=None: NONCE  # noqa: ARG005  # called by its name
    ready = wire.frame(wire.DRIVER, {"ready": wire.PROTOCOL})
    sandbox = Replay(ready + data)
    student = Student(Submission("s", "e", "value.py", b""), Limits(), sandbox, execute=True)
    try:
        student.load()
        student.begin()
        value = student.recorder.resolve([student.engine.answer, student.engine.Value(1.0).data])
    except (StudentError, Stopped):
        return
    assert_plain(value)
    agree([1.0, 2.0], value)


def assert_plain(value: object) -> None:
    """Fail on a value that may not reach the comparison."""
    if type(value) in {list, tuple}:
        for item in value:  # type: ignore[attr-defined]  # a list or tuple
            assert_plain(item)
    elif type(value) is dict:
        for key, item in value.items():
            assert_plain(key)
            assert_plain(item)
    else:
        assert type(value) in PLAIN, type(value)


def from_student(data: bytes) -> None:
    """Have the driver read `data` from a student's process that then hangs up."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.settimeout(0)
        sent = theirs.send(data[: 1 << 16]) if data else 0
        theirs.shutdown(socket.SHUT_WR)
        reader = driver.Driver(requests=sys.stdin.fileno(), replies=sys.stdout.fileno())
        try:
            body = reader.receive(ours, time.monotonic() + 1.0, wire.FrameBuffer(wire.MAX_REPLY_BYTES))
        except Gone as gone:
            body = b""
            if gone.reply["status"] not in {"died", "violation", "timeout"}:
                raise
        assert len(body) <= sent


def seeds() -> list[bytes]:
    """Honest conversations, for the fuzzer to spoil."""
    said = [
        wire.frame(wire.STUDENT, {"id": NONCE}),
        wire.frame(wire.STUDENT, {"id": NONCE, "values": [[wire.encode(1.5, str), {"r": -1, "o": "Value"}]]}),
        wire.frame(wire.STUDENT, {"id": NONCE, "raised": {"type": "E", "frames": [[0, 1, "f", "x", 1]]}}),
        wire.frame(wire.STUDENT, {"id": NONCE, "notes": [[0, 1, "failed", "E"]], "absent": ["numpy"]}),
        wire.frame(wire.DRIVER, {"id": NONCE, "status": "timeout", "report": "{}"}),
        wire.frame(wire.DRIVER, {"id": NONCE, "status": "died", "signal": 9, "memory": True}),
    ]
    loaded, value, raised, noted, late, died = said
    begun = loaded + loaded
    return [begun + value, begun + raised, noted + loaded + value, loaded + late, begun + died]


TARGETS = {"host": host, "driver": from_student}


WORDS = (
    '"id"',
    '"status"',
    '"student"',
    '"values"',
    '"raised"',
    '"notes"',
    '"absent"',
    '"report"',
    '{"f":"',
    '{"i":"',
    '{"t":[',
    '{"d":[[',
    '{"r":-1,"o":"',
)
"""What messages are made of, for the fuzzer's dictionary."""


def main() -> None:
    """Fuzz one target, beginning with honest conversations."""
    target = TARGETS[sys.argv.pop(1)]
    with tempfile.TemporaryDirectory(prefix="grader-fuzz-") as folder:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        for number, seed in enumerate(seeds()):
            target(seed)
            (corpus / str(number)).write_bytes(seed)
        words = Path(folder, "words")
        escaped = [word.replace("\\", "\\\\").replace('"', '\\"') for word in WORDS]
        words.write_text("".join(f'"{word}"\n' for word in escaped), encoding="ascii")
        fuzzer = os.fork()  # it leaves without tidying up
        if fuzzer == 0:
            atheris.Setup([*sys.argv, f"-dict={words}", str(corpus)], target)
            atheris.Fuzz()
        status = os.waitpid(fuzzer, 0)[1]
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
