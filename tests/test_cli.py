"""The command line: what it prints, what it writes, and the exit status, which scripts rely on."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

import click
import pytest
from lxml import etree

from grader.cli import cli, main
from grader.sandbox.docker import OWNER_LABEL
from grader.sandbox.image import connect, find_image

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Command, Leftovers, TinyCourse

HIDDEN = '''\
def check_relu_at_zero(engine):
    """At exactly 0, relu passes nothing on."""
    x = engine.Value(0.0)
    x.relu().backward()
    return {"x.grad": x.grad}
'''
DEAD_ENGINE = {"DOCKER_HOST": "tcp://127.0.0.1:1"}


@dataclass(frozen=True, slots=True)
class Done:
    """A command that was run: its exit status, and what it printed."""

    status: int
    out: str
    err: str


class Run(Protocol):
    """Runs the command line in this process."""

    def __call__(self, *arguments: object) -> Done: ...  # noqa: D102


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """The command line, and what a signal did before it was run."""
    terminate = signal.getsignal(signal.SIGTERM)

    def run(*arguments: object) -> Done:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["grader", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        printed = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Done(left.value.code, printed.out, printed.err)

    yield run
    signal.signal(signal.SIGTERM, terminate)


@pytest.fixture
def here(course: TinyCourse, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course to be in, with a public exercise and a hidden check."""
    course.exercise(hidden=HIDDEN)
    monkeypatch.chdir(course.root)
    monkeypatch.delenv("GRADER_COURSE", raising=False)
    return course.root


@pytest.fixture
def handed_in(here: Path, course: TinyCourse) -> Path:
    """A class of three: one is right, one is wrong, and one is absent."""
    course.hand_in("ada", course.right)
    course.hand_in("blaise", course.wrong)
    course.hand_in("carl", "", "notes.txt")
    return here / "handed-in"


def commands(group: click.Group, *path: str) -> Iterator[tuple[str, ...]]:
    """Every command that there is, groups too."""
    yield path
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        else:
            yield (*path, name)


def states(out: Path) -> dict[str, Any]:
    """What `results.json` says of each student."""
    record = json.loads((out / "results.json").read_text(encoding="utf-8"))
    return {outcome["student"]: outcome for outcome in record["outcomes"]}


class TestHelp:
    """`--help` of each command is enough to use it."""

    @pytest.mark.parametrize("flag", ["-h", "--help"])
    @pytest.mark.parametrize("command", list(commands(cli)), ids=" ".join)
    def test_help(self, run: Run, command: tuple[str, ...], flag: str) -> None:
        """It says what the command does, and what each argument and option is."""
        done = run(*command, flag)
        found: click.Command = cli
        for name in command:
            assert isinstance(found, click.Group)
            found = found.commands[name]

        assert (0, "") == (done.status, done.err)
        assert done.out.startswith(f"Usage: {' '.join(['grader', *command])} ")
        assert found.help
        assert " ".join(found.help.split())[:60] in " ".join(done.out.split())
        for parameter in found.params:
            shown = parameter.opts if isinstance(parameter, click.Option) else [(parameter.name or "").upper()]
            assert all(name in done.out for name in shown)
            assert not isinstance(parameter, click.Option) or parameter.help

    def test_version(self, run: Run) -> None:
        """The version is the installed one's."""
        assert re.fullmatch(r"grader \d+\.\d+\.\d+\n", run("--version").out)

    def test_fast(self, command: Command) -> None:
        """Nobody waits for what help has no use for."""
        code = "import sys, grader.cli; print(sorted({'docker', 'pytest', 'rich', 'pebble'} & set(sys.modules)))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603  # ours

        assert "[]\n" == done.stdout
        assert 0 == command("--help").returncode


