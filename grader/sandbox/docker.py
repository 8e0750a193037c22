"""The sandbox of hardened, single-use Docker containers.

A container is created and started with the driver as its first process; its attached streams are the channel. Most of
the time that takes can be hidden: a few are started ahead, and each is still used once. A container has no network,
no capability, a read-only root, a seccomp profile of our own, and limits on memory and processes. It is killed and
removed from outside, whatever it does. One that outlives its grader (killed, or the machine restarted) is found by
its label and removed by the next grader on the same machine; a living grader's containers are left alone.
"""

from __future__ import annotations

import contextlib
import struct
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import requests
from docker.errors import APIError, DockerException, NotFound
from docker.types import LogConfig, Ulimit

from grader.errors import SandboxError
from grader.sandbox import Sandbox, owner
from grader.sandbox.image import IMAGE_TAG, connect, find_image
from grader.sandbox.seccomp import PROFILE

if TYPE_CHECKING:
    import socket

    from docker import DockerClient

    from grader.limits import Limits

OWNER_LABEL = "org.grader.owner"
"""Which process of which machine a container belongs to."""

DRIVER_MEMORY_MIB = 40
"""What the driver and the kernel's own bookkeeping take of a container's memory."""

_ENGINE_ERRORS = (DockerException, requests.RequestException, OSError)
_STREAM_HEADER = struct.Struct("!BxxxI")
_STDOUT = 1
_READY_SECONDS = 60.0
_PATIENCE_SECONDS = 10


class DockerSandbox(Sandbox):
    """Opens a container for each session; lasts as long as the process that grades.

    Args:
        tag: The image to run, found once and then used by its ID.
        ahead: How many containers are started before they are asked for.
        runtime: The engine's runtime to run them with, such as gVisor's `runsc`; its default where it is empty.

    Raises:
        SandboxError: No engine answers, or it has no image of this grader.
    """

    kind = "docker"

    def __init__(self, tag: str = IMAGE_TAG, *, ahead: int = 0, runtime: str = "") -> None:
        self._client = connect()
        self._seccomp = PROFILE.read_text(encoding="utf-8")
        self._runtime = runtime
        self._sessions: list[DockerSession] = []
        self._ahead = ahead
        self._waiting: dict[Limits, deque[Future[DockerSession]]] = {}
        self._starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="starter") if ahead else None
        try:
            self.image = find_image(self._client, tag)
            self._require(runtime)
            sweep(self._client)
        except BaseException:
            self._client.close()
            raise

    def _require(self, runtime: str) -> None:
        """Make sure that the engine has a runtime, before a class is graded with it."""
        known = self._client.info().get("Runtimes", {}) if runtime else {}
        if runtime and runtime not in known:
            raise SandboxError(f"the Docker engine has no runtime {runtime!r}; it has: {', '.join(sorted(known))}")

    def open(self, limits: Limits) -> DockerSession:
        """Start a container, or take one that was started ahead; see `Sandbox.open`."""
        self._sessions = [session for session in self._sessions if session.is_open]
        if self._starter is None:
            session = self._start(limits)
        else:
            waiting = self._waiting.setdefault(limits, deque())
            while len(waiting) <= self._ahead:
                waiting.append(self._starter.submit(self._start, limits))
            session = waiting.popleft().result()
        self._sessions.append(session)
        return session

    def _start(self, limits: Limits) -> DockerSession:
        container = ""
        session: DockerSession | None = None
        try:
            created = self._client.api.create_container(
                self.image,
                host_config=self._host_config(limits),
                stdin_open=True,
                network_disabled=True,
                labels={OWNER_LABEL: owner.this_process()},
            )
            container = created["Id"]
            for warning in created.get("Warnings") or ():
                # An engine that cannot bound something says so and goes on without the bound; we do not.
                raise SandboxError(f"the Docker engine cannot keep to a limit: {warning}")  # noqa: TRY301  # removed below
            session = DockerSession(self._client, container)
            self._client.api.start(container)
        except BaseException as error:
            if container:
                _remove(self._client, container)
            if session is not None:
                session.close()
            if isinstance(error, _ENGINE_ERRORS):
                raise SandboxError(f"the Docker engine cannot start a container: {_one_line(error)}") from error
            raise
        return session

    def _host_config(self, limits: Limits) -> dict[str, object]:
        memory = f"{limits.memory_mib + DRIVER_MEMORY_MIB}m"
        config: dict[str, object] = self._client.api.create_host_config(
            network_mode="none",
            ipc_mode="none",
            read_only=True,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges", f"seccomp={self._seccomp}"],
            mem_limit=memory,
            memswap_limit=memory,
            pids_limit=limits.processes,
            tmpfs={
                "/scratch": f"rw,noexec,nosuid,nodev,size={limits.files_mib}m,nr_inodes={limits.files},mode=1777",
                "/dev/mqueue": "ro",  # in place of the engine's own, where anybody can make files that nobody counts
            },
            ulimits=[Ulimit(name="core", soft=0, hard=0)],
            log_config=LogConfig(type="none"),
            runtime=self._runtime or None,
        )
        return config

    def close(self) -> None:
        """Remove every container that is still there."""
        if self._starter is not None:
            self._starter.shutdown(cancel_futures=True)
            for future in (future for waiting in self._waiting.values() for future in waiting):
                if not future.cancelled() and future.exception() is None:
                    future.result().close()
        for session in self._sessions:
            session.close()
        with contextlib.suppress(SandboxError):
            sweep(self._client)  # a worker that was killed has closed nothing
        self._client.close()


