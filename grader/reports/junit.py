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
    from collections.abc import Iterable, Sequence

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
    return _document([outcome], [one_line(outcome.exercise)])


def to_junit_batch(outcomes: Iterable[Outcome]) -> str:
    """Writes all outcomes of a run as one JUnit document: a `testsuite` for each, by student, then exercise.

    A suite, and the class of its test cases, is called `<student>.<exercise>`, since readers tell test cases apart by
    class and name. What was not handed in is a single `skipped`. Everybody is in it, so it is the instructor's alone.

    Raises:
        GraderError: What was written does not read back as the outcomes.
    """
    ordered = sorted(outcomes, key=lambda outcome: (outcome.student, outcome.exercise))
    return _document(ordered, [f"{one_line(each.student)}.{one_line(each.exercise)}" for each in ordered])


def verify(document: str, outcomes: Sequence[Outcome]) -> None:
    """Reads a JUnit document back, since junit-xml drops some things in silence and breaks on others.

    Raises:
        GraderError: The document is no XML, or its properties, test cases or sums are not those of the outcomes.
    """
    whose = ", ".join(map(one_line, (outcomes[0].student, outcomes[0].exercise))) if len(outcomes) == 1 else "the batch"
    try:
        root = ET.fromstring(document)  # noqa: S314 - written by us, and its writer escapes all markup
    except ET.ParseError as error:
        raise GraderError(f"{whose}: the JUnit report is no XML: {error}.") from error
    cases = [_cases(outcome) for outcome in outcomes]
    expected = [
        ([_expected(case) for case in suite], _properties(outcome), _sums(suite))
        for suite, outcome in zip(cases, outcomes, strict=True)
    ]
    written = [
        (
            [_written(case) for case in suite.iter("testcase")],
            {each.get("name"): each.get("value") for each in suite.iter("property")},
            {name: value for name, value in suite.items() if name != "name"},
        )
        for suite in root
    ]
    if written != expected or root.attrib != _root_sums(cases):
        raise GraderError(f"{whose}: the JUnit report does not say what was to be written.")


def _document(outcomes: Sequence[Outcome], names: Sequence[str]) -> str:
    root = ET.Element("testsuites", _root_sums([_cases(outcome) for outcome in outcomes]))
    root.extend(_suite(outcome, name) for outcome, name in zip(outcomes, names, strict=True))
    ET.indent(root)
    document = f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'
    verify(document, outcomes)
    return document


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


def _sums(cases: Sequence[_Case]) -> dict[str, str]:
    """The attributes of a suite that are computed from its test cases."""
    elements = [case.element for case in cases]
    return {
        "tests": str(len(cases)),
        "failures": str(elements.count("failure")),
        "errors": str(elements.count("error")),
        "skipped": str(elements.count("skipped")),
        "time": f"{sum(Decimal(case.time) for case in cases if case.time is not None):.3f}",
    }


def _root_sums(suites: Iterable[Sequence[_Case]]) -> dict[str, str]:
    """The attributes of the whole document; the schema has `skipped` in suites alone."""
    sums = _sums([case for suite in suites for case in suite])
    return {name: value for name, value in sums.items() if name != "skipped"}


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
