"""What the containers are, what student code cannot do in them, and what becomes of them."""

from __future__ import annotations

import json
import platform
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

import grader
from grader.checks import Checks
from grader.errors import SandboxError
from grader.grading import grade
from grader.limits import Limits
from grader.sandbox import owner
from grader.sandbox.docker import DRIVER_MEMORY_MIB, OWNER_LABEL, DockerSandbox, sweep
from grader.sandbox.image import connect
from grader.sandbox.seccomp import PROFILE
from grader.student import Student
from grader.submission import Submission
from grader.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docker import DockerClient

    from grader.verdict import Report, Result
    from tests.conftest import Judge, TinyCourse

LIMITS = Limits(memory_mib=100, processes=20, files_mib=3)
MIB = 1 << 20
HIDDEN = '''\
def check_relu_at_zero(engine):
    """At exactly 0, relu passes nothing on."""
    x = engine.Value(0.0)
    x.relu().backward()
    return {"x.grad": x.grad}
'''


class Ask(Protocol):
    """Runs a source in a container and returns the values of some of its names."""

    def __call__(self, source: str, *names: str) -> list[Any]: ...  # noqa: D102


@pytest.fixture
def client() -> Iterator[DockerClient]:
    """The engine."""
    with closing(connect()) as client:
        yield client


@pytest.fixture
def ask(docker: DockerSandbox) -> Ask:
    """Look at a container with the eyes of a student."""

    def ask(source: str, *names: str) -> list[Any]:
        student = Student(Submission("ada", "probe", "probe.py", source.encode()), LIMITS, docker, execute=True)
        try:
            student.load()
            student.begin()
            values = student.recorder.resolve([getattr(student.engine, name) for name in names])
        finally:
            student.close()
        assert isinstance(values, list)
        return values

    return ask


def ours(client: DockerClient) -> list[str]:
    """The containers of this process, the oldest first."""
    found = client.api.containers(all=True, filters={"label": f"{OWNER_LABEL}={owner.this_process()}"})
    return [container["Id"] for container in reversed(found)]


def verdicts(report: Report) -> list[Verdict]:
    """The verdict of each check, in order."""
    return [result.verdict for result in report.results]


class TestSettings:
    """A container is as closed as the engine can make it."""

    @pytest.fixture
    def settings(self, docker: DockerSandbox, client: DockerClient) -> Iterator[dict[str, Any]]:
        """What the engine says of a container while it is open."""
        docker.open(LIMITS)
        (container,) = ours(client)
        yield client.api.inspect_container(container)
        docker.close()
        assert [] == ours(client)

    def test_host_config(self, settings: dict[str, Any]) -> None:
        """No network, no capability, nothing shared, nothing writable, nothing kept."""
        host = settings["HostConfig"]

        assert "none" == host["NetworkMode"]
        assert "none" == host["IpcMode"]
        assert "none" == host["LogConfig"]["Type"]
        assert ["ALL"] == host["CapDrop"]
        assert host["ReadonlyRootfs"] is True
        for name in ("Privileged", "CapAdd", "Binds", "Devices", "VolumesFrom", "PidMode", "UsernsMode"):
            assert not host[name]
        assert [] == [mount for mount in settings["Mounts"] if mount["Type"] != "tmpfs"]

    def test_bounds(self, settings: dict[str, Any]) -> None:
        """Memory, with no swap beyond it, processes, files and core dumps are bounded."""
        host = settings["HostConfig"]

        assert [(100 + DRIVER_MEMORY_MIB) * MIB] * 2 == [host["Memory"], host["MemorySwap"]]
        assert 20 == host["PidsLimit"]
        assert {"noexec", "nosuid", "nodev", "size=3m"} <= set(host["Tmpfs"]["/scratch"].split(","))
        assert [{"Name": "core", "Hard": 0, "Soft": 0}] == host["Ulimits"]

    def test_filter(self, settings: dict[str, Any]) -> None:
        """New privileges are refused, and system calls filtered by our own profile."""
        options = settings["HostConfig"]["SecurityOpt"]
        (profile,) = [option.removeprefix("seccomp=") for option in options if option.startswith("seccomp=")]

        assert "no-new-privileges" in options
        assert json.loads(PROFILE.read_text()) == json.loads(profile)

    def test_config(self, settings: dict[str, Any], docker: DockerSandbox) -> None:
        """It runs the driver of the image that was found, as nobody in particular, without a terminal."""
        config = settings["Config"]

        assert {docker.image} == {config["Image"], settings["Image"]}
        assert "65532:65532" == config["User"]
        assert not config["Tty"]
        assert config["NetworkDisabled"]
        assert owner.this_process() == config["Labels"][OWNER_LABEL]


