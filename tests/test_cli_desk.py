"""The student's desk: beginning, reading, checking at each save; and the course that students get for it."""

from __future__ import annotations

import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import zipfile
from typing import IO, TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Command, TinyCourse

HIDDEN = '''\
def check_relu_at_zero(engine):
    """At exactly 0, relu passes nothing on."""
    return engine.Value(0.0).relu().data
'''
PROMPT = "# Relu\n\nTeach it **relu**.\n"
STARTER = "class Value:\n    ...\n"


@pytest.fixture
def here(course: TinyCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a course in the environment."""
    course.exercise(hidden=HIDDEN)
    course.write("exercises/tiny/README.md", PROMPT)
    course.write("exercises/tiny/starter.py", STARTER)
    monkeypatch.setenv("GRADER_COURSE", str(course.root))
    here = tmp_path / "here"
    here.mkdir()
    return here


# --------------------------------------------------------------------------------------------------------------------
# Beginning


@pytest.mark.parametrize("folder", ["tiny", "my work/relu"])
def test_start(here: Path, command: Command, folder: str) -> None:
    """The prompt and the starter are put into a folder, which is called like the exercise if nobody names one."""
    done = command("start", "tiny", *([folder] if folder != "tiny" else []), cwd=here)
    file = f"{folder}/value.py"

    assert (0, "") == (done.returncode, done.stderr)
    assert (PROMPT, STARTER) == tuple((here / folder / name).read_text() for name in ("README.md", "value.py"))
    assert f"Read {folder}/README.md, edit {file}, and see how far you are:" == done.stdout.splitlines()[0]
    advised = shlex.split(done.stdout.splitlines()[1])
    assert ["grader", "check", "tiny", file] == advised
    assert 1 == command(*advised[1:], cwd=here).returncode


def test_start_elsewhere(here: Path, command: Command, course: TinyCourse) -> None:
    """A course that was named is named in the advice, too."""
    done = command("--course", course.root, "start", "tiny", cwd=here)

    assert f"    grader --course {course.root} check tiny tiny/value.py\n" in done.stdout


def test_start_twice(here: Path, command: Command) -> None:
    """What is there is never overwritten: it is named, and what is missing beside it is put there."""
    command("start", "tiny", cwd=here)
    (here / "tiny" / "value.py").write_text("my work")
    (here / "tiny" / "README.md").unlink()
    done = command("start", "tiny", cwd=here)

    assert 0 == done.returncode
    assert "tiny/value.py is there already and stays as it is; to begin anew, name another folder.\n" == done.stderr
    assert ("my work", PROMPT) == tuple((here / "tiny" / name).read_text() for name in ("value.py", "README.md"))


def test_start_where_nothing_can_be(here: Path, command: Command) -> None:
    """Where no file can be put, another folder is to be named."""
    (here / "file").touch()
    done = command("start", "tiny", "file/tiny", cwd=here)

    assert (3, "") == (done.returncode, done.stdout)
    assert re.fullmatch(r"grader: file/tiny/README.md cannot be written \(.*\); name another folder\n", done.stderr)


def test_show(here: Path, command: Command) -> None:
    """The prompt is shown: in a terminal it is set, elsewhere it is the Markdown that it is."""
    in_pipe = command("show", "tiny", cwd=here)
    in_terminal = terminal("show", "tiny", cwd=here)

    assert (0, PROMPT, "") == (in_pipe.returncode, in_pipe.stdout, in_pipe.stderr)
    assert "Teach it \x1b[1mrelu\x1b[0m." in in_terminal
    assert "#" not in in_terminal


def terminal(*arguments: object, cwd: Path) -> str:
    """What a terminal gets that a command runs in."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "grader", *map(str, arguments)]
    with subprocess.Popen(command, cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs):  # noqa: S603  # ourselves
        os.close(theirs)
        got = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # how the end of a terminal is told
                break
            got += part
    os.close(ours)
    return got.decode()


def test_not_listed(here: Path, command: Command, course: TinyCourse) -> None:
    """A folder among the exercises that is none is named where they are listed."""
    (course.root / "exercises" / "draft").mkdir()
    done = command("exercises", cwd=here)

    assert "exercises/draft has no exercise.toml, so it is not listed." == done.stdout.splitlines()[-1]


# --------------------------------------------------------------------------------------------------------------------
# Checking at each save


@pytest.fixture
def watching(here: Path, course: TinyCourse) -> Iterator[subprocess.Popen[str]]:
    """`grader check --watch` on a file that is wrong."""
    (here / "value.py").write_text(course.right.replace("max(self.data, 0.0)", "self.data"))
    command = [sys.executable, "-m", "grader", "check", "tiny", "value.py", "--watch"]
    with subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603  # ourselves
        yield process
        process.kill()


def until(told: IO[str] | None, text: str) -> str:
    """All that is told up to a text."""
    assert told
    got = ""
    while text not in got:
        line = told.readline()
        assert line, got
        got += line
    return got


def save(path: Path, text: str) -> None:
    """Save a file in one step, so that it is one save."""
    unfinished = path.with_suffix(".part")
    unfinished.write_text(text)
    unfinished.replace(path)


@pytest.mark.parametrize(("last", "status"), [("right", 0), ("wrong", 1)])
def test_watch(watching: subprocess.Popen[str], here: Path, course: TinyCourse, last: str, status: int) -> None:
    """At each save the checks run again, a file that does not load too; Ctrl-C leaves with the last run's status."""
    assert "expected 0.0, got -2.0" in until(watching.stdout, "XP: 5 of 10.")
    until(watching.stderr, "Watching value.py: save it to run the checks again. Ctrl-C ends.")
    save(here / "value.py", "class Value\n")
    until(watching.stdout, "SyntaxError")
    until(watching.stdout, "XP: 0 of 10.")
    until(watching.stderr, "Watching")
    wrong = (5, course.right.replace("max(self.data, 0.0)", "-1.0"))
    xp, source = (10, course.right) if last == "right" else wrong
    save(here / "value.py", source)
    until(watching.stdout, f"XP: {xp} of 10.")
    until(watching.stderr, "Watching")
    watching.send_signal(signal.SIGINT)
    _, err = watching.communicate(timeout=20)

    assert (status, "") == (watching.returncode, err)


def test_watch_interrupted_at_once(here: Path, course: TinyCourse) -> None:
    """Where no run came to its end, there is no status of one."""
    (here / "value.py").write_text(course.slow)
    command = [sys.executable, "-m", "grader", "check", "tiny", "value.py", "--watch"]
    with subprocess.Popen(command, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603  # ourselves
        until(process.stdout, "A tiny exercise (tiny), value.py")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)

    assert (130, "grader: interrupted") == (process.returncode, err.strip())


def test_watch_clears(here: Path, course: TinyCourse) -> None:
    """In a terminal each run begins on a clear screen."""
    (here / "value.py").write_text(course.right)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "grader", "check", "tiny", "value.py", "--watch"]
    with subprocess.Popen(command, cwd=here, stdin=theirs, stdout=theirs, stderr=theirs) as process:  # noqa: S603  # ourselves
        os.close(theirs)
        got = b""
        while b"Watching" not in got:
            got += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
    os.close(ours)

    assert got.startswith(b"\x1b[2J\x1b[1;1H")
    assert 0 == process.returncode


