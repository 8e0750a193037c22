"""Packs at work in containers that look like the platforms': as root, without a network, with Docker's own rules.

The layouts, and when what is run, are as the platforms document them, see `grader.platforms`. What a platform does
besides is done here by hand: a submission is put into a container that was created, and results are taken out of it.
"""

from __future__ import annotations

import importlib.metadata
import io
import json
import os
import platform
import subprocess
import sys
import tarfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from docker.errors import NotFound

from grader.sandbox.image import connect

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from docker import DockerClient

    from tests.conftest import TinyCourse

BASE = "grader-base:bookworm"
TAGS = {"gradescope": "grader-test:gradescope", "prairielearn": "grader-test:prairielearn"}
SCHEMAS = Path(__file__).parent / "schemas"
SECRET = "a canary that is the secret of a course"  # noqa: S105  # of a made-up one
HIDDEN = '''\
"""Hidden checks, with a canary: 271828."""


def check_relu_at_zero(engine):
    """At exactly 0, relu passes nothing on."""
    x = engine.Value(0.0)
    x.relu().backward()
    return {"x.grad": x.grad}
'''
CANARIES = (SECRET, "271828", "course-with-a-canary")

GRADESCOPE = f"""\
FROM {BASE}
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends unzip >/dev/null
RUN mkdir -p /autograder/results /autograder/submission
COPY autograder.zip /autograder.zip
RUN unzip -q /autograder.zip -d /autograder/source && rm /autograder.zip
RUN bash /autograder/source/setup.sh
RUN cp /autograder/source/run_autograder /autograder/run_autograder && chmod +x /autograder/run_autograder
WORKDIR /autograder
"""

CHEAT = '''
import os
import time

PLACES = ["/autograder", "/grade", "/opt/grader", "/root"]


def steal():
    """Everything that can be read where secrets are, or in the memory of who knows them."""
    for place in PLACES:
        try:
            yield f"{place}: {os.listdir(place)}" if place not in {"/autograder", "/grade"} else ""
        except OSError:
            pass
    names = ["course.secret", "source/course.secret", "tests/course.secret", "results/results.json", "results",
             "source", "tests", "source/course/exercises/tiny/hidden/check_hidden.py", "submission_metadata.json",
             "tests/course/exercises/tiny/hidden/check_hidden.py", "data/data.json"]
    for path in [f"{place}/{name}" for place in ("/autograder", "/grade") for name in names]:
        for how in (lambda: open(path).read(), lambda: str(os.listdir(path))):
            try:
                yield how()
            except OSError:
                pass
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for name in ("environ", "maps", "mem", "cwd", "root", "fd"):
            if int(pid) != os.getpid():
                try:
                    path = f"/proc/{pid}/{name}"
                    yield f"{path}: {os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read(99)}"
                except OSError:
                    pass


def forge():
    for path in ("/autograder/results/results.json", "/grade/results/results.json"):
        try:
            with open(path, "w") as file:
                file.write('{"score": 999}')
            return path
        except OSError:
            pass


def stay():
    """A daemon that goes on trying, and another if that is killed."""
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    forge()
                    time.sleep(0.01)
            os._exit(0)


found = [*filter(None, steal()), *filter(None, [forge()])]
stay()
'''