class TestWrongUsage:
    """Wrong usage ends with status 2 and a last line that says what is wrong; nothing is graded or written."""

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ("nonsense", "No such command 'nonsense'"),
            ("exercises tiny", "Got unexpected extra argument (tiny)"),
            ("exercises --nonsense", "No such option"),
            ("check", "Missing argument 'EXERCISE'"),
            ("check tiny", "Missing argument 'FILE'"),
            ("check tinny handed-in/ada/value.py", "There is no exercise 'tinny'"),
            ("check tinny handed-in/ada/value.py", "did you mean 'tiny'?"),
            ("check tiny no/such/file.py", "no/such/file.py cannot be read (No such file or directory)"),
            ("grade", "Missing argument 'SUBMISSIONS'"),
            ("grade handed-in", "Missing option '-o' / '--output'"),
            ("grade no/such/folder -o out", "no/such/folder cannot be read (No such file or directory)"),
            (
                "grade handed-in/ada/value.py -o out",
                "handed-in/ada/value.py is damaged, or no archive; name",
            ),
            ("grade handed-in/carl -o out", "holds no student's folder"),
            ("grade handed-in -o handed-in/ada/value.py", "is a file"),
            ("grade handed-in -o out --exercise tinny", "did you mean 'tiny'?"),
            ("grade handed-in -o out --student adda", "There is no student 'adda'; did you mean 'ada'?"),
            ("grade handed-in -o out --student zebra", "There is no student 'zebra'."),
            ("grade handed-in -o out --sandbox podman", "'podman' is not one of"),
            ("grade handed-in -o handed-in/out", "lies among the submissions; name a folder elsewhere"),
            ("grade handed-in -o out --sandbox bubblewrap --runtime runsc", "--runtime is for Docker's containers"),
            ("grade handed-in -o out --jobs 0", "0 is not in the range 1<=x<=4096"),
            ("grade handed-in -o out --jobs many", "'many' is not a valid integer"),
            ("grade handed-in -o out --fail-under 101", "101.0 is not in the range 0<=x<=100"),
            ("--course no/such/course exercises", "--course names no/such/course, which has no folder exercises/"),
            ("--course handed-in exercises", "which has no folder exercises/"),
            ("image built", "No such command 'built'"),
            ("image build --base", "Option '--base' requires an argument"),
        ],
    )
    @pytest.mark.usefixtures("handed_in")
    def test_wrong(self, run: Run, here: Path, arguments: str, said: str) -> None:
        """The message is on the last line."""
        done = run(*arguments.split())

        assert (2, "") == (done.status, done.out)
        assert said in done.err.rstrip().rpartition("\n")[2]
        assert "Traceback" not in done.err
        assert not (here / "out").exists()

    def test_no_course(self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where there is no course, one line says how to name one."""
        monkeypatch.chdir(tmp_path)
        monkeypatch.delenv("GRADER_COURSE", raising=False)
        done = run("exercises")

        assert (2, "", 1) == (done.status, done.out, done.err.count("\n"))
        assert "--course or GRADER_COURSE" in done.err


class TestOurFaults:
    """A fault that is not a student's ends with status 3."""

    @pytest.mark.parametrize("arguments", ["exercises", "check tiny handed-in/ada/value.py", "grade handed-in -o out"])
    @pytest.mark.usefixtures("handed_in")
    def test_broken_exercise(self, run: Run, course: TinyCourse, arguments: str) -> None:
        """A broken exercise is refused with all that is wrong with it."""
        course.write("exercises/tiny/exercise.toml", "submit = 7\nxp = 0\n")
        done = run(*arguments.split())

        assert (3, "") == (done.status, done.out)
        assert all(said in done.err for said in ("title is missing", "submit must be", "xp must be"))
        assert "Traceback" not in done.err

    @pytest.mark.usefixtures("handed_in")
    def test_broken_check(self, run: Run, course: TinyCourse) -> None:
        """A check that fails by itself grades nobody: the class is ungraded with the reason, and no one has a zero."""
        check = course.root / "exercises/tiny/checks/check_public.py"
        check.write_text(check.read_text().replace("    x = ", "    1 / 0\n    x = "))
        alone = run("check", "tiny", "handed-in/ada/value.py")
        together = run("grade", "handed-in", "-o", "out", "--sandbox", "unsafe")

        assert 3 == alone.status
        assert "5 of 5 XP  A value keeps its number." in alone.out
        assert "XP: " not in alone.out
        assert "grader: tiny: check_relu: ZeroDivisionError: division by zero (check_public.py, line 11)" in alone.err
        assert 3 == together.status
        assert "check_relu: ZeroDivisionError" in " ".join(together.out.split())
        assert ["ungraded", "ungraded", "absent"] == [outcome["state"] for outcome in states(Path("out")).values()]

    @pytest.mark.parametrize("arguments", ["grade handed-in -o out --sandbox docker", "image build"])
    @pytest.mark.usefixtures("handed_in")
    def test_no_engine(self, run: Run, monkeypatch: pytest.MonkeyPatch, arguments: str) -> None:
        """Without a Docker engine one line says how to get one, and nothing is written."""
        monkeypatch.setenv(*next(iter(DEAD_ENGINE.items())))
        done = run(*arguments.split())

        assert (3, "", 1) == (done.status, done.out, done.err.count("\n"))
        assert "start it, or unset DOCKER_HOST" in done.err
        assert not Path("out").exists()

    @pytest.mark.parametrize(
        ("labels", "said"),
        [
            (None, "there is no image grader-sandbox:latest"),
            ({}, "the image grader-sandbox:latest is of another grader"),
        ],
    )
    @pytest.mark.usefixtures("handed_in")
    def test_no_image(
        self, run: Run, monkeypatch: pytest.MonkeyPatch, labels: dict[str, str] | None, said: str
    ) -> None:
        """Nor is anything graded with an image that is missing or stale."""

        class Engine(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                found: dict[str, object] = {"Id": "sha256:0", "Config": {"Labels": labels}}
                known = "/version" in self.path or labels is not None
                answer = (
                    {"ApiVersion": "1.41"}
                    if "/version" in self.path
                    else found
                    if known
                    else {"message": "No such image"}
                )
                body = json.dumps(answer).encode()
                self.send_response(200 if known else 404)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Engine) as server:
            Thread(target=server.serve_forever).start()
            monkeypatch.setenv("DOCKER_HOST", f"tcp://127.0.0.1:{server.server_port}")
            done = run("grade", "handed-in", "-o", "out", "--sandbox", "docker")
            server.shutdown()

        assert (3, "", 1) == (done.status, done.out, done.err.count("\n"))
        assert said in done.err
        assert "run `grader image build`" in done.err
        assert not Path("out").exists()

    @pytest.mark.usefixtures("handed_in")
    def test_no_hidden_checks(self, run: Run, course: TinyCourse) -> None:
        """Nobody is graded with a student's copy of the course, in which everybody would earn too little."""
        shutil.rmtree(course.root / "exercises" / "tiny" / "hidden")
        done = run("grade", "handed-in", "-o", "out", "--sandbox", "unsafe")

        assert (3, "") == (done.status, done.out)
        assert "there is no folder hidden/; grade with the instructor's copy of the course" in done.err

    @pytest.mark.usefixtures("handed_in")
    def test_no_reference(self, run: Run, course: TinyCourse) -> None:
        """Without the course's own reference nothing is checked, whatever else goes by its name."""
        shutil.rmtree(course.root / "reference")
        done = run("check", "tiny", "handed-in/ada/value.py")

        assert (3, "") == (done.status, done.out)
        assert "reference, which has reference.engine: name the whole course" in done.err

    @pytest.mark.usefixtures("handed_in", "sandbox_image")
    def test_no_such_runtime(self, run: Run) -> None:
        """A runtime that Docker does not have is told before anything is graded, and is Docker's business alone."""
        done = run("grade", "handed-in", "-o", "out", "--runtime", "no-such")

        assert (3, "") == (done.status, done.out)
        assert "the Docker engine has no runtime 'no-such'; it has: " in done.err
        assert not Path("out").exists()

    @pytest.mark.usefixtures("handed_in")
    def test_no_output(self, run: Run) -> None:
        """Results that cannot be written are no results."""
        done = run("grade", "handed-in", "-o", "exercises/tiny/README.md/out", "--sandbox", "unsafe")

        assert (3, "") == (done.status, done.out)
        assert "cannot be written: Not a directory; name another folder" in done.err.splitlines()[-1]

    def test_bug(self, run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A bug shows where it is, and has a status of its own kind."""

        def buggy(*_: object, **__: object) -> str:
            raise RuntimeError(f"a bug in {here.name}")

        monkeypatch.setattr("grader.reports.console.exercise_list", buggy)
        done = run("exercises")

        assert 3 == done.status
        assert "RuntimeError: a bug in course\n" in done.err
        assert "this is a fault in the grader itself" in done.err.splitlines()[-1]


class TestExercises:
    """`grader exercises` lists them."""

    @pytest.mark.usefixtures("here")
    def test_list(self, run: Run) -> None:
        """Id, title, file, XP and checks."""
        done = run("exercises")

        assert (0, "") == (done.status, done.err)
        assert ["tiny", "A tiny exercise", "value.py", "15", "2 public, 1 hidden"] == re.split(
            r"\s{2,}", done.out.strip().splitlines()[-1].strip()
        )

    def test_elsewhere(self, run: Run, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A course is named by --course, else by GRADER_COURSE, else it is the one around here."""
        empty = tmp_path / "empty"
        (empty / "exercises").mkdir(parents=True)
        monkeypatch.chdir(here / "exercises" / "tiny")

        assert 0 == run("exercises").status
        monkeypatch.setenv("GRADER_COURSE", str(empty))
        assert 2 == run("exercises").status
        assert 0 == run("--course", here, "exercises").status


class TestCheck:
    """`grader check` shows a student how far the work has come."""

    def test_right(self, run: Run, here: Path, course: TinyCourse) -> None:
        """Status 0 if all public checks pass; what hidden ones decide is left open."""
        course.write("mine.py", course.right)
        done = run("check", "tiny", here / "mine.py")

        assert 0 == done.status
        assert done.out.startswith("A tiny exercise (tiny), mine.py, as value.py\n")
        assert "XP: 10 of 10." in done.out
        assert "Hidden checks decide the other 5 of 15." in done.out

    def test_wrong(self, run: Run, here: Path, course: TinyCourse) -> None:
        """Status 1 if one does not: what was asked, what happened, what the check did, the hint, and the XP."""
        course.write("value.py", course.right.replace("max(self.data, 0.0)", "self.data"))
        done = run("check", "tiny", here / "value.py")

        assert 1 == done.status
        for said in (
            "A tiny exercise (tiny), value.py\n",
            "Relu stops what is not positive.",
            "y.data: expected 0.0, got -2.0",
            "x = Value(-2.0)",
            "Look again.",
            "5 of 5 XP  A value keeps its number.",
            "XP: 5 of 10.",
        ):
            assert said in done.out

    @pytest.mark.parametrize(
        ("source", "said"),
        [
            (b"class Value\n", "SyntaxError: expected ':'"),
            (b"", "NameError: value.py defines no name 'Value'"),
            (b"\x7fELF\x00\x01\xff", "value.py does not load."),
            (b"x = 1\n" * 200_000, "value.py is larger than 1 MiB"),
            (b"import torch\nx = float(torch.ones(1))", "ModuleNotFoundError: No module named 'torch'"),
            (b"import os; os.abort()", "it crashed (signal 6)"),
        ],
        ids=["syntax error", "empty", "binary", "huge", "foreign module", "crash"],
    )
    def test_does_not_run(self, run: Run, here: Path, course: TinyCourse, source: bytes, said: str) -> None:
        """So it is if nothing can be run: a student's file is never our fault."""
        course.write("value.py", source)
        done = run("check", "tiny", here / "value.py")

        assert 1 == done.status
        assert said in " ".join(done.out.split())
        assert "XP: 0 of 10." in done.out
        assert "Traceback" not in done.err

    def test_no_file(self, run: Run, here: Path) -> None:
        """What is no regular file is never opened."""
        (here / "folder").mkdir()
        os.mkfifo(here / "pipe")
        (here / "link").symlink_to(here / "pipe")
        said = {"pipe": "a named pipe", "link": "a symbolic link"}

        assert 2 == run("check", "tiny", here / "folder").status
        for name, kind in said.items():
            done = run("check", "tiny", here / name)
            assert 1 == done.status
            assert f"{name} is {kind}, not a regular file" in done.out

    @pytest.mark.usefixtures("here")
    def test_without_isolation(self, run: Run, course: TinyCourse, monkeypatch: pytest.MonkeyPatch) -> None:
        """It needs neither Docker nor anything else, and says so where the student's code runs unisolated."""
        file = course.write("value.py", course.right)
        monkeypatch.setenv(*next(iter(DEAD_ENGINE.items())))
        monkeypatch.setenv("PATH", "/nowhere")
        done = run("check", "tiny", file)

        assert 0 == done.status
        assert f"Running {file} on this machine, without isolation.\n" == done.err

    @pytest.mark.parametrize("path", ["/nowhere", os.environ["PATH"]])
    def test_a_fault_leaves_nothing(
        self, command: Command, course: TinyCourse, tmp_path: Path, leftovers: Leftovers, path: str
    ) -> None:
        """The sandbox that was started meanwhile ends with the command, also where checks are at fault."""
        exercise = course.exercise("1 / 0\n\n\ndef check_it(engine):\n    '''It is.'''\n    return engine\n")
        (tmp_path / "temporary").mkdir()
        done = command(
            *("--course", course.root, "check", exercise.id, course.write("value.py", course.right)),
            environment={"PATH": path, "TMPDIR": str(tmp_path / "temporary")},
        )

        assert 3 == done.returncode
        assert "ZeroDivisionError" in done.stderr
        assert [] == list((tmp_path / "temporary").iterdir())
        assert set() == leftovers()


class TestGrade:
    """`grader grade` grades a class."""

    def test_files_agree(self, run: Run, here: Path, handed_in: Path) -> None:
        """The table, the record, the CSV and the JUnit files tell the same."""
        done = run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe")
        found = states(here / "out")
        with (here / "out" / "xp.csv").open(encoding="utf-8", newline="") as file:
            rows = {row["student"]: row for row in csv.DictReader(file)}
        table = dict(re.findall(r"^(ada|blaise|carl) +(\S+)", done.out, re.MULTILINE))
        junit = {path.name: etree.parse(path).getroot() for path in (here / "out" / "junit").iterdir()}

        assert 0 == done.status
        assert {"ada": "15", "blaise": "10", "carl": "absent"} == table
        assert {"ada": 15, "blaise": 10, "carl": None} == {name: found[name].get("xp") for name in found}
        assert {"ada": "graded", "blaise": "graded", "carl": "absent"} == {name: found[name]["state"] for name in found}
        assert {"ada": "15", "blaise": "10", "carl": ""} == {name: rows[name]["xp"] for name in rows}
        assert {"ada.tiny.xml": "0", "blaise.tiny.xml": "1"} == {
            name: root.get("failures") for name, root in junit.items()
        }
        for name, root in junit.items():
            checks = found[name.partition(".")[0]]["checks"]
            failed = {case.get("name") for case in root.iter("testcase") if case.find("failure") is not None}
            assert [check["check"] for check in checks] == [case.get("name") for case in root.iter("testcase")]
            assert {check["check"] for check in checks if check["verdict"] != "passed"} == failed
        assert "Students: 3. Submissions: 2 graded, 0 ungraded, 1 absent." in done.out
        assert done.out.endswith(f"Results are in {here / 'out'}.\n")

    def test_told(self, run: Run, here: Path, handed_in: Path) -> None:
        """What is on the way is told on standard error: isolation, progress, and what was ignored."""
        done = run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe", "--jobs", 1)

        assert "without isolation" in done.err
        assert "[1/2] ada tiny: 15/15 XP\n[2/2] blaise tiny: 10/15 XP\n" in done.err
        assert "carl/notes.txt: is not asked for" in done.err

    def test_students_see_no_secrets(self, run: Run, here: Path, course: TinyCourse) -> None:
        """What a student may have says of a hidden check no more than its verdict."""
        course.hand_in("blaise", course.wrong.replace("self.grad = 0.0", "self.grad = 0.0; print('LEAK')"))
        run("grade", here / "handed-in", "-o", here / "out", "--sandbox", "unsafe")
        record = (here / "out" / "results.json").read_text()
        junit = (here / "out" / "junit" / "blaise.tiny.xml").read_text()

        assert "x.grad: expected 0.0, got 1.0" in record
        assert "At exactly 0, relu passes nothing on." in junit
        assert "The answer is wrong." in junit
        assert "expected 0.0" not in junit
        assert json.loads(record)["outcomes"][0]["provenance"]["secret"] not in junit

    def test_docker(self, run: Run, here: Path, handed_in: Path, sandbox_image: str) -> None:
        """In Docker the same comes out, and the provenance has the image."""
        done = run("grade", handed_in, "-o", here / "out", "--sandbox", "docker")
        found = states(here / "out")

        assert 0 == done.status
        assert (15, 10) == (found["ada"]["xp"], found["blaise"]["xp"])
        assert sandbox_image == found["ada"]["provenance"]["image"]

    def test_unsafe_must_be_asked_for(self, run: Run, handed_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where nothing isolates, nothing is graded."""
        monkeypatch.setenv(*next(iter(DEAD_ENGINE.items())))
        monkeypatch.setenv("PATH", "/nowhere")
        done = run("grade", handed_in, "-o", "out")

        assert (3, "") == (done.status, done.out)
        assert not Path("out").exists()

    def test_hostile_file_names(self, run: Run, here: Path, handed_in: Path) -> None:
        """What is ignored is named in a way that commands neither the terminal nor a CI system."""
        for name in ("\x1b]0;owned\x07.py", "\n::error::forged", "a\u202egnp.py"):
            (handed_in / "ada" / name).write_text("")
        done = run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe")

        assert done.status == 0
        assert all(line.isprintable() for line in done.err.splitlines())
        assert "::error" not in done.err

    def test_selection(self, run: Run, here: Path, handed_in: Path, course: TinyCourse) -> None:
        """--student and --exercise limit what is graded, and may be repeated."""
        course.exercise(name="other", submit="other.py")
        out = here / "out"
        run("grade", handed_in, "-o", out, "--sandbox", "unsafe", "--student", "blaise", "--exercise", "tiny")
        assert ["blaise"] == list(states(out))
        run("grade", handed_in, "-o", out, "--sandbox", "unsafe", "--student", "ada", "--student", "blaise")
        assert {"ada", "blaise"} == set(states(out))
        assert {"ada.tiny.xml", "blaise.tiny.xml"} == {path.name for path in (out / "junit").iterdir()}

    def test_again(self, run: Run, here: Path, handed_in: Path) -> None:
        """A second run grades nothing again, says so, and leaves the same results under the same secret."""
        out = here / "out"
        run("grade", handed_in, "-o", out, "--sandbox", "unsafe")
        secret, first = (out / "course.secret").read_bytes(), (out / "results.json").read_bytes()
        again = run("grade", handed_in, "-o", out, "--sandbox", "unsafe", "-j", 1)

        assert "Not graded again, because nothing changed: 2. --force would." in again.err
        assert first == (out / "results.json").read_bytes()
        assert secret == (out / "course.secret").read_bytes()
        private = ("course.secret", "gradebook.sqlite", "results.json", "xp.csv")
        assert {0o600} == {(out / name).stat().st_mode & 0o777 for name in private}

    def test_force(self, run: Run, here: Path, handed_in: Path) -> None:
        """--force grades again, and the same comes out but for times."""

        def timeless() -> str:
            return re.sub(r'"seconds": [\d.e-]+', "", (here / "out" / "results.json").read_text())

        run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe")
        first = timeless()
        again = run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe", "--force")

        assert "[2/2]" in again.err
        assert first == timeless()

    @pytest.mark.parametrize(("policy", "xp"), [("best", 15), ("last", 10)])
    def test_policy(self, run: Run, here: Path, course: TinyCourse, handed_in: Path, policy: str, xp: int) -> None:
        """Of what was handed in at different times the best or the last counts, and who hands in no more is kept."""
        run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe")
        course.hand_in("ada", course.wrong)
        shutil.rmtree(handed_in / "blaise")
        run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe", "--policy", policy)
        found = states(here / "out")

        assert xp == found["ada"]["xp"]
        assert 10 == found["blaise"]["xp"]
        assert "absent" == found["carl"]["state"]
        assert ["ada.tiny.xml", "blaise.tiny.xml"] == sorted(path.name for path in (here / "out" / "junit").iterdir())

    def test_failed_regrade(self, run: Run, here: Path, handed_in: Path) -> None:
        """Where grading again fails the earlier grade stands; the reason is told, and the status is 3."""
        run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe")
        check = here / "exercises" / "tiny" / "checks" / "check_public.py"
        sound = check.read_text()
        check.write_text(sound.replace("    x = ", "    1 / 0\n    x = "))
        failed = run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe")
        check.write_text(sound)
        mended = run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe")

        assert 3 == failed.status
        assert "ada, tiny: the earlier grade stands; grading again failed: tiny: check_relu" in failed.err
        assert 15 == states(here / "out")["ada"]["xp"]
        assert 0 == mended.status
        assert "nothing changed: 2" in mended.err

    def test_week_after_week(self, run: Run, here: Path, course: TinyCourse, handed_in: Path) -> None:
        """Exercises that are graded one after the other stand side by side; one that is gone does not."""
        run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe", "--exercise", "tiny")
        course.exercise(name="other", submit="other.py")
        course.exercise(name="third", submit="third.py")
        course.hand_in("ada", course.right, "other.py")
        course.hand_in("ada", course.right, "third.py")
        for name in ("third", "other"):
            run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe", "--exercise", name)
        shutil.rmtree(here / "exercises" / "third")
        run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe", "--exercise", "other")
        record = json.loads((here / "out" / "results.json").read_text(encoding="utf-8"))
        found = {(each["student"], each["exercise"]): each["state"] for each in record["outcomes"]}

        assert {"other", "tiny"} == {exercise for _, exercise in found}
        assert "graded" == found["ada", "tiny"] == found["ada", "other"]
        assert "absent" == found["blaise", "other"]

    @pytest.mark.parametrize(("percent", "status"), [(0, 0), (66, 0), (67, 1), (100, 1)])
    def test_fail_under(self, run: Run, here: Path, handed_in: Path, percent: int, status: int) -> None:
        """--fail-under looks at who was graded; the absent are none of them."""
        done = run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe", "--fail-under", percent)

        assert status == done.status

    def test_unreadable(self, run: Run, here: Path, handed_in: Path) -> None:
        """What cannot be read is ungraded: it has a JUnit file, and a status that outranks --fail-under's."""
        (handed_in / "dora").symlink_to(handed_in / "ada")
        done = run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe", "--fail-under", 100)

        assert 3 == done.status
        assert "ungraded" == states(here / "out")["dora"]["state"]
        assert "1" == etree.parse(here / "out" / "junit" / "dora.tiny.xml").getroot().get("errors")

    def test_nobody_handed_in(self, run: Run, here: Path, course: TinyCourse) -> None:
        """A class that handed in nothing is graded at once."""
        course.hand_in("ada", "", "notes.txt")
        done = run("grade", here / "handed-in", "-o", here / "out", "--sandbox", "unsafe")

        assert 0 == done.status
        assert "0 graded, 0 ungraded, 1 absent" in done.out


class TestStatus:
    """`grader status` shows where a class stands."""

    def test_class(self, run: Run, here: Path, handed_in: Path) -> None:
        """It shows who earned what and who is absent, without the submissions, and grades nothing."""
        run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe")
        shutil.rmtree(handed_in)
        done = run("status", here / "out")

        assert 0 == done.status
        assert {"ada": "15", "blaise": "10", "carl": "absent"} == dict(
            re.findall(r"^(ada|blaise|carl) +(\S+)", done.out, re.MULTILINE)
        )
        assert re.search(r"^Attempts: 2, the last on \d{4}-\d\d-\d\d at \d\d:\d\d\.$", done.out, re.MULTILINE)

    def test_ungraded(self, run: Run, here: Path, handed_in: Path) -> None:
        """What is ungraded is shown with its reason, and makes the status 3."""
        (handed_in / "dora").symlink_to(handed_in / "ada")
        run("grade", handed_in, "-o", here / "out", "--sandbox", "unsafe")
        done = run("status", here / "out")

        assert 3 == done.status
        assert "it is a symbolic link" in " ".join(done.out.split())

    @pytest.mark.usefixtures("here")
    def test_no_gradebook(self, run: Run, tmp_path: Path) -> None:
        """A folder without a gradebook is refused, and gets none."""
        done = run("status", tmp_path)

        assert 2 == done.status
        assert "holds no gradebook.sqlite; name the output folder of `grader grade`" in done.err
        assert not (tmp_path / "gradebook.sqlite").exists()

    def test_nothing_tried(self, run: Run, here: Path, course: TinyCourse) -> None:
        """A class that handed in nothing is absent."""
        course.hand_in("ada", "", "notes.txt")
        run("grade", here / "handed-in", "-o", here / "out", "--sandbox", "unsafe")
        done = run("status", here / "out")

        assert "0 graded, 0 ungraded, 1 absent" in done.out
        assert "Attempts" not in done.out


class TestInterrupted:
    """Whoever interrupts a batch gets what is done, and nothing of it goes on."""

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
    @pytest.mark.parametrize("sandbox", ["docker", "unsafe"])
    @pytest.mark.usefixtures("here", "sandbox_image")
    def test_signal(
        self, course: TinyCourse, tmp_path: Path, leftovers: Leftovers, sandbox: str, number: signal.Signals
    ) -> None:
        """Status 130; what is done is written, the rest is ungraded; no process, container or folder is left."""
        for name in ("ada", "blaise"):
            course.hand_in(name, course.right)
        for name in ("carl", "dora", "emil", "fay"):
            course.hand_in(name, course.slow)
        temporary, out = tmp_path / "temporary", tmp_path / "out"
        temporary.mkdir()
        with (tmp_path / "log").open("wb") as log:
            process = subprocess.Popen(  # noqa: S603  # ourselves
                [sys.executable, "-m", "grader", "grade", "handed-in", "-o", out, "--sandbox", sandbox, "-j", "2"],
                env=os.environ | {"TMPDIR": str(temporary)},
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
            )
        try:
            deadline = time.monotonic() + 60
            while b"[2/6]" not in (tmp_path / "log").read_bytes():
                assert deadline > time.monotonic()
                assert process.poll() is None, (tmp_path / "log").read_text()
                time.sleep(0.05)
            time.sleep(0.5)  # into the middle of the next
            started = time.monotonic()
            process.send_signal(number)
            status = process.wait(30)
        finally:
            process.kill()
        found = states(out)

        assert 130 == status
        assert 10 > time.monotonic() - started
        assert ["graded", "graded", *["ungraded"] * 4] == [outcome["state"] for outcome in found.values()]
        assert "It was handed in and has not been graded yet; grade again." == found["carl"]["reason"]
        assert [f"{name}.tiny.xml" for name in found] == sorted(path.name for path in (out / "junit").iterdir())
        assert (tmp_path / "log").read_text().endswith("grader: interrupted\n")
        assert set() == left_of(process.pid)
        assert set() == leftovers()
        assert [] == list(temporary.iterdir())

    def test_check(self, course: TinyCourse, here: Path, leftovers: Leftovers) -> None:
        """A check that is interrupted leaves nothing either."""
        course.write("value.py", "while True: pass")
        process = subprocess.Popen(
            [sys.executable, "-m", "grader", "check", "tiny", "value.py"],
            cwd=here,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)

        assert (130, "grader: interrupted") == (process.returncode, err.splitlines()[-1])
        assert "XP" not in out
        assert set() == left_of(process.pid)
        assert set() == leftovers()

    def test_killed(self, course: TinyCourse, here: Path, command: Command, leftovers: Leftovers) -> None:
        """A grader that is killed leaves nothing after the next one's start, and the next one grades."""
        course.hand_in("ada", course.slow)
        log = here / "log"
        with log.open("wb") as stream:
            process = subprocess.Popen(
                [sys.executable, "-m", "grader", "grade", "handed-in", "-o", "out", "--sandbox", "docker"],
                stderr=stream,
                start_new_session=True,
            )
        deadline = time.monotonic() + 60
        while not owned_by(process.pid):
            assert deadline > time.monotonic()
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert set() != leftovers(seconds=0)

        course.hand_in("ada", course.right)
        done = command("grade", "handed-in", "-o", "out", "--sandbox", "docker")
        assert 0 == done.returncode
        assert set() == leftovers()


def left_of(session: int) -> set[int]:
    """What is left of a session once its processes have had some time to end."""
    deadline = time.monotonic() + 5
    while (left := members(session)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def members(session: int) -> set[int]:
    """The processes of a session that have not ended."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its_session = stat.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(its_session) == session and state != "Z":
            found.add(int(stat.parent.name))
    return found


def owned_by(session: int) -> list[str]:
    """The containers that processes of a session own."""
    pids = {str(pid) for pid in members(session)}
    with closing(connect()) as client:
        found = client.api.containers(filters={"label": OWNER_LABEL})
    return [f"container {each['Id']}" for each in found if each["Labels"][OWNER_LABEL].split("-")[-2] in pids]


class TestTerminals:
    """What is printed fits where it is printed."""

    @pytest.mark.parametrize("no_colour", [False, True])
    def test_colour(self, here: Path, course: TinyCourse, no_colour: bool) -> None:  # noqa: FBT001  # a parameter
        """A terminal gets colour, unless NO_COLOR is set."""
        course.write("value.py", course.wrong)
        master, slave = os.openpty()
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
        process = subprocess.Popen(
            [sys.executable, "-m", "grader", "check", "tiny", "value.py"],
            cwd=here,
            env=environment | ({"NO_COLOR": "1"} if no_colour else {}),
            stdout=slave,
            stderr=slave,
        )
        os.close(slave)
        shown = b""
        try:
            while piece := os.read(master, 1 << 16):
                shown += piece
        except OSError:  # the terminal has nobody at its other end
            pass
        os.close(master)

        assert 0 == process.wait(30)
        assert b"passed" in shown
        assert no_colour == (b"\x1b[" not in shown)

    def test_piped(self, run: Run, here: Path, course: TinyCourse) -> None:
        """Anything else gets plain text."""
        course.write("value.py", course.wrong)

        assert "\x1b" not in run("check", "tiny", here / "value.py").out

    @pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
    def test_encoding(self, here: Path, course: TinyCourse, command: Command, encoding: str) -> None:
        """What a terminal's encoding lacks is replaced; nothing fails for it."""
        course.write(
            "exercises/tiny/exercise.toml",
            (here / "exercises/tiny/exercise.toml").read_text().replace("A tiny", "Ā tiny"),
        )
        course.hand_in("Zoë Ω", course.right)
        course.write("größe.py", course.wrong.replace("self.data >= 0", "self.größe"))
        environment = {"PYTHONIOENCODING": encoding, "DOCKER_HOST": DEAD_ENGINE["DOCKER_HOST"]}
        calls = {
            ("exercises",): 0,
            ("check", "tiny", "größe.py"): 1,
            ("check", "tïny", "größe.py"): 2,
            ("grade", "handed-in", "-o", "résultats Ω", "--sandbox", "unsafe"): 0,
            ("--course", "Ω", "exercises"): 2,
        }

        for arguments, status in calls.items():
            done = command(*arguments, environment=environment, cwd=here)
            assert (arguments, status) == (arguments, done.returncode)
            assert "Traceback" not in done.stderr

    def test_doctor(self, course: TinyCourse, command: Command, tmp_path: Path) -> None:
        """The doctor names paths that the encoding lacks."""
        course.exercise()
        course.root.rename(tmp_path / "Ω")
        done = command("doctor", environment={"PYTHONIOENCODING": "latin-1"}, cwd=tmp_path / "Ω")

        assert "/?: tiny" in done.stdout
        assert "Traceback" not in done.stderr

    def test_undecodable_name(self, here: Path, course: TinyCourse, command: Command) -> None:
        """A file whose name is no text can be checked, and a folder of such a name written to."""
        course.hand_in("ada", course.right)
        name = os.fsdecode(b"\xff.py")
        course.write(name, course.right)

        assert 0 == command("check", "tiny", name, cwd=here).returncode
        done = command("grade", "handed-in", "-o", os.fsdecode(b"\xfe"), "--sandbox", "unsafe", cwd=here)
        assert (0, True) == (done.returncode, (here / os.fsdecode(b"\xfe") / "xp.csv").exists())

    @pytest.mark.parametrize(
        "arguments",
        [
            "exercises",
            "--help",
            "check tiny handed-in/ada/value.py",
            "grade handed-in -o out --sandbox unsafe",
            "doctor",
        ],
    )
    @pytest.mark.usefixtures("handed_in")
    def test_closed_pipe(self, here: Path, arguments: str) -> None:
        """When nobody reads on, the command ends quietly, and not with a status that says something of the work."""
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(  # noqa: S603  # ourselves
            [sys.executable, "-m", "grader", *arguments.split()],
            cwd=here,
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        os.close(writer)

        assert 3 == done.returncode
        assert "Traceback" not in done.stderr
        assert "Error" not in done.stderr
        assert not arguments.startswith("grade") or (here / "out" / "results.json").exists()


class TestDoctor:
    """`grader doctor` says what this machine has."""

    @pytest.mark.usefixtures("here", "sandbox_image")
    def test_findings(self, run: Run) -> None:
        """A line for each thing that was tried."""
        done = run("doctor")
        lines = [line.split()[:3] for line in done.out.splitlines()]

        assert ["ok", "sandbox", "docker:"] in lines
        assert ["ok", "sandbox", "unsafe:"] in lines
        assert done.status == (3 if any(line[0] == "failed" for line in lines) else 0)

    @pytest.mark.usefixtures("here")
    def test_missing(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        """Status 3 if something is missing, and the rest is tried all the same."""
        monkeypatch.setenv(*next(iter(DEAD_ENGINE.items())))
        done = run("doctor")

        assert 3 == done.status
        assert "failed   sandbox docker: no Docker engine answers" in done.out
        assert "ok       sandbox unsafe: " in done.out


class TestImage:
    """`grader image build` makes the sandbox image."""

    @pytest.mark.usefixtures("sandbox_image")
    def test_build(self, run: Run) -> None:
        """It says what was built, and that is what is found from then on."""
        done = run("image", "build", "--base", "grader-base:bookworm")
        with closing(connect()) as client:
            found = find_image(client)

        assert (0, f"Built grader-sandbox:latest, {found}.\n") == (done.status, done.out)
        assert "Step 1" in done.err