# --------------------------------------------------------------------------------------------------------------------
# What students get


def test_pack(here: Path, command: Command, course: TinyCourse) -> None:
    """A zip, or a folder of any other name, is a course of its own, and checks a file as the whole course does."""
    zipped = command("pack", "student", "-o", "out/course.zip", cwd=here)
    folder = command("pack", "student", "-o", "out/course", "--exercise", "tiny", cwd=here)
    with zipfile.ZipFile(here / "out" / "course.zip") as packed:
        packed.extractall(here / "unpacked")
    (here / "wrong.py").write_text(course.wrong.replace("max(self.data, 0.0)", "self.data"))
    checked = [
        command("check", "tiny", here / "wrong.py", environment={"GRADER_COURSE": ""}, cwd=place)
        for place in (course.root, here / "unpacked", here / "out" / "course")
    ]

    assert (0, "out/course.zip is for students: tiny. They begin with the README.md in it.\n", "") == (
        zipped.returncode,
        zipped.stdout,
        zipped.stderr,
    )
    assert 0 == folder.returncode
    assert 1 == len({(done.returncode, done.stdout, done.stderr) for done in checked})
    assert "y.data: expected 0.0, got -2.0" in checked[0].stdout


def test_pack_again(here: Path, command: Command) -> None:
    """A zip is written anew, a folder is not; and a zip needs a place."""
    for name, status in (("a.zip", 0), ("a.zip", 0), ("folder", 0), ("folder", 3), ("a.zip/b.zip", 3)):
        done = command("pack", "student", "-o", name, cwd=here)

        assert status == done.returncode, done.stderr
        assert "Traceback" not in done.stderr


def test_stale_pack(here: Path, command: Command) -> None:
    """A copy whose checks are not those that were recorded is refused in one line."""
    command("pack", "student", "-o", "course", cwd=here)
    checks = here / "course" / "exercises" / "tiny" / "checks" / "check_public.py"
    checks.write_text(checks.read_text().replace("-2.0", "2.0"))
    (here / "value.py").touch()
    done = command("--course", "course", "check", "tiny", "value.py", cwd=here)

    assert (3, "") == (done.returncode, done.stdout)
    assert "grader: tiny: expected.json was made of other checks" in done.stderr
    assert 1 == done.stderr.count("\n")
