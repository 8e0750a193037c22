"""One outcome as a JUnit XML document, for CI systems and whatever else reads the format.

The format has no standard; this is the form that Jenkins reads, as junit-xml writes it. Such documents reach
students, so they hold nothing that a student may not read: of a hidden check neither what happened nor how
long it took, by which a program could show what it was given, and not the fingerprint of the course secret.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from junit_xml import (  # type: ignore[import-untyped]  # junit-xml has no type hints
    TestCase,
    TestSuite,
    to_xml_report_string,
)

from grader.errors import GraderError
from grader.reports.feedback import asked, explain, word
from grader.reports.text import one_line, visible
from grader.verdict import Report, Verdict

if TYPE_CHECKING:
    from grader.verdict import Result, Ungraded

_ELEMENTS = {
    Verdict.PASSED: "system-out",
    Verdict.FAILED: "failure",
    Verdict.OUTPUT: "failure",
    Verdict.ERROR: "error",
    Verdict.TIMEOUT: "error",
    Verdict.MEMORY: "error",
    Verdict.NOT_RUN: "error",
}


@dataclass(frozen=True, slots=True)
class _Case:
    """One `testcase` with its one child element, fit to be written; lasts as long as its document is made."""

    name: str
    element: str
    text: str
    type: str | None = None
    message: str | None = None
    seconds: float | None = None


def to_junit(outcome: Report | Ungraded) -> str:
    """Writes an outcome as a JUnit document with a `testcase` for each check.

    A wrong answer is a `failure`, whatever else did not pass an `error`; the `type` of both is the verdict.
    An ungraded outcome, or one without checks, is a single `error`.

    Raises:
        GraderError: What was written does not read back as the outcome.
    """
    exercise = one_line(outcome.exercise)
    suite = TestSuite(
        exercise,
        [_test_case(exercise, case) for case in _cases(outcome)],
        properties={one_line(name): one_line(value) for name, value in _properties(outcome)},
        stdout="\n".join(visible(note) for note in outcome.notes) if isinstance(outcome, Report) else None,
    )
    document: str = to_xml_report_string([suite], encoding="utf-8")
    verify(document, outcome)
    return document


def verify(document: str, outcome: Report | Ungraded) -> None:
    """Reads a JUnit document back, since junit-xml drops some things in silence and breaks on others.

    Raises:
        GraderError: The document is no XML, or its counts and test cases are not those of the outcome.
    """
    whose = f"{one_line(outcome.student)}, {one_line(outcome.exercise)}"
    try:
        root = ET.fromstring(document)  # noqa: S314 - written by us, and its writer escapes all markup
    except ET.ParseError as error:
        raise GraderError(f"{whose}: the JUnit report is no XML: {error}.") from error
    cases = _cases(outcome)
    expected = [[case.name, (case.element, case.type, case.message, case.text)] for case in cases]
    written = [
        [
            case.get("name"),
            *((child.tag, child.get("type"), child.get("message"), child.text) for child in case),
        ]
        for case in root.iter("testcase")
    ]
    counts = {
        "tests": len(cases),
        "failures": sum(case.element == "failure" for case in cases),
        "errors": sum(case.element == "error" for case in cases),
    }
    if written != expected or any(root.get(name) != str(count) for name, count in counts.items()):
        raise GraderError(f"{whose}: the JUnit report does not say what was to be written.")


def _cases(outcome: Report | Ungraded) -> list[_Case]:
    name = one_line(outcome.exercise)
    if not isinstance(outcome, Report):
        # The reason may name a case of a hidden check; it stands in the instructor's record.
        text = "This submission could not be graded, through no fault of its student. The instructor has the reason."
        return [_Case(name, "error", text, "ungraded", "ungraded: neither a zero nor a pass")]
    if not outcome.results:
        return [_Case(name, "error", "There was no check to run.", Verdict.NOT_RUN, "not run: no checks")]
    return [_case(result) for result in outcome.results]


def _case(result: Result) -> _Case:
    paragraphs = [
        asked(result),
        *(f"{label}:\n{text}" for label, text in explain(result)),
        f"XP: {result.xp} of {result.worth}",
    ]
    return _Case(
        name=one_line(result.check),
        element=_ELEMENTS[result.verdict],
        text="\n\n".join(paragraphs),
        type=None if result.passed else result.verdict,
        message=None if result.passed else f"{word(result.verdict)}: {asked(result)}",
        # To the millisecond: junit-xml would write a shorter sum as 1e-05, which is no decimal in XML.
        seconds=None if result.hidden else round(result.seconds, 3),
    )


def _test_case(exercise: str, case: _Case) -> TestCase:
    written = TestCase(case.name, classname=exercise, elapsed_sec=case.seconds)
    if case.element == "failure":
        written.add_failure_info(case.message, case.text, case.type)
    elif case.element == "error":
        written.add_error_info(case.message, case.text, case.type)
    else:
        written.stdout = case.text
    return written


def _properties(outcome: Report | Ungraded) -> list[tuple[str, str]]:
    whose = [("student", outcome.student), ("exercise", outcome.exercise)]
    if not isinstance(outcome, Report):
        return [*whose, ("state", "ungraded")]
    provenance = outcome.provenance
    return [
        *whose,
        ("state", "graded"),
        ("title", outcome.title),
        ("file", outcome.file),
        ("xp", str(outcome.xp)),
        ("total_xp", str(outcome.total_xp)),
        ("submission_sha256", provenance.submission),
        ("exercise_sha256", provenance.exercise),
        ("sandbox", provenance.sandbox),
        ("image", provenance.image),
        *((f"version.{name}", version) for name, version in provenance.versions),
    ]
