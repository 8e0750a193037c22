"""The sandboxes by the names they have on the command line."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from grader.errors import SandboxError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from grader.sandbox import Sandbox

Kind = Literal["docker", "bubblewrap", "user", "unsafe"]
AUTOMATIC: tuple[Kind, ...] = ("docker", "bubblewrap") if sys.platform == "linux" else ("docker",)
"""What `auto` tries, in this order: nothing that does not isolate. Bubblewrap is Linux's."""

IN_A_CONTAINER: tuple[Kind, ...] = ("bubblewrap", "user")
"""What `auto` tries in a container that a platform has made for one submission."""


@dataclass(frozen=True, slots=True)
class SandboxChoice:
    """Which sandbox to open, as it is told to a worker process; lasts as long as the command.

    Attributes:
        kind: The kind of sandbox.
        runtime: Docker's runtime, such as gVisor's `runsc`; the engine's default where it is empty.
        ahead: How many of Docker's containers are started before they are asked for.
        instead_of: What would have been preferred, and what it lacks; usually empty.
        private: What students must not read, where a sandbox shares its files with the grader.
    """

    kind: Kind
    runtime: str = ""
    ahead: int = 0
    instead_of: str = ""
    private: tuple[Path, ...] = ()

    def open(self) -> Sandbox:
        """Return a sandbox of this kind.

        Raises:
            SandboxError: This machine lacks what it needs; the text says what to install.
        """
        # Each is imported when it is asked for: a student's machine has no use for the Docker client.
        match self.kind:
            case "docker":
                from grader.sandbox.docker import DockerSandbox  # noqa: PLC0415

                return DockerSandbox(ahead=self.ahead, runtime=self.runtime)
            case "bubblewrap":
                from grader.sandbox.bubblewrap import BubblewrapSandbox  # noqa: PLC0415

                return BubblewrapSandbox()
            case "user":
                from grader.sandbox.user import UserSandbox  # noqa: PLC0415

                return UserSandbox(self.private)
            case "unsafe":
                from grader.sandbox.unsafe import UnsafeSandbox  # noqa: PLC0415

                return UnsafeSandbox()


def choose_sandbox(
    name: str, runtime: str = "", *, automatic: Sequence[Kind] = AUTOMATIC, private: tuple[Path, ...] = ()
) -> SandboxChoice:
    """Return the sandbox of a name, after trying it; of `auto`, the first that works here of some.

    Args:
        name: A kind, or `auto`.
        runtime: Docker's runtime.
        automatic: What `auto` tries, the best first.
        private: What students must not read, where a sandbox shares its files with the grader.

    Raises:
        SandboxError: It does not work here, and nothing takes its place; the text says what is lacking.
    """
    lacking: list[str] = []
    for kind in automatic if name == "auto" else [kind for kind in get_args(Kind) if kind == name]:
        choice = SandboxChoice(kind, runtime, instead_of="\n".join(lacking), private=private)
        try:
            choice.open().close()
        except SandboxError as error:
            lacking.append(f"{kind}: {error}")
        else:
            return choice
    if len(lacking) == 1:
        raise SandboxError(lacking[0])
    raise SandboxError("\n  ".join(["no sandbox works on this machine, and nothing is graded without one:", *lacking]))
