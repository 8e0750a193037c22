"""The options that say where a class is graded: in which sandbox, and by which machines."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from grader.cli.shared import options_as
from grader.errors import GraderError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from grader.batch import Executor
    from grader.exercise import Exercise
    from grader.sandbox import Sandbox
    from grader.sandbox.kinds import SandboxChoice

_HERE = ("127.0.0.1", "::1", "localhost")


def _address(_context: click.Context, _option: click.Parameter, address: str | None) -> str | None:
    """The address of a scheduler, which talks TLS or is on this machine."""
    if address is None:
        return None
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not (host and port) or parts.scheme not in {"tls", "tcp"}:
        raise click.BadParameter(f"{address!r} is no address such as tls://head:8786.")
    if parts.scheme == "tcp" and host not in _HERE:
        raise click.BadParameter("what crosses to other machines is secret; have the scheduler listen on tls://.")
    return address


@dataclass(frozen=True, slots=True)
class Place:
    """Where a class is graded; lasts as long as the command.

    Attributes:
        sandbox: Name of the sandbox.
        runtime: Docker's runtime; empty for the engine's default.
        executor: Name of the executor.
        scheduler: Address of Dask's scheduler; None unless the executor is Dask.
        jobs: Submissions at once; None for as many as there is room for.
    """

    sandbox: str
    runtime: str
    executor: str
    scheduler: str | None
    jobs: int | None

    def check(self) -> None:
        """Makes sure that the options agree.

        Raises:
            UsageError: They do not.
        """
        if self.runtime and self.sandbox not in {"auto", "docker"}:
            raise click.UsageError(f"--runtime is for Docker's containers, and --sandbox is {self.sandbox}.")
        if (self.executor == "dask") != bool(self.scheduler):
            raise click.UsageError("--executor dask and --scheduler ADDRESS belong together; give both, or neither.")

    def choose_sandbox(self) -> SandboxChoice:
        """Chooses the sandbox, after trying it.

        Raises:
            SandboxError: There is none that works here.
        """
        from grader.sandbox.kinds import choose_sandbox  # noqa: PLC0415  # see shared

        return dataclasses.replace(choose_sandbox("docker" if self.runtime else self.sandbox, self.runtime), ahead=1)

    def open_executor(
        self,
        exercises: Sequence[Exercise],
        choice: SandboxChoice,
        sandbox: Sandbox,
        secret: bytes,
        most: int,
        tell: Callable[[str], None],
    ) -> Executor:
        """Opens what grades.

        Args:
            exercises: What the submissions are for.
            choice: The sandbox that was chosen.
            sandbox: The same, opened.
            secret: What hidden inputs are drawn from.
            most: How many submissions there are.
            tell: Is told what keeps other machines from grading.

        Raises:
            GraderError: Dask is not installed, or its scheduler does not answer.
        """
        if self.scheduler is None:
            from grader.batch.local import LocalExecutor  # noqa: PLC0415  # see shared

            return LocalExecutor(exercises, choice, secret, min(self.jobs or os.cpu_count() or 1, most))
        try:
            from grader.batch.dask_client import DaskExecutor  # noqa: PLC0415
        except ModuleNotFoundError as error:
            advice = "`pip install distributed` brings it"
            raise GraderError(f"--executor dask needs {error.name}, which is not installed here; {advice}") from error
        return DaskExecutor(exercises, choice, sandbox, secret, self.scheduler, self.jobs or 0, tell)


_OPTIONS = (
    click.option(
        "--sandbox",
        type=click.Choice(["auto", "docker", "bubblewrap", "unsafe"]),
        default="auto",
        show_default=True,
        help="Where students' code runs. `auto` is Docker where it works, else bubblewrap. `unsafe` isolates nothing: "
        "it is for code you would run yourself.",
    ),
    click.option(
        "--runtime", default="", metavar="NAME", help="Docker's runtime for the containers, such as runsc (gVisor)."
    ),
    click.option(
        "--executor",
        type=click.Choice(["local", "dask"]),
        default="local",
        show_default=True,
        help="Who grades: processes of this machine, or the workers of a Dask scheduler.",
    ),
    click.option(
        "--scheduler",
        callback=_address,
        metavar="ADDRESS",
        help="Dask's scheduler, such as tls://head:8786. Certificates are those that Dask's own configuration names.",
    ),
    click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=1, max=4096),
        help="Submissions at once. [default: one for each processor, or for each thread of Dask's workers]",
    ),
)


place_options = options_as("place", Place, _OPTIONS)
"""Gives a command the options, whose values it gets as `place`."""
