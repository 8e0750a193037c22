"""The doctor's probes of a sandbox's boundary find what is there, and nothing where the boundary holds."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

import pytest

from grader import probes
from grader.course import Course
from grader.doctor import examine
from grader.probes import PROBES, Probe

if TYPE_CHECKING:
    from pathlib import Path

    from grader.doctor import Finding
    from tests.conftest import TinyCourse

ISOLATING = ("docker", "bubblewrap")
ALLOW_EVERYTHING = struct.pack("=HBBI", 0x06, 0, 0, 0x7FFF_0000)
"""A filter of one instruction: return SECCOMP_RET_ALLOW."""


@pytest.fixture
def find(course: TinyCourse, sandbox_image: str) -> Course:  # noqa: ARG001  # the image has to be there
    """A sound course."""
    course.exercise()
    return Course(course.root)


def boundaries(course: Course) -> dict[str, Finding]:
    """What the doctor finds of the boundaries."""
    return {
        finding.subject.removeprefix("boundary of "): finding
        for finding in examine(lambda: course)
        if finding.subject.startswith("boundary of ")
    }


def test_boundaries_hold(find: Course) -> None:
    """In each isolating sandbox every probe is tried, and finds nothing."""
    expected = {
        f"{kind}, {probe.name.replace('_', ' ')}": (True, probe.promise) for kind in ISOLATING for probe in PROBES
    }

    assert expected == {subject: (finding.ok, finding.detail) for subject, finding in boundaries(find).items()}


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_where_there_is_no_boundary(probe: Probe) -> None:
    """Outside of any sandbox every probe finds something, so one that finds nothing means something."""
    assert getattr(probes, probe.name)()


def test_docker_without_a_filter(find: Course, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Containers without a filter of system calls are found out, and it is said what to look at."""
    profile = tmp_path / "profile.json"
    profile.write_text(json.dumps({"defaultAction": "SCMP_ACT_ALLOW"}))
    monkeypatch.setattr("grader.sandbox.docker.PROFILE", profile)
    found = boundaries(find)

    failed = {subject for subject, finding in found.items() if not finding.ok}
    assert {"docker, network", "docker, system calls"} == failed
    assert found["docker, network"].detail.startswith("found sockets of AF_INET, sockets of AF_INET6, ")
    assert "more: the filter of system calls is not in force: " in found["docker, system calls"].detail


def test_bubblewrap_without_a_filter(find: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    """So is bubblewrap, if its filter lets everything pass."""
    monkeypatch.setattr("grader.sandbox.bubblewrap.compile_profile", lambda: ALLOW_EVERYTHING)
    found = boundaries(find)

    failed = {subject for subject, finding in found.items() if not finding.ok}
    assert {"bubblewrap, network", "bubblewrap, system calls"} == failed


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing", "it could not be tried: NameError: probes.py defines no name 'nothing'"),
        ("Path", "it could not be tried: it answered Opaque("),
    ],
)
def test_probe_that_cannot_be_tried(find: Course, monkeypatch: pytest.MonkeyPatch, name: str, said: str) -> None:
    """A probe that fails is no boundary that holds, and the next one is tried."""
    monkeypatch.setattr("grader.probes.PROBES", (Probe(name, "all is well", "try again"), PROBES[0]))
    found = boundaries(find)

    assert [False, True] == [found[f"docker, {each}"].ok for each in (name, "network")]
    assert found[f"docker, {name}"].detail.startswith(said)
