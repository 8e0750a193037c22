"""The sandbox image: what it is built from, and whether the one at hand is ours.

An image holds the standard library of Python and the driver, see `Dockerfile`. It is labelled with the digest
of what it was built from, so that a grader never talks to the driver of another version.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import sys
import tarfile
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

import docker
from docker.errors import APIError, DockerException, ImageNotFound
from docker.utils import parse_repository_tag
from requests.utils import get_environ_proxies

from grader.errors import SandboxError
from grader.sandbox.process import DRIVER_FILES

if TYPE_CHECKING:
    from collections.abc import Callable

    from docker import DockerClient

IMAGE_TAG = "grader-sandbox:latest"
"""What the image is called unless told otherwise. Only to find it: what runs is always an image ID."""

BASE = "python:3.11-slim-bookworm"
"""The default base: it needs a registry, unless the engine has it already."""

LABEL = "org.grader.driver"
"""The label that holds the `driver_digest` an image was built with."""

_HERE = Path(__file__).parent
_ENGINE_ERRORS = (DockerException, OSError)  # a connection that broke is an OSError
_LAST_LINES = 15  # enough for the error of a step that failed


def connect() -> DockerClient:
    """Return a client of the Docker engine that `DOCKER_HOST` names, else of the local one.

    Raises:
        SandboxError: No engine answers; the text says how to get one.
    """
    try:
        client = docker.from_env()
    except DockerException as error:
        remedy = "install Docker Desktop (https://docs.docker.com/desktop), start it, or set DOCKER_HOST"
        if sys.platform == "linux":
            remedy = (
                "install one (sudo apt install docker.io), start it (sudo systemctl start docker), "
                "join the group docker, or set DOCKER_HOST"
            )
        if named := os.environ.get("DOCKER_HOST"):
            raise SandboxError(
                f"no Docker engine answers at DOCKER_HOST={named}: start it, or unset DOCKER_HOST"
            ) from error
        why = " (permission denied)" if "Permission denied" in str(error) else ""
        raise SandboxError(f"no Docker engine answers{why}: {remedy}") from error
    # Else each request looks through the environment for proxies, and fails if pytest changes it in another thread.
    client.api.proxies = get_environ_proxies(client.api.base_url)
    client.api.trust_env = False
    return client


def driver_digest() -> str:
    """Return the SHA-256, in hex, of all that an image is built from except its base."""
    digest = hashlib.sha256()
    for name, data in _context_files().items():
        digest.update(f"{name} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()


def find_image(client: DockerClient, tag: str = IMAGE_TAG) -> str:
    """Return the ID of the image to run.

    Raises:
        SandboxError: There is no such image, or it was built from other files than this grader's.
    """
    try:
        image = client.images.get(tag)
    except ImageNotFound:
        raise SandboxError(f"there is no image {tag}: run `grader image build`") from None
    except _ENGINE_ERRORS as error:
        raise SandboxError(f"the Docker engine cannot look up {tag}: {_explanation(error)}") from error
    if image.labels.get(LABEL) != driver_digest():
        raise SandboxError(f"the image {tag} is of another grader: run `grader image build`")
    return str(image.id)


def build_image(client: DockerClient, tag: str, base: str, on_line: Callable[[str], None]) -> str:
    """Build the image and return its ID.

    Nothing but the files named in this module is sent to the engine, and no step of the build has a network.

    Args:
        client: The engine that builds it, and later runs it.
        tag: What to call it.
        base: An image with Python 3.11 or newer; fetched from its registry if the engine does not have it.
        on_line: Is given each line of the engine's log.

    Raises:
        SandboxError: The base cannot be had, or a step failed.
    """
    _ensure_base(client, base, on_line)
    failure = ""
    printed: deque[str] = deque(maxlen=_LAST_LINES)  # by the step that runs
    try:
        for event in client.api.build(
            fileobj=_context(),
            custom_context=True,
            tag=tag,
            buildargs={"BASE": base},
            labels={LABEL: driver_digest()},
            network_mode="none",
            rm=True,
            forcerm=True,
            decode=True,
        ):
            failure = event.get("error", failure)
            for line in event.get("stream", "").splitlines():
                if line.startswith(("Step ", " ---> ")):
                    printed.clear()
                elif line:
                    printed.append(line)
                if line:
                    on_line(line)
    except _ENGINE_ERRORS as error:
        raise SandboxError(f"the Docker engine cannot build the image: {_explanation(error)}") from error
    if failure:
        # The engine repeats the whole command.
        reason = re.sub(r"^The command '.*' returned", "a step returned", failure, flags=re.DOTALL)
        raise SandboxError("\n".join([f"the image cannot be built on {base}: {reason}", *printed]))
    return find_image(client, tag)


def _ensure_base(client: DockerClient, base: str, on_line: Callable[[str], None]) -> None:
    """Have the engine fetch the base if it lacks it: a build that cannot would not say so plainly."""
    try:
        client.images.get(base)
    except ImageNotFound:
        on_line(f"Fetching {base}")
        try:
            _pull(client, base, on_line)
        except _ENGINE_ERRORS as error:
            raise SandboxError(
                f"{base} cannot be fetched ({_explanation(error)}): where no registry can be reached, run "
                "`scripts/make-base-image`, then `grader image build --base grader-base:bookworm`"
            ) from error
    except _ENGINE_ERRORS as error:
        raise SandboxError(f"the Docker engine cannot look up {base}: {_explanation(error)}") from error


def _pull(client: DockerClient, image: str, on_line: Callable[[str], None]) -> None:
    failure = ""
    repository, tag = parse_repository_tag(image)
    for event in client.api.pull(repository, tag=tag or "latest", stream=True, decode=True):
        failure = event.get("error", failure)
        if "status" in event and "progressDetail" not in event:
            on_line(event["status"])
    if failure:
        raise DockerException(failure)


def _explanation(error: Exception) -> str:
    """The engine's own words, on one line."""
    text = error.explanation if isinstance(error, APIError) and error.explanation else error
    return " ".join(str(text).split())


def _context_files() -> dict[str, bytes]:
    """All that is sent to the engine: name in the build context, and bytes."""
    installed = _HERE / "Dockerfile"
    recipe = installed if installed.exists() else _HERE.parents[1] / "Dockerfile"
    driver = {f"grader/sandbox/{name}": (_HERE / name).read_bytes() for name in DRIVER_FILES}
    return {"Dockerfile": recipe.read_bytes(), **driver}


def _context() -> io.BytesIO:
    """The build context, a tar archive that is the same whoever makes it."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, data in _context_files().items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            member.mode = 0o644
            tar.addfile(member, io.BytesIO(data))
    archive.seek(0)
    return archive
