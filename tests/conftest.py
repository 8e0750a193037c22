"""What tests share: a made-up course, the sandboxes, and the proof that none of it is left behind."""

from __future__ import annotations

import base64
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import pytest
from hypothesis import HealthCheck, settings

from grader.checks import Checks
from grader.errors import SandboxError
from grader.exercise import load_exercise
from grader.grading import grade
from grader.sandbox import owner, process, wire
from grader.sandbox.docker import OWNER_LABEL, DockerSandbox
from grader.sandbox.execution import Execution
from grader.sandbox.image import IMAGE_TAG, build_image, connect, find_image
from grader.sandbox.objects import Objects
from grader.sandbox.runner import load_module
from grader.sandbox.unsafe import UnsafeSandbox
from grader.submission import Submission

# How busy the machine is says nothing about the code: a law is tested by examples, not by the clock.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from grader.exercise import Exercise
    from grader.sandbox import Sandbox
    from grader.verdict import Report

collect_ignore = ["hostile", *(["test_user.py"] if os.geteuid() else [])]
"""Programs of students, which are not for pytest to import, whatever they are called; and what only root can do."""

BASE = "grader-base:bookworm"
SECRET = b"the secret of a made-up course"
LEAVING_SECONDS = 10
"""What processes that were told to end may take to do it."""

ENGINE = '''\
"""Numbers that know how they were made."""


class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents

    def __add__(self, other):
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def relu(self):
        return Value(max(self.data, 0.0), ((self, 1.0 if self.data > 0 else 0.0),))

    def backward(self, grad=1.0):
        self.grad += grad
        for parent, slope in self.parents:
            parent.backward(grad * slope)
'''

PROGRAM = '''\
"""Doubles the numbers it reads."""

import sys

for line in sys.stdin:
    print(f"twice {2 * int(line)}")
'''

CHECKS = '''\
"""Public checks."""


def check_value(engine):
    """A value keeps its number."""
    return {"x.data": engine.Value(3.0).data}


def check_relu(engine):
    """Relu stops what is not positive."""
    x = engine.Value(-2.0)
    y = x.relu()
    y.backward()
    return {"y.data": y.data, "x.grad": x.grad}
'''

HIDDEN = '''\
"""Hidden checks."""


def check_relu_at_zero(engine):
    """At exactly 0, relu passes nothing on."""
    x = engine.Value(0.0)
    x.relu().backward()
    return {"x.grad": x.grad}
'''


