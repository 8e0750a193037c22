"""A batch on other machines: a real scheduler and real workers, over TLS as docs/scale.md shows, some killed."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.batch.dask_client import DaskExecutor
from grader.batch.dask_worker import Terms
from grader.sandbox.kinds import SandboxChoice
from grader.submission import Submission
from grader.verdict import Provenance, Ungraded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.conftest import Command, TinyCourse

DOCS = Path(__file__).parents[1] / "docs" / "scale.md"
SECONDS = 60.0
"""What anything here may take on a busy machine."""
GONE = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": "/gone.pem" for name in ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")}
HIDDEN = '''\
def check_sum(engine, rng):
    """Numbers add up."""
    a, b = engine.Value(rng.random()), engine.Value(rng.random())
    return {"sum": (a + b).data}
'''
UNLUCKY = '''\
import os
import signal


def check_it(engine):
    """Thirteen is bad luck for the grader."""
    x = engine.Value(1.0)
    if x.data == 13:
        os.kill({whom}, signal.SIGKILL)
    return x.data
'''


@dataclass
class Worker:
    """A Dask worker in a session of its own; lasts until it is killed, at most as long as its cluster."""

    process: subprocess.Popen[bytes]
    log: Path

    @property
    def children(self) -> set[int]:
        """The processes that grade for it."""
        found = set()
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == self.process.pid and b"spawn_main" in (folder / "cmdline").read_bytes():
                    found.add(int(folder.name))
            except OSError:  # it has just ended
                continue
        return found


@dataclass
class Cluster:
    """A scheduler and its workers; lasts as long as its test.

    Attributes:
        folder: Where the scheduler's address and everybody's logs are.
        environment: What Dask is told.
        workers: Everybody who was started.
    """

    folder: Path
    environment: Mapping[str, str]
    workers: list[Worker] = field(default_factory=list)

    def __post_init__(self) -> None:
        file = self.folder / "scheduler.json"
        arguments = ["--protocol", "tls", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        self.scheduler = self._start("scheduler", [*arguments, "--scheduler-file", str(file)])
        try:
            until(lambda: file.exists() and file.read_text().endswith("}"))
            self.address = json.loads(file.read_text())["address"]
        except BaseException:
            self.scheduler.kill()
            raise

    def start_worker(self, *arguments: str, environment: Mapping[str, str] | None = None) -> Worker:
        """Start a worker, of one thread unless something else is asked for, and wait for it."""
        name = f"worker-{len(self.workers)}"
        given = ["--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", str(self.folder / name)]
        process = self._start("worker", [self.address, *given, *arguments], name, environment)
        worker = Worker(process, self.folder / f"{name}.log")
        self.workers.append(worker)
        until(lambda: "Registered to" in worker.log.read_text())
        return worker

    def grade_arguments(self, out: Path, sandbox: str = "unsafe") -> list[str]:
        """What is typed to have these workers grade."""
        chosen = ["--executor", "dask", "--scheduler", self.address, "--sandbox", sandbox, "--log", "json"]
        return ["grade", "handed-in", "-o", str(out), *chosen]

    def close(self) -> None:
        """End everybody."""
        # One after the other: a worker whose scheduler ends at the same moment may wait for it.
        for process in (*(worker.process for worker in self.workers), self.scheduler):
            process.terminate()
            try:
                process.wait(SECONDS / 4)
            finally:
                process.kill()

    def _start(
        self, what: str, arguments: list[str], name: str = "", environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name or what}.log").open("wb") as log:
            return subprocess.Popen(  # noqa: S603  # Dask
                [sys.executable, "-m", "dask", what, *arguments],
                env={**os.environ, **self.environment, **(environment or {})},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )


class Grading:
    """A `grader grade` that is under way, with `--log json`; lasts until it has ended."""

    def __init__(self, course: TinyCourse, arguments: list[str], environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(  # noqa: S603  # ourselves
            [sys.executable, "-m", "grader", *arguments],
            cwd=course.root,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.events: list[dict[str, Any]] = []

    def until(self, event: str, count: int = 1) -> None:
        """Read its log until something has happened so many times."""
        assert self.process.stderr
        while count:
            line = self.process.stderr.readline()
            assert line, self.events
            self.events.append(json.loads(line))
            count -= self.events[-1]["event"] == event

    def end(self) -> int:
        """Read the rest of its log, and return its status."""
        _, err = self.process.communicate(timeout=SECONDS)
        self.events += map(json.loads, err.splitlines())
        return self.process.returncode

    @property
    def remarks(self) -> str:
        """All that was remarked."""
        return "\n".join(event["text"] for event in self.events if event["event"] == "remark")


def until(is_so: Callable[[], object]) -> None:
    """Wait for something."""
    deadline = time.monotonic() + SECONDS
    while not is_so():
        assert deadline > time.monotonic()
        time.sleep(0.05)


def shell_blocks() -> list[str]:
    """What docs/scale.md has one type: how certificates are made, and what machines are told."""
    return re.findall(r"^```sh\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="session")
def tls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What Dask is told by its environment on a machine of a lab."""
    folder = tmp_path_factory.mktemp("certificates")
    make, tell = shell_blocks()[:2]
    subprocess.run(["/bin/bash", "-euc", make], cwd=folder, check=True, capture_output=True)  # noqa: S603  # ours
    tell = tell.replace("/etc/grading", str(folder)).replace("$(hostname -s)", "lab1")
    shell = ["/usr/bin/env", "-i", "/bin/bash", "-euc", f"{tell}\n/usr/bin/env -0"]
    told = subprocess.run(shell, check=True, capture_output=True)  # noqa: S603  # ours
    pairs = (pair.split("=", 1) for pair in told.stdout.decode().split("\0") if pair.startswith("DASK_"))
    return dict(pairs)


