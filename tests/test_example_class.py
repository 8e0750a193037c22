"""The example class, graded in Docker by one command: each check tells what it is about, and nothing else."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from grader.course import Course

if TYPE_CHECKING:
    from grader.exercise import Exercise

ROOT = Path(__file__).parents[1]
SUBMISSIONS = ROOT / "submissions"
EXERCISES = {exercise.id: exercise for exercise in Course(ROOT).exercises()}
EXPECTED = {
    (path.parent.name, exercise): {check.name: found.get(check.name, "passed") for check in EXERCISES[exercise].checks}
    for path in sorted(SUBMISSIONS.glob("*/expected.toml"))
    for exercise, found in tomllib.loads(path.read_text(encoding="utf-8")).items()
}
STATES = {"passed": None, "failed": "failure", "output": "failure"}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory, sandbox_image: str) -> Path:  # noqa: ARG001  # it is to be there
    """The folder of the results of the whole class."""
    folder = tmp_path_factory.mktemp("example-class")
    done = subprocess.run(  # noqa: S603  # ourselves
        [sys.executable, "-m", "grader", "grade", SUBMISSIONS, "-o", folder, "--sandbox", "docker"],
        cwd=ROOT,
        env=os.environ | {"GRADER_SECRET": "the secret of the example class"},
        capture_output=True,
        text=True,
        check=False,
    )
    (folder / "table").write_text(done.stdout)

    assert 0 == done.returncode, done.stderr
    return folder


@pytest.fixture(scope="module")
def graded(out: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """The record of each submission, by student and exercise."""
    outcomes = json.loads((out / "results.json").read_text(encoding="utf-8"))["outcomes"]
    return {(outcome["student"], outcome["exercise"]): outcome for outcome in outcomes if outcome["state"] == "graded"}


def worth(exercise: Exercise, verdicts: dict[str, str]) -> int:
    """The XP that verdicts earn."""
    return sum(check.xp for check in exercise.checks if verdicts[check.name] == "passed")


@pytest.mark.parametrize(("student", "exercise"), EXPECTED, ids=map("-".join, EXPECTED))
def test_verdicts(graded: dict[tuple[str, str], dict[str, Any]], student: str, exercise: str) -> None:
    """Every check of every submission has the verdict that is written beside the submission."""
    outcome = graded[student, exercise]

    assert EXPECTED[student, exercise] == {check["check"]: check["verdict"] for check in outcome["checks"]}
    assert worth(EXERCISES[exercise], EXPECTED[student, exercise]) == outcome["xp"]
    assert 25 == outcome["total_xp"]


def test_nobody_is_forgotten(graded: dict[tuple[str, str], dict[str, Any]]) -> None:
    """Every submission has its expected verdicts, and every expectation its submission."""
    assert set(EXPECTED) == set(graded)


def test_right_styles() -> None:
    """The class has several right answers to each exercise, all worth 25 of 25, and a dozen mistakes."""
    right = [exercise for (_, exercise), verdicts in EXPECTED.items() if set(verdicts.values()) == {"passed"}]

    assert all(right.count(exercise) >= 3 for exercise in EXERCISES)
    assert len(EXPECTED) - len(right) >= 12


def test_every_check_is_failed_by_somebody() -> None:
    """Each check finds a mistake that some submission makes, while another one passes it."""
    for exercise in EXERCISES.values():
        for check in exercise.checks:
            found = {verdicts[check.name] for (_, name), verdicts in EXPECTED.items() if name == exercise.id}
            assert "passed" in found
            assert found - {"passed", "not_run"}, check.name


def test_nothing_about_hidden_checks(out: Path, graded: dict[tuple[str, str], dict[str, Any]]) -> None:
    """A student's file says nothing of what happened in a hidden check."""
    for (student, exercise), outcome in graded.items():
        document = (out / "junit" / f"{student}.{exercise}.xml").read_text(encoding="utf-8")
        for check in outcome["checks"]:
            if check["hidden"] and check["verdict"] == "failed":
                assert check["what"]
                assert etree.fromstring(document.encode()).xpath(f"//testcase[@name='{check['check']}']/failure")
                assert check["what"].splitlines()[0] not in document


def test_junit(out: Path) -> None:
    """An independent reader finds in each JUnit file a test case for each check, with its kind of failure."""
    found = {
        tuple(path.stem.rsplit(".", 1)): {
            case.get("name"): next((child.tag for child in case if child.tag in {"failure", "error"}), None)
            for case in etree.parse(path).getroot().iter("testcase")
        }
        for path in (out / "junit").iterdir()
    }
    expected = {
        who: {check: STATES.get(verdict, "error") for check, verdict in verdicts.items()}
        for who, verdicts in EXPECTED.items()
    }

    assert expected == found


def test_table(out: Path) -> None:
    """The printed table and the CSV have the XP of each student."""
    order = list(EXERCISES)
    printed = {
        (cells[0], exercise): cell
        for line in (out / "table").read_text(encoding="utf-8").splitlines()
        if (cells := re.split(r" +", line.strip()))[0] in {student for student, _ in EXPECTED}
        for exercise, cell in zip(order, cells[1:], strict=False)
    }
    with (out / "xp.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["student"], row["exercise"]): row["xp"] or row["state"] for row in csv.DictReader(file)}

    assert rows == printed
    assert {who: str(worth(EXERCISES[who[1]], verdicts)) for who, verdicts in EXPECTED.items()} == {
        who: xp for who, xp in rows.items() if xp != "absent"
    }


def test_provenance(graded: dict[tuple[str, str], dict[str, Any]], sandbox_image: str) -> None:
    """Every report says that it came from Docker, and from which image."""
    assert {("docker", sandbox_image)} == {
        (outcome["provenance"]["sandbox"], outcome["provenance"]["image"]) for outcome in graded.values()
    }