class DockerSession:
    """A driver in a container; lasts as long as its submission is graded. Made before the container starts."""

    def __init__(self, client: DockerClient, container: str) -> None:
        self._client = client
        self._container = container
        self._received = bytearray()
        self.is_open = True
        stream = client.api.attach_socket(container, params={"stdin": 1, "stdout": 1, "stream": 1})
        self._stream = stream  # owns the socket, and closes it when it is collected
        self._socket: socket.socket = getattr(stream, "_sock", stream)

    def send(self, data: bytes, deadline: float) -> None:
        """Send all of `data`; see `Session.send`."""
        self._socket.settimeout(max(0.001, deadline - time.monotonic()))
        self._socket.sendall(data)

    def receive(self, deadline: float) -> bytes:
        """Return some bytes that the driver wrote; see `Session.receive`.

        The engine puts a header of 8 bytes (stream, three zeros, length) before each piece:
        https://docs.docker.com/reference/api/engine/version/v1.41/#tag/Container/operation/ContainerAttach
        """
        while True:
            if len(self._received) >= _STREAM_HEADER.size:
                stream, length = _STREAM_HEADER.unpack_from(self._received)
                end = _STREAM_HEADER.size + length
                if len(self._received) >= end:
                    payload = bytes(self._received[_STREAM_HEADER.size : end])
                    del self._received[:end]
                    if stream == _STDOUT and payload:
                        return payload
                    continue
            self._socket.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                data = self._socket.recv(1 << 16)
            except ConnectionError:
                data = b""
            if not data:
                return b""
            self._received += data

    def memory_ran_out(self) -> bool:
        """Whether the kernel killed a process of the container for want of memory; see `Session.memory_ran_out`."""
        with contextlib.suppress(*_ENGINE_ERRORS):
            self._client.api.kill(self._container)
        with contextlib.suppress(*_ENGINE_ERRORS):
            self._client.api.wait(self._container, timeout=_PATIENCE_SECONDS)
        with contextlib.suppress(*_ENGINE_ERRORS):
            return bool(self._client.api.inspect_container(self._container)["State"]["OOMKilled"])
        return False

    def close(self) -> None:
        """Kill and remove the container; see `Session.close`."""
        if not self.is_open:
            return
        self.is_open = False
        with contextlib.suppress(*_ENGINE_ERRORS):
            self._client.api.kill(self._container)
        # The engine is slow to bury a container whose output nobody takes.
        deadline = time.monotonic() + _PATIENCE_SECONDS
        with contextlib.suppress(OSError):
            while self.receive(deadline):
                pass
        with contextlib.suppress(OSError):
            self._socket.close()
        self._stream.close()
        _remove(self._client, self._container)


def sweep(client: DockerClient) -> int:
    """Remove the containers of graders of this machine that are no more; return how many there were.

    Raises:
        SandboxError: The engine does not answer.
    """
    try:
        found = client.api.containers(all=True, filters={"label": OWNER_LABEL})
    except _ENGINE_ERRORS as error:
        raise SandboxError(f"the Docker engine cannot list containers: {_one_line(error)}") from error
    orphans = [container["Id"] for container in found if not owner.lives(container["Labels"][OWNER_LABEL])]
    for orphan in orphans:
        _remove(client, orphan)
    return len(orphans)


def _remove(client: DockerClient, container: str) -> None:
    """Remove a container and its anonymous volumes; one that is already going is no fault."""
    for attempt in range(3):
        try:
            client.api.remove_container(container, force=True, v=True)
        except NotFound:
            return
        except APIError as error:
            if error.status_code == requests.codes.conflict:  # its removal is in progress
                return
            time.sleep(0.2 * (attempt + 1))
        except _ENGINE_ERRORS:
            time.sleep(0.2 * (attempt + 1))
        else:
            return


def _one_line(error: Any) -> str:  # noqa: ANN401  # any of the engine's errors
    return " ".join(str(getattr(error, "explanation", None) or error).split())