class TestInside:
    """What student code finds in a container, and what it does not."""

    def test_nothing_but_the_standard_library(self, ask: Ask) -> None:
        """Neither the reference nor the grader nor anything that is installed can be imported."""
        names = [
            "reference",
            "grader",
            "exercises",
            "pytest",
            "pip",
            "setuptools",
            "ensurepip",
            "numpy",
            "torch",
            "click",
        ]
        source = f"""
            import importlib
            found = []
            for name in {names!r}:
                try:
                    importlib.import_module(name)
                except ImportError:
                    continue
                found.append(name)
            import asyncio, collections, dataclasses, decimal, functools, itertools, json, math, random, re
            standard = math.sqrt(4.0)
        """

        assert [[], 2.0] == ask(_dedented(source), "found", "standard")

    def test_nothing_of_the_host(self, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
        """No path, no name and no variable of the host is to be seen."""
        monkeypatch.setenv("GRADER_SECRET", "a canary in the environment")
        places = [str(Path(grader.__file__).parent), str(Path.cwd()), "/var/run/docker.sock", "/root"]
        source = f"""
            import os, platform
            places = [place for place in {places!r} if os.path.exists(place)]
            node = platform.node()
            secrets = [name for name, value in os.environ.items() if "canary" in value or name.startswith("GRADER")]
        """
        places, node, secrets = ask(_dedented(source), "places", "node", "secrets")

        assert ([], []) == (places, secrets)
        assert platform.node() != node

    def test_nothing_to_write_to(self, ask: Ask) -> None:
        """Only /scratch can be written to; nothing there can be run."""
        source = """
            import os, subprocess, sys
            places = ["/", "/bin", "/dev", "/dev/shm", "/etc", "/home", "/opt/grader", "/proc/sys/kernel", "/run"]
            places += ["/scratch", "/sys/fs/cgroup", "/tmp", "/usr", "/var/tmp", os.path.dirname(os.__file__)]
            written = []
            for place in places:
                try:
                    with open(place + "/probe", "w") as file:
                        file.write("#!" + sys.executable)
                except OSError:
                    continue
                written.append(place)
            os.chmod("/scratch/probe", 0o755)
            try:
                run = subprocess.run(["/scratch/probe"]).returncode
            except OSError as error:
                run = type(error).__name__
        """

        assert [["/scratch"], "PermissionError"] == ask(_dedented(source), "written", "run")

    def test_nobody_to_talk_to(self, ask: Ask) -> None:
        """There is no network, not even to oneself, and no device but the harmless ones."""
        source = """
            import os, socket
            opened = []
            for family in socket.AddressFamily:
                for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
                    try:
                        socket.socket(family, kind).close()
                    except OSError:
                        continue
                    opened.append((family.name, kind.name))
            interfaces = os.listdir("/sys/class/net")
            devices = sorted(each.name for each in os.scandir("/dev") if not each.is_symlink() and not each.is_dir())
        """
        harmless = ["full", "null", "random", "tty", "urandom", "zero"]

        assert [[], ["lo"], harmless] == ask(_dedented(source), "opened", "interfaces", "devices")

    def test_nobody_else(self, ask: Ask) -> None:
        """It sees only its own processes, and cannot look into the driver, trace it or end it."""
        source = """
            import ctypes, os, signal
            def refused(function, *arguments):
                try:
                    function(*arguments)
                except OSError as error:
                    return type(error).__name__
                return "allowed"
            commands = {open(f"/proc/{pid}/cmdline").read() for pid in os.listdir("/proc") if pid.isdigit()}
            processes = len(commands) == 1 and "grader.sandbox.start" in commands.pop()
            driver = [refused(open, f"/proc/1/{name}", "rb") for name in ("mem", "environ", "maps")]
            driver += [refused(os.listdir, "/proc/1/fd"), refused(os.readlink, "/proc/1/cwd")]
            ptrace = ctypes.CDLL(None, use_errno=True).ptrace(16, 1, 0, 0)
            for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGSEGV):
                refused(os.kill, 1, number)
            uid = os.getuid(), os.getgid(), os.getgroups()
            capabilities = [line.split()[1] for line in open("/proc/self/status") if line.startswith("Cap")]
        """
        processes, driver, ptrace, uid, capabilities = ask(
            _dedented(source), "processes", "driver", "ptrace", "uid", "capabilities"
        )

        assert processes
        assert {"PermissionError"} == set(driver)
        assert -1 == ptrace
        assert (65532, 65532) == uid[:2]
        assert {"0000000000000000"} == set(capabilities)

    def test_single_use(self, ask: Ask) -> None:
        """The next submission finds nothing of the one before."""
        source = """
            import os
            found = os.listdir("/scratch")
            for number in range(3):
                open(f"/scratch/{number}", "w").close()
        """

        assert [[[]], [[]]] == [ask(_dedented(source), "found") for _ in range(2)]


class TestLimits:
    """What takes more than it may is stopped, and costs the one check."""

    @pytest.mark.parametrize("act", ["hog = bytearray(1 << 40)", "hog = [bytearray(1 << 20) for _ in range(10_000)]"])
    def test_memory(self, course: TinyCourse, judge: Judge, docker: DockerSandbox, act: str) -> None:
        """Too much memory is its own verdict, taken at once or bit by bit; the next check runs."""
        exercise = course.exercise(hidden=HIDDEN, limits={"memory_mib": 100})
        report = judge(exercise, course.acting(act), sandbox=docker)

        assert [Verdict.PASSED, Verdict.MEMORY, Verdict.PASSED] == verdicts(report)

    @pytest.mark.parametrize(
        "act",
        [
            "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
            "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(99,)).start()",
        ],
    )
    def test_bombs(self, course: TinyCourse, judge: Judge, docker: DockerSandbox, act: str) -> None:
        """A bomb of processes or threads does not pass, takes bounded time, and the next check runs."""
        exercise = course.exercise(hidden=HIDDEN, limits={"check_seconds": 1})
        started = time.monotonic()
        report = judge(exercise, course.acting(act), sandbox=docker)

        assert [True, False, True] == [result.passed for result in report.results]
        assert 20 > time.monotonic() - started

    def test_printed(self, course: TinyCourse, judge: Judge, docker: DockerSandbox) -> None:
        """Whoever prints without end and is right has full marks."""
        report = judge(course.exercise(), course.acting("print('x' * 50_000_000)"), sandbox=docker)

        assert report.passed


class TestLifeCycle:
    """A container belongs to one submission, and goes with it."""

    def test_killed_from_outside(self, course: TinyCourse, docker: DockerSandbox, client: DockerClient) -> None:
        """When a container is lost, the check that was running is an error and the rest runs in another one."""
        exercise = course.exercise(hidden=HIDDEN)
        seen: list[list[str]] = []

        def kill(result: Result) -> None:
            seen.append(ours(client))
            if result.check == "check_value":
                client.api.kill(seen[0][0])

        with Checks(exercise) as checks:
            submission = Submission("ada", "tiny", "value.py", course.right.encode())
            report = grade(submission, checks, docker, b"some twenty characters", kill)

        assert [Verdict.PASSED, Verdict.ERROR, Verdict.PASSED] == verdicts(report)
        assert seen[0] != seen[2]
        assert [] == ours(client)

    def test_closed_with_the_sandbox(self, docker: DockerSandbox, client: DockerClient) -> None:
        """What is open when the sandbox closes is closed, and closing again is no fault."""
        sessions = [docker.open(LIMITS) for _ in range(2)]
        assert 2 == len(ours(client))
        sessions[0].close()
        assert 1 == len(ours(client))
        docker.close()

        assert [] == ours(client)
        for session in sessions:
            session.close()

    def test_removed_by_another(self, docker: DockerSandbox, client: DockerClient) -> None:
        """A container that somebody else removes meanwhile is no fault."""
        session = docker.open(LIMITS)
        client.api.remove_container(ours(client)[0], force=True)
        session.close()

        assert not session.memory_ran_out()

    def test_does_not_start(self, sandbox_image: str, client: DockerClient) -> None:
        """A container that the engine cannot start is removed, and the engine's reason told on one line."""
        with DockerSandbox(sandbox_image) as sandbox:
            sandbox._seccomp = '{"defaultAction": "SCMP_ACT_NONE_OF_ALL"}'  # noqa: SLF001  # nothing else breaks it here
            with pytest.raises(SandboxError, match=r"^the Docker engine cannot start a container: .+$") as caught:
                sandbox.open(LIMITS)
            assert [] == ours(client)

        assert "\n" not in str(caught.value)

    def test_runtime(self, sandbox_image: str) -> None:
        """A runtime that the engine has is used, and one that it has not is refused before anything starts."""
        with DockerSandbox(sandbox_image, runtime="runc") as sandbox:
            assert sandbox.open(LIMITS).receive(time.monotonic() + 10)
        with pytest.raises(SandboxError, match=r"has no runtime 'no-such-runtime'; it has: .*runc"):
            DockerSandbox(sandbox_image, runtime="no-such-runtime")

    def test_sweep(self, sandbox_image: str, client: DockerClient) -> None:
        """Only what belongs to dead processes of this machine is swept, whatever its state."""
        machine, pid, start = owner.this_process().rsplit("-", 2)
        owners = {
            "ended": f"{machine}-4194304-{start}",
            "number in use again": f"{machine}-{pid}-1",
            "alive": owner.this_process(),
            "elsewhere": f"another_machine-{pid}-{start}",
            "odd": "nobody",
            "odder": f"{machine}-x-y",
        }
        made = {
            name: client.api.create_container(sandbox_image, stdin_open=True, labels={OWNER_LABEL: label})["Id"]
            for name, label in owners.items()
        }
        client.api.start(made["number in use again"])
        try:
            assert 2 <= sweep(client)
            there = {each["Id"] for each in client.api.containers(all=True, filters={"label": OWNER_LABEL})}
            assert {"alive", "elsewhere", "odd", "odder"} == {name for name in made if made[name] in there}
        finally:
            for name in ("alive", "elsewhere", "odd", "odder"):
                client.api.remove_container(made[name], force=True)

    def test_swept_at_start(self, sandbox_image: str, client: DockerClient) -> None:
        """A grader sweeps when it starts."""
        machine = owner.this_process().rsplit("-", 2)[0]
        orphan = client.api.create_container(sandbox_image, labels={OWNER_LABEL: f"{machine}-4194304-1"})["Id"]
        DockerSandbox().close()

        assert orphan not in {each["Id"] for each in client.api.containers(all=True)}

    def test_ends_by_itself(self, docker: DockerSandbox, client: DockerClient, course: TinyCourse) -> None:
        """A container whose grader is gone does not go on running, even in the middle of student code."""
        student = Student(Submission("ada", "tiny", "value.py", course.right.encode()), LIMITS, docker, execute=True)
        student.load()
        (container,) = ours(client)
        (session,) = docker._sessions  # noqa: SLF001  # a grader that is killed loses its end of the channel
        session._socket.close()  # noqa: SLF001  # the same
        session._stream.close()  # noqa: SLF001  # the same
        deadline = time.monotonic() + 10
        while client.api.inspect_container(container)["State"]["Running"]:
            assert deadline > time.monotonic()
            time.sleep(0.05)


def _dedented(source: str) -> str:
    lines = source.strip("\n").splitlines()
    return "\n".join(line.removeprefix("            ") for line in lines)
