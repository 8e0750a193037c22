"""The profile of system calls, `seccomp.json`, compiled for a sandbox that has no engine to do it.

The profile is written in Docker's format (https://docs.docker.com/engine/security/seccomp/) and is the only list of
what is allowed. A filter is a program of the classic Berkeley Packet Filter that the kernel runs over each call's
`struct seccomp_data`; see seccomp(2). `syscalls.json` has the numbers of the calls, from the kernel's own headers
(`arch/x86/entry/syscalls/syscall_64.tbl`, `include/uapi/asm-generic/unistd.h`).
"""

from __future__ import annotations

import json
import platform
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.errors import SandboxError

if TYPE_CHECKING:
    from collections.abc import Sequence

PROFILE = Path(__file__).with_name("seccomp.json")
_NUMBERS = Path(__file__).with_name("syscalls.json")

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x4000_0000
"""Set in the numbers of a second set of calls that x86_64 has, which no rule is about."""

# Instructions: struct sock_filter { __u16 code; __u8 jt; __u8 jf; __u32 k; } and their codes, from <linux/filter.h>.
_INSTRUCTION = struct.Struct("=HBBI")
_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_AND = 0x54  # BPF_ALU | BPF_AND | BPF_K
_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K

# Where struct seccomp_data { int nr; __u32 arch; __u64 instruction_pointer; __u64 args[6]; } has what (little-endian).
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16

_ELSE = 255
"""Stands for the way to the end of a rule, until that is known."""

_ALLOW = 0x7FFF_0000
_ERRNO = 0x0005_0000

Instruction = tuple[int, int, int, int]


def compile_profile(machine: str = "", also: Sequence[dict[str, Any]] = ()) -> bytes:
    """Return the filter for a machine, as an array of `struct sock_filter`.

    Args:
        machine: `x86_64` or `aarch64`; this machine's where it is empty.
        also: Further rules, written as in the profile.

    Raises:
        SandboxError: The profile does not know this kind of machine.
    """
    machine = machine or platform.machine()
    if machine not in _AUDIT_ARCH:
        raise SandboxError(f"there is no list of system calls for {machine}: use --sandbox docker")
    profile = json.loads(PROFILE.read_text(encoding="utf-8"))
    numbers = json.loads(_NUMBERS.read_text(encoding="utf-8"))
    refuse = _ERRNO | profile["defaultErrnoRet"]
    program: list[Instruction] = [
        (_LOAD, 0, 0, _ARCH_AT),
        (_EQUAL, 1, 0, _AUDIT_ARCH[machine]),
        (_RETURN, 0, 0, refuse),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, 0, 1, _X32_BIT),
        (_RETURN, 0, 0, refuse),
    ]
    for rule in (*profile["syscalls"], *also):
        action = _ALLOW if rule["action"] == "SCMP_ACT_ALLOW" else _ERRNO | rule["errnoRet"]
        for name in rule["names"]:
            if machine in numbers[name]:  # some calls one machine has and another has not
                program += _rule(numbers[name][machine], rule.get("args", []), action)
    program.append((_RETURN, 0, 0, refuse))
    return b"".join(_INSTRUCTION.pack(*instruction) for instruction in program)


def _rule(number: int, conditions: list[dict[str, Any]], action: int) -> list[Instruction]:
    """Return instructions that take `action` for one call if all its conditions hold, and go on otherwise."""
    body: list[Instruction] = []
    for condition in conditions:
        mask, value = 0xFFFF_FFFF_FFFF_FFFF, condition["value"]
        if condition["op"] == "SCMP_CMP_MASKED_EQ":
            mask, value = condition["value"], condition["valueTwo"]
        for half in (0, 1):
            place = _ARGUMENTS_AT + 8 * condition["index"] + 4 * half
            body += [
                (_LOAD, 0, 0, place),
                (_AND, 0, 0, mask >> 32 * half & 0xFFFF_FFFF),
                (_EQUAL, 0, _ELSE, value >> 32 * half & 0xFFFF_FFFF),
            ]
    body.append((_RETURN, 0, 0, action))
    if conditions:
        body.append((_LOAD, 0, 0, _NUMBER_AT))  # the next rule's question, after a condition that did not hold
        end = len(body) - 1
        body = [(code, jt, end - at - 1 if jf == _ELSE else jf, k) for at, (code, jt, jf, k) in enumerate(body)]
    return [(_EQUAL, 0, len(body), number), *body]
