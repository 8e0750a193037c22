"""Outcomes as JUnit XML documents, for CI systems and whatever else reads the format.

The format has no standard. What is written here, as junit-xml writes it, is valid where a published schema is held
against it, the one that Jenkins does (https://github.com/jenkinsci/xunit-plugin, `junit-10.xsd`), and means the same to
GitLab (https://docs.gitlab.com/ci/testing/unit_test_reports/) and to what GitHub's marketplace has:

    a wrong answer                      failure   `failed`, `output`
    no answer: the student's fault      error     `error`, `timeout`, `memory`, `not_run`
    no grade: a fault that is not       error     `ungraded`
    nothing handed in                   skipped

The `type` stands behind each. GitLab reads a `type` as that of the element's data, so it may be no name of a data type.

Such documents reach students, so they hold nothing that a student may not read: of a hidden check neither what happened
nor how long it took, by which a program could show what it was given, and not the fingerprint of the course secret.
There is no `timestamp`: an outcome does not know when it was reached, and the same outcomes give the same document.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from junit_xml import TestCase, TestSuite  # type: ignore[import-untyped]  # junit-xml has no type hints

from grader.errors import GraderError
from grader.reports.feedback import asked, explain, overall, word
from grader.reports.text import one_line, visible
from grader.verdict import Absent, Report, Ungraded, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from grader.outcomes import Outcomes
    from grader.verdict import Outcome, Result

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
    time: str | None = None


def to_junit(outcome: Report | Ungraded) -> str:
    """Writes one outcome as a JUnit document with a `testcase` for each check.

    An ungraded outcome, or one without checks, is a single `error`. The student may have the document.

    Raises:
        GraderError: What was written does not read back as the outcome.
    """
    return "".join(_document([outcome], lambda outcome: one_line(outcome.exercise)))


def to_junit_batch(outcomes: Outcomes) -> Iterator[str]:
    """Writes all outcomes of a run as one JUnit document, piece by piece: a `testsuite` for each, in their order.

    A suite, and the class of its test cases, is called `<student>.<exercise>`, since readers tell test cases apart by
    class and name. What was not handed in is a single `skipped`. Everybody is in it, so it is the instructor's alone.

    Args:
        outcomes: By student, then exercise; they are gone through twice, since their sums come first.

    Raises:
        GraderError: What was written does not read back as the outcomes.
    """
    return _document(outcomes, lambda outcome: f"{one_line(outcome.student)}.{one_line(outcome.exercise)}")


def verify(suite: str, outcome: Outcome) -> None:
    """Reads a suite back, since junit-xml drops some things in silence and breaks on others.

    Raises:
        GraderError: The suite is no XML, or its properties, test cases or sums are not those of the outcome.
    """
    whose = f"{one_line(outcome.student)}, {one_line(outcome.exercise)}"
    try:
        root = ET.fromstring(suite)  # noqa: S314 - written by us, and its writer escapes all markup
    except ET.ParseError as error:
        raise GraderError(f"{whose}: the JUnit report is no XML: {error}.") from error
    cases = _cases(outcome)
    expected = [_expected(case) for case in cases], _properties(outcome), _sums(cases)
    written = (
        [_written(case) for case in root.iter("testcase")],
        {each.get("name"): each.get("value") for each in root.iter("property")},
        {name: value for name, value in root.items() if name != "name"},
    )
    if written != expected:
        raise GraderError(f"{whose}: the JUnit report does not say what was to be written.")


def _document(outcomes: Outcomes, name: Callable[[Outcome], str]) -> Iterator[str]:
    sums = _sums(case for outcome in outcomes for case in _cases(outcome))
    del sums["skipped"]  # the schema has it in suites alone
    end = "</testsuites>"
    root = ET.tostring(ET.Element("testsuites", sums), encoding="unicode", short_empty_elements=False)
    yield f'<?xml version="1.0" encoding="utf-8"?>\n{root.removesuffix(end)}\n'
    for outcome in outcomes:
        suite = _suite(outcome, name(outcome))
        ET.indent(suite, level=1)
        text = ET.tostring(suite, encoding="unicode")
        verify(text, outcome)
        yield f"  {text}\n"
    yield f"{end}\n"


def _suite(outcome: Outcome, name: str) -> ET.Element:
    cases = _cases(outcome)
    suite: ET.Element = TestSuite(
        name,
        [_test_case(name, case) for case in cases],
        properties=_properties(outcome),
        stdout="\n".join(map(visible, overall(outcome))) if isinstance(outcome, Report) else None,
    ).build_xml_doc()
    del suite.attrib["disabled"]  # the schema has no such attribute
    # junit-xml adds times up as floats, and leaves out those that are 0.
    suite.set("time", _sums(cases)["time"])
    for element, case in zip(suite.iter("testcase"), cases, strict=True):
        if case.time is not None:
            element.set("time", case.time)
    return suite


def _test_case(name: str, case: _Case) -> TestCase:
    written = TestCase(case.name, classname=name)
    match case.element:
        case "failure":
            written.add_failure_info(case.message, case.text, case.type)
        case "error":
            written.add_error_info(case.message, case.text, case.type)
        case "skipped":
            written.add_skipped_info(case.message, case.text)
        case _:
            written.stdout = case.text
    return written


def _cases(outcome: Outcome) -> list[_Case]:
    name = one_line(outcome.exercise)
    match outcome:
        case Absent():
            return [
                _Case(
                    name,
                    "skipped",
                    "Nothing that fits was handed in.",
                    "skipped",
                    "absent: neither a zero nor ungraded",
                )
            ]
        case Ungraded():
            # The reason may name a case of a hidden check; it stands in the instructor's record.
            text = (
                "This submission could not be graded, through no fault of its student. The instructor has the reason."
            )
            return [_Case(name, "error", text, "ungraded", "ungraded: neither a zero nor a pass")]
        case Report(results=()):
            return [_Case(name, "error", "There was no check to run.", Verdict.NOT_RUN, "not run: no checks")]
        case _:
            return [_case(result, outcome.notes) for result in outcome.results]


def _case(result: Result, notes: Sequence[str]) -> _Case:
    paragraphs = [
        asked(result),
        *(f"{label}:\n{text}" for label, text in explain(result, notes)),
        f"XP: {result.xp} of {result.worth}",
    ]
    return _Case(
        name=one_line(result.check),
        element=_ELEMENTS[result.verdict],
        text="\n\n".join(paragraphs),
        type=None if result.passed else result.verdict,
        message=None if result.passed else f"{word(result.verdict)}: {asked(result)}",
        time=None if result.hidden else f"{result.seconds:.3f}",
    )


def _sums(cases: Iterable[_Case]) -> dict[str, str]:
    """The attributes of a suite, or of the document, that are computed from its test cases."""
    elements: Counter[str] = Counter()
    seconds = Decimal()
    for case in cases:
        elements[case.element] += 1
        seconds += Decimal(case.time or 0)
    return {
        "tests": str(elements.total()),
        "failures": str(elements["failure"]),
        "errors": str(elements["error"]),
        "skipped": str(elements["skipped"]),
        "time": f"{seconds:.3f}",
    }


def _expected(case: _Case) -> tuple[object, ...]:
    return case.name, case.time, [(case.element, case.type, case.message, case.text)]


def _written(case: ET.Element) -> tuple[object, ...]:
    children = [(child.tag, child.get("type"), child.get("message"), child.text) for child in case]
    return case.get("name"), case.get("time"), children


def _properties(outcome: Outcome) -> dict[str, str]:
    properties = {"student": outcome.student, "exercise": outcome.exercise}
    match outcome:
        case Absent():
            properties["state"] = "absent"
        case Ungraded():
            properties["state"] = "ungraded"
        case _:
            provenance = outcome.provenance
            properties |= {
                "state": "graded",
                "title": outcome.title,
                "file": outcome.file,
                "xp": str(outcome.xp),
                "total_xp": str(outcome.total_xp),
                "submission_sha256": provenance.submission,
                "exercise_sha256": provenance.exercise,
                "sandbox": provenance.sandbox,
                "image": provenance.image,
                **{f"version.{name}": version for name, version in provenance.versions},
            }
    return {one_line(name): one_line(value) for name, value in properties.items()}