NO_LANDLOCK = json.dumps(
    {
        "defaultAction": "SCMP_ACT_ALLOW",
        "syscalls": [{"names": ["landlock_create_ruleset"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38}],
    }
)


@dataclass(frozen=True, slots=True)
class Graded:
    """What a container left: its exit status, what it printed, its results if there are any, and temporary files."""

    status: int
    said: str
    results: Any
    left_behind: str


class Platform:
    """An image of a pack, and containers of it; lasts as long as the tests."""

    def __init__(self, client: DockerClient, name: str) -> None:
        self._client = client
        self.name = name
        self.schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))

    def grade(
        self, files: Mapping[str, str | bytes], security: tuple[str, ...] = (), *, unmasked: bool = False
    ) -> Graded:
        """Run a container as the platform does.

        Args:
            files: What is put into it, by path.
            security: Docker's security options.
            unmasked: Whether it sees all of /proc, without which namespaces are of no use.
        """
        gradescope = self.name == "gradescope"
        rules = self._client.api.create_host_config(network_mode="none", mem_limit="768m", security_opt=list(security))
        if unmasked:
            rules |= {"MaskedPaths": [], "ReadonlyPaths": []}
        command = ["/autograder/run_autograder"] if gradescope else None
        created = self._client.api.create_container(TAGS[self.name], command, host_config=rules)
        container = self._client.containers.get(created["Id"])
        try:
            container.put_archive("/", _tar(files))
            container.start()
            status = container.wait(timeout=120)["StatusCode"]
            said = container.logs().decode()
            results = None
            try:
                stream, _ = container.get_archive(f"/{'autograder' if gradescope else 'grade'}/results/results.json")
            except NotFound:
                pass
            else:
                results = json.loads(_only_file(b"".join(stream)))
                jsonschema.validate(results, self.schema)
            return Graded(status, said, results, _files_of_students(container.diff() or []))
        finally:
            container.remove(force=True, v=True)


def _tar(files: Mapping[str, str | bytes]) -> bytes:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            member = tarfile.TarInfo(name.lstrip("/"))
            member.size = len(data)
            member.mode = 0o644
            tar.addfile(member, io.BytesIO(data))
    return archive.getvalue()


def _only_file(archive: bytes) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        opened = tar.extractfile(tar.getmembers()[0])
        assert opened
        return opened.read()


def _files_of_students(changes: list[dict[str, Any]]) -> str:
    """What is left of temporary files."""
    added = 1
    places = ("/tmp/", "/var/tmp/", "/dev/shm/", "/run/lock/")  # noqa: S108  # of the container
    return ", ".join(
        change["Path"] for change in changes if change["Kind"] == added and change["Path"].startswith(places)
    )


@pytest.fixture(scope="session")
def client() -> Iterator[DockerClient]:
    """The engine."""
    with closing(connect()) as client:
        yield client


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that the grader needs, for the Python of the containers."""
    folder = tmp_path_factory.mktemp("wheels")
    needed = [line for line in importlib.metadata.requires("grader") or () if "extra ==" not in line]
    subprocess.run(  # noqa: S603  # ours
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--dest", str(folder)),
            *("--python-version", "3.11", "--platform", f"manylinux2014_{platform.machine()}", *needed),
        ],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return folder


@pytest.fixture(scope="session")
def packs(tmp_path_factory: pytest.TempPathFactory, lasting_course: TinyCourse, wheels: Path) -> Path:
    """A folder with packs of a made-up course for both platforms."""
    folder = tmp_path_factory.mktemp("packs")
    lasting_course.exercise(hidden=HIDDEN)
    grader = [sys.executable, "-m", "grader", "--course", str(lasting_course.root), "pack"]
    for name, arguments in {
        "gradescope": ["--output", folder / "autograder.zip"],
        "prairielearn": ["--output", folder / "pack", "--image", TAGS["prairielearn"]],
    }.items():
        subprocess.run(  # noqa: S603  # ourselves
            [*grader, name, "--wheels", str(wheels), *map(str, arguments)],
            env={**os.environ, "GRADER_SECRET": SECRET},
            check=True,
        )
    return folder


@pytest.fixture(scope="session")
def gradescope(client: DockerClient, packs: Path) -> Iterator[Platform]:
    """Gradescope, with an autograder built from the zip."""
    context: dict[str, str | bytes] = {
        "Dockerfile": GRADESCOPE,
        "autograder.zip": (packs / "autograder.zip").read_bytes(),
    }
    yield from _built(client, "gradescope", context)


@pytest.fixture(scope="session")
def prairielearn(client: DockerClient, packs: Path) -> Iterator[Platform]:
    """PrairieLearn, with the image built from its recipe."""
    image = packs / "pack" / "image"
    context: dict[str, str | bytes] = {
        path.relative_to(image).as_posix(): path.read_bytes() for path in image.rglob("*") if path.is_file()
    }
    yield from _built(client, "prairielearn", context, BASE=BASE)


def _built(client: DockerClient, name: str, context: Mapping[str, str | bytes], **arguments: str) -> Iterator[Platform]:
    client.images.build(
        fileobj=io.BytesIO(_tar(context)),
        custom_context=True,
        tag=TAGS[name],
        buildargs=arguments,
        rm=True,
        forcerm=True,
    )
    yield Platform(client, name)
    client.images.remove(TAGS[name], force=True)


def question(packs: Path) -> dict[str, bytes]:
    """What PrairieLearn puts into a container of a question's own."""
    tests = packs / "pack" / "questions" / "tiny" / "tests"
    files = {
        f"/grade/tests/{path.relative_to(tests)}": path.read_bytes() for path in tests.rglob("*") if path.is_file()
    }
    return {**files, "/grade/data/data.json": b'{"variant_seed": 12345, "params": {}, "submitted_answers": {}}'}


