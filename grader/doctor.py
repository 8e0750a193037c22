"""What this machine has and lacks. Nothing is looked up: the real thing is tried."""

from __future__ import annotations

import contextlib
import platform
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader import probes
from grader.errors import GraderError
from grader.limits import Limits
from grader.sandbox.kinds import AUTOMATIC, SandboxChoice
from grader.stand_in import StudentError
from grader.student import Stopped, Student
from grader.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from grader.course import Course
    from grader.probes import Probe
    from grader.sandbox.kinds import Kind

_PROBES = Submission("doctor", "doctor", "probes.py", Path(probes.__file__).read_bytes())
_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """What one probe found; lasts until it is shown.

    Attributes:
        subject: What was tried.
        ok: Whether it works.
        detail: What was found, or what is wrong and the next step.
    """

    subject: str
    ok: bool
    detail: str


def examine(find_course: Callable[[], Course]) -> Iterator[Finding]:
    """Try, one after the other, what grading needs; each finding comes as soon as it is known."""
    yield Finding("Python", ok=True, detail=f"{platform.python_version()}, {sys.executable}")
    yield _course(find_course)
    for kind in AUTOMATIC:
        yield from _sandbox(kind, "isolated", probes.PROBES)
    yield from _sandbox("unsafe", "not isolated", ())


def _course(find_course: Callable[[], Course]) -> Finding:
    try:
        course = find_course()
        exercises = course.exercises()
    except GraderError as error:
        return Finding("course", ok=False, detail=str(error))
    return Finding("course", ok=True, detail=f"{course.root}: {', '.join(exercise.id for exercise in exercises)}")


def _sandbox(kind: Kind, purpose: str, boundary: Sequence[Probe]) -> Iterator[Finding]:
    """Load a file in a sandbox as if it were a student's, and have it look for what must not be there."""
    started = time.monotonic()
    with contextlib.ExitStack() as stack:
        try:
            sandbox = stack.enter_context(SandboxChoice(kind).open())
            student = stack.enter_context(contextlib.closing(Student(_PROBES, Limits(), sandbox, execute=True)))
            student.load()
            student.begin()
        except (GraderError, StudentError, Stopped) as error:
            yield Finding(f"sandbox {kind}", ok=False, detail=str(error))
            return
        seconds = time.monotonic() - started
        yield Finding(f"sandbox {kind}", ok=True, detail=f"{sandbox.image}, answered in {seconds:.2f} s ({purpose})")
        for probe in boundary:
            yield Finding(f"boundary of {kind}, {probe.name.replace('_', ' ')}", *_outcome(probe, student))


def _outcome(probe: Probe, student: Student) -> tuple[bool, str]:
    """Run one probe: whether the boundary holds, and what to say."""
    try:
        student.begin()
        found = student.recorder.resolve(getattr(student.engine, probe.name)())
    except (GraderError, StudentError, Stopped) as error:
        return False, f"it could not be tried: {error}"
    finally:
        student.end()
    if not isinstance(found, list):
        return False, f"it could not be tried: it answered {found!r}"
    if not found:
        return True, probe.promise
    more = f" and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    return False, f"found {', '.join(map(str, found[:_MOST_SHOWN]))}{more}: {probe.remedy}"
