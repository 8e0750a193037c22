"""`grader grade --log json`: what a program reads on standard error."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Command, Leftovers, TinyCourse

GRADE = ("grade", "handed-in", "--sandbox", "unsafe", "--jobs", "2", "--log", "json")


def events(text: str) -> list[dict[str, Any]]:
    """The objects of a log, which is nothing but JSON."""
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_all_is_json(course: TinyCourse, command: Command, tmp_path: Path, encoding: str) -> None:
    """Whatever there is to say and whatever students are called, each line is an object; a second run too."""
    course.exercise()
    for name in ("ada", "zo\u00eb", os.fsdecode(b"by\xfftes"), "new\nline"):
        course.hand_in(name, course.right)
    course.hand_in("ada", "", "notes.txt")
    environment = {"PYTHONIOENCODING": encoding}
    done = command(*GRADE, "-o", tmp_path / "out", cwd=course.root, environment=environment)
    again = command(*GRADE, "-o", tmp_path / "out", cwd=course.root, environment=environment)
    found = events(done.stderr)
    section = (Path(__file__).parents[1] / "docs" / "cli.md").read_text(encoding="utf-8")
    words = {word for event in found for word in (*event, event["event"])}
    students = {event["student"] for event in found if event["event"] == "submission_done"}

    assert (0, 0) == (done.returncode, again.returncode)
    assert {"ada", "zo\u00eb", r"by\xfftes", "new\nline"} == students
    assert set() == {word for word in words if f"`{word}`" not in section}
    assert ["remark", "remark", "batch_started"] == [event["event"] for event in found[:3]]
    assert "Ignored:\n  ada/notes.txt: is not asked for" == found[-1]["text"]
    assert "Not graded again, because nothing changed: 4. --force would." in [
        event.get("text") for event in events(again.stderr)
    ]


def test_interrupted(course: TinyCourse, tmp_path: Path, leftovers: Leftovers) -> None:
    """Ctrl-C is told like the rest: what is done is written, and the last line says how to go on."""
    course.exercise()
    for name in ("ada", "blaise", "carl"):
        course.hand_in(name, course.right if name == "ada" else course.slow)
    with subprocess.Popen(  # noqa: S603  # ourselves
        [sys.executable, "-m", "grader", *GRADE, "-o", str(tmp_path / "out")],
        cwd=course.root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr
        log = ""
        while '"submission_done"' not in log:
            line = process.stderr.readline()
            assert line, log
            log += line
        process.send_signal(signal.SIGINT)
        log += process.stderr.read()
    found = events(log)
    interrupted = next(event for event in found if event["event"] == "batch_interrupted")
    record = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))

    assert 130 == process.returncode
    assert (1, 3) == (interrupted["done"], interrupted["total"])
    assert "Interrupted. The same command goes on from here." == found[-1]["text"]
    assert ["graded", "ungraded", "ungraded"] == [outcome["state"] for outcome in record["outcomes"]]
    assert set() == leftovers()