def cheat(course: TinyCourse) -> str:
    """Right work that looks for answers first, and tells what it found in a public check."""
    relu = "    def relu(self):\n"
    return CHEAT + course.right.replace(relu, f"{relu}        assert self.data >= 0, f'found: {{found}}'\n")


METADATA = {"/autograder/submission_metadata.json": '{"users": [{"id": 11}, {"id": 7}], "previous_submissions": []}'}
SCORES = {"right": [5, 5, 5], "wrong": [5, 5, 0], "does not load": [0, 0, 0]}
SAYS = {"right": "", "wrong": "", "does not load": "value.py does not load.\nOSError: no file"}
NO_MODULES = {"does not load": "raise OSError('no file')\n"}


# --------------------------------------------------------------------------------------------------------------------
# Gradescope


@pytest.mark.parametrize("name", SCORES)
def test_gradescope(gradescope: Platform, lasting_course: TinyCourse, name: str) -> None:
    """Every submission has the scores it deserves, and its results are valid."""
    source = NO_MODULES.get(name) or getattr(lasting_course, name)
    graded = gradescope.grade({**METADATA, "/autograder/submission/value.py": source})

    assert 0 == graded.status, graded.said
    assert SCORES[name] == [test["score"] for test in graded.results["tests"]]
    assert "Sandbox: user." in graded.said
    assert "" == graded.left_behind


def test_gradescope_with_another_file(gradescope: Platform) -> None:
    """Where the file that is asked for was not handed in, the score is nothing, and it is said what there was."""
    graded = gradescope.grade({**METADATA, "/autograder/submission/essay.txt": "An essay."})

    assert 0 == graded.status, graded.said
    assert [0, 0, 0] == [test["score"] for test in graded.results["tests"]]
    assert "value.py was not handed in" in graded.results["output"]
    assert "essay.txt is not asked for." in graded.results["output"]


@pytest.mark.parametrize("security", [(), (f"seccomp={NO_LANDLOCK}",)], ids=["Landlock", "no Landlock"])
def test_gradescope_cheat(gradescope: Platform, lasting_course: TinyCourse, security: tuple[str, ...]) -> None:
    """Who looks for answers and writes results finds nothing, changes nothing, and is killed in time."""
    graded = gradescope.grade({**METADATA, "/autograder/submission/value.py": cheat(lasting_course)}, security)

    assert 0 == graded.status, graded.said
    assert [5, 0, 5] == [test["score"] for test in graded.results["tests"]]
    assert "found: []" in graded.results["tests"][1]["output"]
    assert [] == [canary for canary in CANARIES if canary in json.dumps(graded.results)]
    assert bool(security) == ("no Landlock" in graded.said)
    assert "" == graded.left_behind