@pytest.fixture
def cluster(tmp_path: Path, tls: dict[str, str]) -> Iterator[Cluster]:
    """A scheduler that has no workers yet."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    with closing(Cluster(folder, tls)) as cluster:
        yield cluster


@pytest.fixture
def grading(course: TinyCourse, cluster: Cluster) -> Iterator[Any]:
    """Start grading what was handed in, on the cluster."""
    started: list[Grading] = []

    def grading(out: Path, sandbox: str = "unsafe", environment: Mapping[str, str] | None = None) -> Grading:
        told = {**cluster.environment, **(environment or {})}
        started.append(Grading(course, cluster.grade_arguments(out, sandbox), told))
        return started[-1]

    yield grading
    for each in started:
        each.process.kill()
        each.process.communicate()


def outcomes(out: Path) -> dict[str, dict[str, Any]]:
    """What `results.json` says of each student, but for times."""

    def timeless(value: Any) -> Any:
        match value:
            case dict():
                return {name: timeless(each) for name, each in value.items() if name != "seconds"}
            case list():
                return [timeless(each) for each in value]
        return value

    record = json.loads((out / "results.json").read_text(encoding="utf-8"))
    return {outcome["student"]: outcome for outcome in timeless(record["outcomes"])}


def attempts(out: Path) -> list[str]:
    """Whose work was graded, as often as it was."""
    with closing(sqlite3.connect(out / "gradebook.sqlite")) as opened:
        return [student for (student,) in opened.execute("SELECT student FROM attempt ORDER BY student")]


class TestSameResults:
    """A cluster comes to what this machine comes to."""

    def test_worker_killed(
        self, course: TinyCourse, cluster: Cluster, grading: Any, command: Command, tmp_path: Path
    ) -> None:
        """With one of three workers killed in mid-batch, results are the same to the byte but for times."""
        course.exercise(hidden=HIDDEN)
        sources = [course.right, course.wrong, course.slow, "class Value\n", course.slow, "import os; os._exit(3)"]
        names = [f"student{number:02}" for number in range(9)]
        for number, name in enumerate(names):
            course.hand_in(name, sources[number % len(sources)])
        here, there = tmp_path / "here", tmp_path / "there"
        done = command("grade", "handed-in", "-o", here, "--sandbox", "unsafe", "--jobs", "2", cwd=course.root)
        there.mkdir()
        (there / "course.secret").write_bytes((here / "course.secret").read_bytes())
        workers = [cluster.start_worker(), cluster.start_worker(), cluster.start_worker("--nthreads", "2")]
        batch = grading(there)
        batch.until("submission_done", 2)
        workers[0].process.kill()
        status = batch.end()
        told = [event["student"] for event in batch.events if event["event"] == "submission_done"]

        assert (0, 0) == (done.returncode, status)
        assert outcomes(here) == outcomes(there)
        assert (here / "xp.csv").read_bytes() == (there / "xp.csv").read_bytes()
        assert (here / "summary.md").read_bytes() == (there / "summary.md").read_bytes()
        assert names == sorted(told)
        assert names == attempts(there)
        assert "batch_ended" in {event["event"] for event in batch.events}
        assert [set(), set()] == [worker.children for worker in workers[1:]]

    def test_process_that_dies(self, course: TinyCourse, cluster: Cluster, grading: Any, tmp_path: Path) -> None:
        """What kills the process that grades it is ungraded as it would be here, and the worker lives on."""
        course.exercise(UNLUCKY.format(whom="os.getpid()"))
        course.hand_in("ada", course.right.replace("self.data = data", "self.data = 13"))
        course.hand_in("blaise", course.right)
        worker = cluster.start_worker()
        status = grading(tmp_path / "out").end()
        found = outcomes(tmp_path / "out")

        assert 3 == status
        assert found["ada"]["reason"].startswith("the process that graded it died")
        assert "graded" == found["blaise"]["state"]
        assert worker.process.poll() is None

    def test_submission_that_kills_workers(
        self, course: TinyCourse, cluster: Cluster, grading: Any, tmp_path: Path
    ) -> None:
        """A submission whose workers die each time is ungraded in the end; others are graded."""
        course.exercise(UNLUCKY.format(whom="os.getppid()"))
        course.hand_in("ada", course.right.replace("self.data = data", "self.data = 13"))
        course.hand_in("blaise", course.right)
        cluster.start_worker("--nanny")
        status = grading(tmp_path / "out").end()
        found = outcomes(tmp_path / "out")

        assert 3 == status
        assert "4 workers died while they graded it; grade it again" == found["ada"]["reason"]
        assert "graded" == found["blaise"]["state"]


class TestRefusals:
    """A worker grades nothing that would come out differently there."""

    def test_another_copy(self, course: TinyCourse, cluster: Cluster, grading: Any, tmp_path: Path) -> None:
        """One with other checks, or another reference, says so and leaves everything to others, if there are some."""
        course.exercise()
        for name in ("ada", "blaise"):
            course.hand_in(name, course.right)
        for name, part in {
            "checks": "exercises/tiny/checks/check_public.py",
            "reference": "reference/engine.py",
        }.items():
            subprocess.run(["cp", "-r", course.root, tmp_path / name], check=True)  # noqa: S603, S607  # a copy
            with (tmp_path / name / part).open("a") as file:
                file.write("\n# another\n")
            cluster.start_worker(environment={"GRADER_COURSE": str(tmp_path / name)})
        alone = grading(tmp_path / "alone")
        status = alone.end()
        sound = cluster.start_worker(environment={"GRADER_COURSE": str(course.root)})
        together = grading(tmp_path / "together")

        assert 3 == status
        assert "does not take part: its copy of the exercise tiny is not the client's; copy the course" in alone.remarks
        assert "does not take part: its copy of the reference of tiny is not the client's; copy the" in alone.remarks
        assert all("no worker can grade it; tls://" in each["reason"] for each in outcomes(tmp_path / "alone").values())
        assert 0 == together.end()
        assert ["graded", "graded"] == [each["state"] for each in outcomes(tmp_path / "together").values()]
        assert sound.process.poll() is None

    def test_not_fit(self, course: TinyCourse, cluster: Cluster, grading: Any, tmp_path: Path) -> None:
        """One without the course, without leave to start processes, or of another version says so."""
        course.exercise()
        course.hand_in("ada", course.right)
        cluster.start_worker(environment={"GRADER_COURSE": str(tmp_path / "nowhere")})
        cluster.start_worker("--nanny", environment={"DASK_DISTRIBUTED__WORKER__DAEMON": "True"})
        versions = tmp_path / "versions" / "pytest-0.dist-info"
        versions.mkdir(parents=True)
        (versions / "METADATA").write_text("Metadata-Version: 2.1\nName: pytest\nVersion: 0\n")
        cluster.start_worker(environment={"PYTHONPATH": str(versions.parent)})
        batch = grading(tmp_path / "out")

        assert 3 == batch.end()
        assert re.search(r"does not take part: GRADER_COURSE names .*nowhere, which has no folder", batch.remarks)
        assert "Dask lets it start no processes of its own; start it with DASK_DISTRIBUTED__WORKER__" in batch.remarks
        assert re.search(
            r"it has python [\d.]+, .*pytest 0.*, and the client python .*; install the same", batch.remarks
        )

    def test_sandbox_that_is_gone(
        self, course: TinyCourse, cluster: Cluster, grading: Any, public: Path, tmp_path: Path
    ) -> None:
        """One of another image, or whose sandbox fails in mid-batch, refuses, and nobody is ungraded for that."""
        course.exercise()
        for number in range(6):
            course.hand_in(f"student{number}", course.slow)
        (public / "bwrap").symlink_to("/usr/bin/bwrap")
        cluster.start_worker(environment={"PATH": str(public)})
        (public / "other").mkdir(mode=0o755)
        (public / "other" / "bwrap").write_text(
            '#!/bin/sh\ncase $1 in --version) echo 0;; *) exec /usr/bin/bwrap "$@"; esac\n'
        )
        (public / "other" / "bwrap").chmod(0o755)
        cluster.start_worker(environment={"PATH": str(public / "other")})
        cluster.start_worker()
        batch = grading(tmp_path / "out", "bubblewrap")
        batch.until("submission_done", 1)
        (public / "bwrap").unlink()

        assert 0 == batch.end()
        assert 2 == batch.remarks.count("does not take part: ")
        assert re.search(
            r"its sandbox runs CPython [\d.]+, 0, and the client's CPython .*; give it the same", batch.remarks
        )
        assert {"graded"} == {each["state"] for each in outcomes(tmp_path / "out").values()}


class TestEnds:
    """However a batch ends, nothing of it goes on, and nothing is lost."""

    def test_interrupted(self, course: TinyCourse, cluster: Cluster, grading: Any, tmp_path: Path) -> None:
        """After Ctrl-C what is done is written, workers grade no more, and the same command goes on."""
        course.exercise()
        for name in ("ada", "blaise", "carl"):
            course.hand_in(name, course.slow if name != "ada" else course.right)
        worker = cluster.start_worker()
        batch = grading(tmp_path / "out")
        batch.until("submission_done", 1)
        batch.process.send_signal(signal.SIGINT)
        status = batch.end()
        until(lambda: not worker.children)
        found = outcomes(tmp_path / "out")
        last = [event for event in batch.events if event["event"] != "remark"][-1]

        assert 130 == status
        assert ["graded", "ungraded", "ungraded"] == [each["state"] for each in found.values()]
        assert ("batch_interrupted", 1, 3) == (last["event"], last["done"], last["total"])
        assert "Interrupted. The same command goes on from here." in batch.remarks
        assert 0 == grading(tmp_path / "out").end()
        assert ["ada", "blaise", "carl"] == attempts(tmp_path / "out")

    def test_client_killed(self, course: TinyCourse, cluster: Cluster, grading: Any, tmp_path: Path) -> None:
        """What a client leaves that was killed is ended by the next one."""
        course.exercise()
        course.hand_in("ada", course.slow)
        worker = cluster.start_worker("--nthreads", "2")
        batch = grading(tmp_path / "out")
        batch.until("submission_started", 1)
        until(lambda: worker.children)
        batch.process.kill()
        left = worker.children

        assert 0 == grading(tmp_path / "out").end()
        assert left
        until(lambda: not worker.children)

    def test_scheduler_lost(self, course: TinyCourse, cluster: Cluster, grading: Any, tmp_path: Path) -> None:
        """Without the scheduler what is left is ungraded with the reason, and what is done stands."""
        course.exercise()
        for name in ("ada", "blaise", "carl"):
            course.hand_in(name, course.slow if name != "ada" else course.right)
        cluster.start_worker()
        batch = grading(tmp_path / "out")
        batch.until("submission_done", 1)
        cluster.scheduler.kill()
        status = batch.end()
        found = outcomes(tmp_path / "out")

        assert 3 == status
        assert "graded" == found["ada"]["state"]
        assert f"the connection to the scheduler {cluster.address} was lost; grade it again" == found["carl"]["reason"]

    def test_no_worker(self, course: TinyCourse, cluster: Cluster, tmp_path: Path) -> None:
        """Where no worker comes, that is said, and the wait has an end."""
        course.exercise()
        for name in ("ada", "blaise"):
            course.hand_in(name, course.right)
        less = "from grader.batch import dask_client; dask_client._PATIENCE_SECONDS = 3.0"
        code = f"{less}; from grader.cli import main; main()"
        done = subprocess.run(  # noqa: S603  # ourselves, with less patience
            [sys.executable, "-c", code, *cluster.grade_arguments(tmp_path / "out")],
            cwd=course.root,
            env={**os.environ, **cluster.environment},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

        assert 3 == done.returncode
        assert f"The scheduler {cluster.address} has no worker yet; waiting for one." in done.stderr
        assert (
            "there was no worker for 0.05 minutes; start some and grade it again"
            == (outcomes(tmp_path / "out")["blaise"]["reason"])
        )


class TestCannotBegin:
    """What is lacking is said in one line."""

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--executor", "dask"], "--executor dask and --scheduler ADDRESS belong together; give both, or neither."),
            (["--scheduler", "tls://head:8786"], "--executor dask and --scheduler ADDRESS belong together; give both"),
            (["--scheduler", "head"], "'head' is no address such as tls://head:8786."),
            (["--scheduler", "tls://head:x"], "'tls://head:x' is no address such as tls://head:8786."),
            (["--scheduler", "tcp://head:8786"], "is secret; have the scheduler listen on tls://."),
        ],
    )
    def test_usage(self, course: TinyCourse, command: Command, tmp_path: Path, arguments: list[str], said: str) -> None:
        """The executor and its address belong together, and nothing crosses to other machines in the clear."""
        course.exercise()
        course.hand_in("ada", course.right)
        done = command("grade", "handed-in", "-o", tmp_path / "out", *arguments, cwd=course.root)

        assert 2 == done.returncode
        assert said in " ".join(done.stderr.split())

    @pytest.mark.parametrize(
        ("address", "files", "said"),
        [
            ("tcp://127.0.0.1:9", {}, "does not answer"),
            ("tls://127.0.0.1:9", {}, "needs certificates, and Dask's configuration names none; make some and name"),
            ("tls://127.0.0.1:9", GONE, "does not answer"),
        ],
        ids=["nobody", "no certificates", "no files"],
    )
    def test_no_scheduler(
        self, course: TinyCourse, command: Command, tmp_path: Path, address: str, files: dict[str, str], said: str
    ) -> None:
        """Without a scheduler that answers, or without certificates, nothing is graded."""
        course.exercise()
        course.hand_in("ada", course.right)
        place = ["--sandbox", "unsafe", "--executor", "dask", "--scheduler", address]
        done = command("grade", "handed-in", "-o", tmp_path / "out", *place, cwd=course.root, environment=files)
        last = done.stderr.splitlines()[-1]

        assert 3 == done.returncode
        assert last.startswith("grader: ")
        assert f"{address} {said}" in last

    def test_not_installed(self, course: TinyCourse, tmp_path: Path) -> None:
        """Where Dask is not installed, it is said how to get it."""
        course.exercise()
        course.hand_in("ada", course.right)
        code = "import sys; sys.modules['distributed'] = None; from grader.cli import main; main()"
        place = ["--sandbox", "unsafe", "--executor", "dask", "--scheduler", "tls://127.0.0.1:9"]
        done = subprocess.run(  # noqa: S603  # ourselves, without Dask
            [sys.executable, "-c", code, "grade", "handed-in", "-o", str(tmp_path / "out"), *place],
            cwd=course.root,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

        assert 3 == done.returncode
        assert done.stderr.endswith(
            "grader: --executor dask needs distributed, which is not installed here; "
            "`pip install distributed` brings it\n"
        )


class TestCrossing:
    """What crosses between machines arrives as it was."""

    def test_terms(self) -> None:
        """The terms of a batch are the same."""
        made_from = Provenance("", "e", "docker", "sha256:0", "f", (("python", "3.11"), ("grader", "1")), "r")
        terms = Terms("b", Path("/a course"), SandboxChoice("docker", "runsc", 1), b"\xff" * 20, {"tiny": made_from})

        assert terms == Terms.from_text(terms.to_text())

    @pytest.mark.parametrize(
        ("reply", "said"),
        [
            ("no JSON", "a worker answered with what is no report"),
            ("[]", "a worker answered with what is no report"),
            ('{"worker": "w", "outcome": {}}', "a worker answered with what is no report"),
            ('{"worker": "w", "outcome": {"student": "bo", "exercise": "tiny", "state": "absent"}}', ""),
            ('{"worker": "w", "outcome": {"student": "ada", "exercise": "tiny", "state": "absent"}}', ""),
        ],
    )
    def test_replies_that_are_none(self, reply: str, said: str) -> None:
        """What a worker replies that is no report costs one grade; one of something else is not asked again."""
        submission = Submission("ada", "tiny", "value.py", b"")
        told: list[object] = []
        executor = DaskExecutor.__new__(DaskExecutor)
        vars(executor).update(
            _refused={}, _on_remark=told.append, _look=lambda **_: None, submit=told.append, _threads={}
        )
        future: Future[str | Ungraded] = Future()
        future.set_result(reply)
        outcome = executor._outcome(future, submission)  # noqa: SLF001  # no real worker replies so

        if said:
            assert isinstance(outcome, Ungraded)
            assert outcome.reason.startswith(said)
        else:
            assert outcome is None
            assert ["w does not take part: it reports on what it was not given", submission] == told
