"""The compiled filter lets pass what the profile allows, and nothing else, on every machine that it knows."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest

from grader.errors import SandboxError
from grader.sandbox.seccomp import _AUDIT_ARCH, _NUMBERS, PROFILE, compile_profile

RULES: list[dict[str, Any]] = json.loads(PROFILE.read_text(encoding="utf-8"))["syscalls"]
NUMBERS: dict[str, dict[str, int]] = json.loads(_NUMBERS.read_text(encoding="utf-8"))
ALLOWED = {
    name for rule in RULES if "args" not in rule and rule["action"] == "SCMP_ACT_ALLOW" for name in rule["names"]
}
ALLOW = 0x7FFF_0000


def decide(program: bytes, number: int, arch: int) -> int:
    """Run a filter over a call whose arguments are all 0, as seccomp(2) says, and return its action."""
    data = struct.pack("<IIQ6Q", number, arch, 0, *[0] * 6)
    instructions = list(struct.iter_unpack("=HBBI", program))
    value = at = 0
    while True:
        code, when_true, when_false, constant = instructions[at]
        at += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("<I", data, constant)
            case 0x54:
                value &= constant
            case 0x15:
                at += when_true if value == constant else when_false
            case 0x35:
                at += when_true if value >= constant else when_false
            case _:
                return int(constant)


@pytest.mark.parametrize("machine", sorted(_AUDIT_ARCH))
def test_what_is_allowed(machine: str) -> None:
    """A call without conditions passes on the machine that has it, and not by another machine's numbers."""
    program = compile_profile(machine)
    other = {*_AUDIT_ARCH.values()} - {_AUDIT_ARCH[machine]}
    for name in ALLOWED:
        if machine in NUMBERS[name]:
            assert ALLOW == decide(program, NUMBERS[name][machine], _AUDIT_ARCH[machine]), name
            assert {ALLOW} != {decide(program, NUMBERS[name][machine], arch) for arch in other}, name


@pytest.mark.parametrize("machine", sorted(_AUDIT_ARCH))
def test_what_is_refused(machine: str) -> None:
    """A number that no rule is about, or of the second set of calls, is refused."""
    program = compile_profile(machine)
    for number in (0x3FFF_FFFF, 0x4000_0000, 0xFFFF_FFFF):
        assert ALLOW != decide(program, number, _AUDIT_ARCH[machine])


def test_an_unknown_machine() -> None:
    """Where the numbers of the calls are not known, another sandbox is named."""
    with pytest.raises(SandboxError, match=r"no list of system calls for riscv64: use --sandbox docker"):
        compile_profile("riscv64")