def test_gradescope_where_namespaces_are_allowed(gradescope: Platform, lasting_course: TinyCourse) -> None:
    """A container that lets it has the better sandbox."""
    files = {**METADATA, "/autograder/submission/value.py": lasting_course.right}
    graded = gradescope.grade(files, ("seccomp=unconfined",), unmasked=True)

    assert "Sandbox: bubblewrap." in graded.said
    assert [5, 5, 5] == [test["score"] for test in graded.results["tests"]]


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        ({"/autograder/source/course/reference/engine.py": "raise RuntimeError"}, "RuntimeError"),
        ({"/autograder/submission_metadata.json": "{}"}, "does not say who handed in"),
    ],
    ids=["course", "metadata"],
)
def test_gradescope_fault(gradescope: Platform, lasting_course: TinyCourse, broken: dict[str, str], says: str) -> None:
    """Where grading itself fails there are no results, which would be a zero, and the instructor reads why."""
    files = {
        **METADATA,
        "/autograder/submission/value.py": lasting_course.right,
        "/autograder/results/results.json": "{}",
    }
    graded = gradescope.grade({**files, **broken})

    assert 3 == graded.status
    assert graded.results is None
    assert says in graded.said


# --------------------------------------------------------------------------------------------------------------------
# PrairieLearn


@pytest.mark.parametrize("name", SCORES)
def test_prairielearn(prairielearn: Platform, packs: Path, lasting_course: TinyCourse, name: str) -> None:
    """Every submission has the score it deserves, and counts, and its results are valid."""
    source, expected = NO_MODULES.get(name) or getattr(lasting_course, name), SCORES[name]
    graded = prairielearn.grade({**question(packs), "/grade/student/value.py": source})

    assert 0 == graded.status, graded.said
    assert (True, sum(expected) / 15) == (graded.results["gradable"], graded.results["score"])
    assert expected == [test["points"] for test in graded.results["tests"]]
    assert "" == graded.left_behind


def test_prairielearn_cheat(prairielearn: Platform, packs: Path, lasting_course: TinyCourse) -> None:
    """Who looks for answers and writes results finds nothing, changes nothing, and is killed in time."""
    graded = prairielearn.grade({**question(packs), "/grade/student/value.py": cheat(lasting_course)})

    assert [5, 0, 5] == [test["points"] for test in graded.results["tests"]]
    assert "found: []" in graded.results["tests"][1]["output"]
    assert [] == [canary for canary in CANARIES if canary in json.dumps(graded.results)]
    assert "" == graded.left_behind


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"/grade/student/essay.txt": "An essay."}, "No file for this exercise was handed in."),
        ({"/grade/data/data.json": "{}"}, "The grader failed"),
        ({"/grade/tests/course/reference/engine.py": "raise RuntimeError"}, "The grader failed"),
    ],
    ids=["no file", "data", "course"],
)
def test_prairielearn_attempt_that_does_not_count(
    prairielearn: Platform, packs: Path, lasting_course: TinyCourse, files: dict[str, str], says: str
) -> None:
    """Where nothing was handed in, or grading itself fails, the attempt does not count: it would be a zero."""
    handed_in = {} if "/grade/student/essay.txt" in files else {"/grade/student/value.py": lasting_course.right}
    graded = prairielearn.grade({**question(packs), **handed_in, **files})

    assert 0 == graded.status
    assert not graded.results["gradable"]
    assert says in graded.results["message"]


def test_prairielearn_image_holds_no_secret(packs: Path) -> None:
    """What the image is made of, which everybody may fetch, has nothing of the course."""
    image = packs / "pack" / "image"
    files = {path.relative_to(image).as_posix(): path.read_bytes() for path in image.rglob("*") if path.is_file()}

    assert {"Dockerfile", "install", "run"} == {name for name in files if not name.endswith(".whl")}
    assert [] == [name for name, data in files.items() for canary in CANARIES if canary.encode() in data]
