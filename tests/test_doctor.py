"""The doctor tries the real thing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from grader.course import Course
from grader.doctor import examine
from grader.errors import CourseError

if TYPE_CHECKING:
    from grader.doctor import Finding
    from tests.conftest import TinyCourse


def found(course: Course | None) -> dict[str, Finding]:
    """What the doctor finds, by what was tried."""

    def find() -> Course:
        if course is None:
            raise CourseError("there is none")
        return course

    return {finding.subject: finding for finding in examine(find)}


@pytest.fixture
def tiny(course: TinyCourse) -> Course:
    """A sound course."""
    course.exercise()
    return Course(course.root)


@pytest.mark.usefixtures("sandbox_image")
def test_healthy(tiny: Course, sandbox_image: str) -> None:
    """Where nothing is lacking, every finding says what was found."""
    findings = found(tiny)

    assert {"Python", "course", "sandbox unsafe", "sandbox docker"} <= set(findings)
    assert findings["sandbox unsafe"].ok
    assert findings["sandbox docker"].ok
    assert sys.executable in findings["Python"].detail
    assert f"{tiny.root}: tiny" == findings["course"].detail
    assert findings["sandbox docker"].detail.startswith(f"{sandbox_image}, answered in ")


def test_no_engine(tiny: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a Docker engine the doctor says how to get one, and goes on."""
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:9")
    findings = found(tiny)

    assert findings["sandbox unsafe"].ok
    assert not findings["sandbox docker"].ok
    assert "start it, or unset DOCKER_HOST" in findings["sandbox docker"].detail


def test_no_course() -> None:
    """Without a course it says so, and goes on."""
    findings = found(None)

    assert not findings["course"].ok
    assert "there is none" == findings["course"].detail
    assert findings["sandbox unsafe"].ok


def test_broken_exercise(course: TinyCourse, tiny: Course) -> None:
    """An exercise that cannot be used is told with its mistakes."""
    course.write("exercises/tiny/exercise.toml", "")

    assert not found(tiny)["course"].ok


@pytest.mark.parametrize(
    ("driver", "said"),
    [
        ("print('hello')", "the sandbox did not become ready"),
        ("import sys; sys.exit(1)", "the sandbox did not become ready"),
    ],
)
def test_broken_sandbox(tiny: Course, monkeypatch: pytest.MonkeyPatch, driver: str, said: str) -> None:
    """A sandbox that does not answer is told as well."""
    monkeypatch.setattr("grader.sandbox.unsafe.DRIVER", ("-c", driver))
    finding = found(tiny)["sandbox unsafe"]

    assert not finding.ok
    assert said in finding.detail
