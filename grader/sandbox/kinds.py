"""The sandboxes by the names they have on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from grader.sandbox import Sandbox

Kind = Literal["docker", "unsafe"]


def open_sandbox(kind: Kind) -> Sandbox:
    """Return a sandbox of one kind.

    Raises:
        SandboxError: This machine lacks what it needs.
    """
    # Each is imported when it is asked for: a student's machine has no use for the Docker client.
    match kind:
        case "docker":
            from grader.sandbox.docker import DockerSandbox  # noqa: PLC0415

            return DockerSandbox()
        case "unsafe":
            from grader.sandbox.unsafe import UnsafeSandbox  # noqa: PLC0415

            return UnsafeSandbox()