@dataclass(frozen=True, slots=True)
class TinyCourse:
    """A made-up course on disk; lasts as long as its test.

    Attributes:
        root: Its folder.
        right: What a student hands in who has done all of it.
        wrong: What a student hands in whose relu passes the gradient on at 0.
        slow: What a student hands in who has done all of it, with 2 s to wait for each value.
    """

    root: Path
    right: ClassVar[str] = ENGINE
    wrong: ClassVar[str] = ENGINE.replace("self.data > 0 ", "self.data >= 0 ")
    slow: ClassVar[str] = ENGINE.replace("self.grad = 0.0", "self.grad = float(__import__('time').sleep(2) or 0.0)")

    def write(self, name: str, text: str | bytes) -> Path:
        """Write one file, with the folders it needs, and return its path."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def exercise(
        self,
        checks: str = CHECKS,
        hidden: str = "",
        *,
        name: str = "tiny",
        submit: str = "value.py",
        engine: str = ENGINE,
        program: str = PROGRAM,
        limits: Mapping[str, float] | None = None,
        hint: str = "Look again.",
    ) -> Exercise:
        """Write an exercise whose checks are worth 5 XP each, and load it."""
        self.write("reference/__init__.py", "")
        self.write("reference/engine.py", engine)
        self.write("reference/program.py", program)
        folder = f"exercises/{name}"
        found = {"checks": _checks_in(checks), "hidden": _checks_in(hidden)}
        bounds = {"load_seconds": 10, "check_seconds": 5, "memory_mib": 256} | dict(limits or {})
        manifest = [
            f'title = "A {name} exercise"',
            f'submit = "{submit}"',
            f"xp = {5 * sum(map(len, found.values()))}",
            "[reference]",
            *(f'{role} = "reference.{role}"' for role in ("engine", "program") if role in checks + hidden),
            "[limits]",
            *(f"{key} = {value}" for key, value in bounds.items()),
        ]
        tables = {side: [f'[checks.{each}]\nxp = 5\nhint = "{hint}"' for each in found[side]] for side in found}
        self.write(f"{folder}/exercise.toml", "\n".join([*manifest, *tables["checks"]]))
        self.write(f"{folder}/README.md", "What to do.")
        self.write(f"{folder}/starter.py", "")
        self.write(f"{folder}/checks/check_public.py", checks)
        if hidden:
            self.write(f"{folder}/hidden/hidden.toml", "\n".join(tables["hidden"]))
            self.write(f"{folder}/hidden/check_hidden.py", hidden)
        return load_exercise(self.root / folder)

    def acting(self, act: str, source: str = ENGINE, when: str = "self.data < 0") -> str:
        """Return what a student hands in whose relu does something of its own first."""
        relu = "    def relu(self):\n"
        return source.replace(relu, f"{relu}        if {when}:\n{textwrap.indent(act, ' ' * 12)}\n")

    def hand_in(self, student: str, source: str | bytes, file: str = "value.py") -> Path:
        """Put a file into the folder of submissions."""
        return self.write(f"handed-in/{student}/{file}", source)


def _checks_in(source: str) -> list[str]:
    return re.findall(r"^(?:async )?def (check_\w+)", source, re.MULTILINE)


class Judge(Protocol):
    """Grades a source against an exercise."""

    def __call__(  # noqa: D102
        self, exercise: Exercise, source: str | bytes, student: str = "ada", sandbox: Sandbox | None = None
    ) -> Report: ...


class Command(Protocol):
    """Runs the command line in a process of its own."""

    def __call__(  # noqa: D102
        self, *arguments: object, environment: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]: ...


class Leftovers(Protocol):
    """Names what graders have left behind since the test began."""

    def __call__(self, seconds: float = LEAVING_SECONDS) -> set[str]: ...  # noqa: D102


@pytest.fixture
def course(tmp_path: Path) -> TinyCourse:
    """A course that is still empty."""
    return TinyCourse(tmp_path / "course")


@pytest.fixture(scope="session")
def lasting_course(tmp_path_factory: pytest.TempPathFactory) -> TinyCourse:
    """A course that is still empty, for what is made of it once for many tests."""
    return TinyCourse(tmp_path_factory.mktemp("lasting") / "course-with-a-canary")


@pytest.fixture
def unsafe() -> Iterator[UnsafeSandbox]:
    """The sandbox that is none."""
    with UnsafeSandbox() as sandbox:
        yield sandbox


@pytest.fixture
def docker(sandbox_image: str) -> Iterator[DockerSandbox]:
    """The sandbox of containers, of the image that belongs to this very grader."""
    with DockerSandbox() as sandbox:
        assert sandbox_image == sandbox.image
        yield sandbox


@pytest.fixture
def judge(unsafe: UnsafeSandbox) -> Judge:
    """Grade, in the unsafe sandbox unless another one is given."""

    def judge(exercise: Exercise, source: str | bytes, student: str = "ada", sandbox: Sandbox | None = None) -> Report:
        handed_in = source.encode() if isinstance(source, str) else source
        submission = Submission(student, exercise.id, exercise.submit, handed_in)
        with Checks(exercise) as checks:
            return grade(submission, checks, sandbox or unsafe, SECRET)

    return judge


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody reads, as what root has others run has to be."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def command() -> Command:
    """Run `python -m grader`."""

    def command(
        *arguments: object, environment: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603  # ourselves
            [sys.executable, "-m", "grader", *map(str, arguments)],
            env={**os.environ, **(environment or {})},
            cwd=cwd,
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",
            timeout=120,
            check=False,
        )

    return command


@pytest.fixture(scope="session")
def sandbox_image() -> str:
    """The ID of the sandbox image, built if the engine lacks it or has another grader's."""
    with closing(connect()) as client:
        try:
            return find_image(client)
        except SandboxError:
            return build_image(client, IMAGE_TAG, BASE, lambda _: None)


