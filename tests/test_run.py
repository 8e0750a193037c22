"""A run grades what the gradebook lacks, however often it is cut off."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from grader.batch.local import LocalExecutor
from grader.gradebook import FILE_NAME, Gradebook, Policy
from grader.inbox import read_inbox
from grader.run import Run
from grader.sandbox.kinds import SandboxChoice
from grader.sandbox.unsafe import UnsafeSandbox
from grader.verdict import Report, Ungraded
from tests.arrivals import spooled

if TYPE_CHECKING:
    from pathlib import Path

    from grader.exercise import Exercise
    from grader.verdict import Outcome
    from tests.conftest import TinyCourse

ENVIRONMENT = {"GRADER_SECRET": "the secret of a made-up course"}
CLASS = 8


@pytest.fixture
def exercise(course: TinyCourse) -> Exercise:
    """An exercise of two checks, for which a class of some right and some wrong handed in."""
    for number in range(CLASS):
        course.hand_in(f"student{number}", course.wrong if number % 3 else course.right)
    return course.exercise()


def grade(course: TinyCourse, exercise: Exercise, out: Path, *, force: bool = False) -> tuple[int, int, list[Outcome]]:
    """Do a run; return how many submissions it graded, how many it did not need to, and what the class stands at."""
    out.mkdir(exist_ok=True)
    inbox = read_inbox(course.root / "handed-in", [exercise])
    told: list[Report | Ungraded] = []
    with UnsafeSandbox() as sandbox, Run(inbox, [exercise], out, ENVIRONMENT) as run:
        with LocalExecutor([exercise], SandboxChoice("unsafe"), run.secret, jobs=2) as executor:
            run.grade(run.pending(sandbox, force=force), executor, told.append)
        with run.outcomes([exercise.id], Policy.BEST) as outcomes:
            return len(told), run.reused, list(outcomes)


def test_only_what_changed(course: TinyCourse, exercise: Exercise, tmp_path: Path) -> None:
    """A second run grades what was handed in anew, and nothing else."""
    first = grade(course, exercise, tmp_path / "out")
    again = grade(course, exercise, tmp_path / "out")
    course.hand_in("student1", course.right)
    changed = grade(course, exercise, tmp_path / "out")
    forced = grade(course, exercise, tmp_path / "out", force=True)

    assert (CLASS, 0) == first[:2]
    assert (0, CLASS, first[2]) == again
    assert (1, CLASS - 1) == changed[:2]
    assert (CLASS, 0, changed[2]) == forced


@pytest.mark.parametrize("part", ["checks/check_public.py", "../../reference/engine.py"])
def test_what_a_grade_depends_on(course: TinyCourse, exercise: Exercise, tmp_path: Path, part: str) -> None:
    """Another check or another reference makes every grade anew."""
    grade(course, exercise, tmp_path / "out")
    path = exercise.folder / part
    path.write_text(f"{path.read_text()}\n# another\n")
    code = "from grader.cli import main; main()"
    arguments = ["grade", "handed-in", "-o", str(tmp_path / "out"), "--sandbox", "unsafe"]
    done = subprocess.run(  # noqa: S603  # ourselves, in a process that has not yet imported the reference
        [sys.executable, "-c", code, *arguments],
        cwd=course.root,
        env=os.environ | ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert f"[{CLASS}/{CLASS}]" in done.stderr


def test_groups(course: TinyCourse, exercise: Exercise, tmp_path: Path) -> None:
    """What a group handed in is graded once, and each of them has it, also who joins later."""
    (tmp_path / "out").mkdir()
    inbox = read_inbox(course.root / "handed-in", [exercise], None)
    alone = inbox.submissions[0]

    def stand(*partners: str) -> tuple[int, set[str]]:
        group = dataclasses.replace(
            inbox,
            submissions=spooled(dataclasses.replace(alone, partners=partners)),
            origins=inbox.origins[:1],
            people=(),
        )
        told: list[Report | Ungraded] = []
        with UnsafeSandbox() as sandbox, Run(group, [exercise], tmp_path / "out", ENVIRONMENT) as run:
            with LocalExecutor([exercise], SandboxChoice("unsafe"), run.secret, jobs=1) as executor:
                run.grade(run.pending(sandbox, force=False), executor, told.append)
            with run.outcomes([exercise.id], Policy.BEST) as outcomes:
                return len(told), {each.student for each in outcomes if isinstance(each, Report)}

    assert (1, {"student0", "bo"}) == stand("bo")
    assert (0, {"student0", "bo", "cy"}) == stand("bo", "cy")


def test_killed(course: TinyCourse, exercise: Exercise, tmp_path: Path) -> None:
    """Killed at random instants and gone on with, a run comes to what an undisturbed one comes to, each graded once."""
    for number in range(CLASS, 60):
        course.hand_in(f"student{number}", f"{course.right if number % 2 else course.wrong}# {number}\n")
    undisturbed = grade(course, exercise, tmp_path / "undisturbed")[2]
    out = tmp_path / "out"
    for seed in range(20):
        process = subprocess.Popen(  # noqa: S603  # ourselves
            [sys.executable, "-m", "grader", "grade", "handed-in", "-o", str(out), "--sandbox", "unsafe", "-j", "2"],
            cwd=course.root,
            env=os.environ | ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(random.Random(seed).uniform(0.3, 2.5))
        process.kill()
        process.wait()
    finished = grade(course, exercise, out)[2]
    with Gradebook(out / FILE_NAME) as gradebook:
        attempts = [gradebook.attempts(each.student, exercise.id) for each in finished]

    assert undisturbed == finished
    assert {1} == {len(each) for each in attempts}