class Load(Protocol):
    """Runs what a student handed in in this very process; returns the report, and the objects of a check."""

    def __call__(  # noqa: D102
        self,
        source: str | bytes = "",
        *,
        cells: Sequence[str] = (),
        siblings: Mapping[str, str] = ...,
        forbid: Sequence[str] = (),
        execute: bool = True,
    ) -> tuple[dict[str, Any], Objects]: ...


@pytest.fixture
def loaded() -> Iterator[Load]:
    """Run a file as the loaded process does, but here; what that changes is put right in the end."""
    finders, arguments, modules = list(sys.meta_path), sys.argv, dict(sys.modules)

    def load(
        source: str | bytes = "",
        *,
        cells: Sequence[str] = (),
        siblings: Mapping[str, str] = MappingProxyType({}),
        forbid: Sequence[str] = (),
        execute: bool = True,
    ) -> tuple[dict[str, Any], Objects]:
        parts = {f"cell {number}": cell for number, cell in enumerate(cells, start=1)}
        files: Mapping[str, str | bytes] = parts or {"loaded_here.py": source}
        request = {
            "id": "x",
            "module": "loaded_here",
            "name": "loaded_here.py",
            "parts": [[name, _base64(text)] for name, text in files.items()],
            "siblings": [[name, _base64(text)] for name, text in siblings.items()],
            "notebook": bool(cells),
            "execute": execute,
            "forbid": list(forbid),
        }
        execution = Execution(request, "loaded_here")
        received = wire.FrameBuffer(wire.MAX_REPLY_BYTES)
        received.feed(load_module(execution, request))
        taken = received.take()
        assert taken
        return wire.parse(taken[1]), Objects(execution)

    yield load
    sys.meta_path[:], sys.argv = finders, arguments
    for name in sys.modules.keys() - modules.keys():
        del sys.modules[name]
    sys.modules.update(modules)


def _base64(text: str | bytes) -> str:
    return base64.b64encode(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text).decode()


# --------------------------------------------------------------------------------------------------------------------
# Nothing is left behind


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """When all tests are done, no container, no driver and no temporary folder of a grader is left."""
    folder = tmp_path_factory.mktemp("temporary")
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    os.environ["TMPDIR"] = str(folder)
    earlier = _containers() | _drivers()
    yield
    tempfile.tempdir = before
    del os.environ["TMPDIR"]

    assert set() == _left(earlier, LEAVING_SECONDS)
    assert [] == list(folder.glob("grader-*"))


@pytest.fixture
def leftovers() -> Leftovers:
    """What graders have left behind once they have had some time to tidy up."""
    earlier = _containers() | _drivers()
    return lambda seconds=LEAVING_SECONDS: _left(earlier, seconds)


def _left(earlier: set[str], seconds: float) -> set[str]:
    deadline = time.monotonic() + seconds
    while (left := (_containers() | _drivers()) - earlier) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


def _containers() -> set[str]:
    """The containers of this process and of graders that are no more; what other living graders do is theirs."""
    with closing(connect()) as client:
        found = client.api.containers(all=True, filters={"label": OWNER_LABEL})
    owners = {container["Id"]: container["Labels"][OWNER_LABEL] for container in found}
    return {
        f"container {identity}"
        for identity, name in owners.items()
        if name == owner.this_process() or not owner.lives(name)
    }


def _drivers() -> set[str]:
    """The drivers, and what was forked from them or started in their place, of this process or of one that is gone."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:  # it has just ended
            continue
        if b"grader.sandbox." in command and parent in {"1", str(os.getpid())}:
            found.add(f"process {folder.name}")
    return found


@pytest.fixture(scope="session", autouse=True)
def _measured_drivers() -> Iterator[None]:
    """Where coverage is measured, drivers are told; their environment is made from scratch."""
    measuring = {name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")}
    process.ENVIRONMENT.update(measuring)
    yield
    for name in measuring:
        del process.ENVIRONMENT[name]
