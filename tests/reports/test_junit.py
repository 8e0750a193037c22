"""JUnit documents, read with lxml, which had no part in writing them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from grader.errors import GraderError
from grader.reports.junit import to_junit, verify
from grader.verdict import Report, Ungraded, Verdict

SCHEMA = etree.XMLSchema(etree.parse(str(Path(__file__).with_name("junit.xsd"))))


def read(document: str) -> etree._Element:
    """Reads a document, and holds it against the schema."""
    root = etree.fromstring(document.encode("utf-8"))
    SCHEMA.assertValid(root)
    return root


def case(root: etree._Element, name: str) -> etree._Element:
    """Finds the test case of a check."""
    found = root.find(f".//testcase[@name='{name}']")
    assert found is not None
    return found


def test_a_check_is_a_test_case_in_exercise_order(report: Report) -> None:
    """There is a test case for each check, in their order; its class is the exercise."""
    cases = read(to_junit(report)).findall("testsuite/testcase")

    assert [result.check for result in report.results] == [each.get("name") for each in cases]
    assert {"pow_relu"} == {each.get("classname") for each in cases}


@pytest.mark.parametrize(
    ("check", "element", "kind"),
    [
        ("check_gradient", "failure", "failed"),
        ("check_lines", "failure", "output"),
        ("check_relu", "error", "error"),
        ("check_chain", "error", "memory"),
        ("check_hidden_powers", "error", "timeout"),
        ("check_hidden_relu", "error", "not_run"),
    ],
)
def test_a_wrong_answer_is_a_failure_and_the_rest_errors(report: Report, check: str, element: str, kind: str) -> None:
    """The code's answer may be a failure; where it gave none there is an error; the type is the verdict."""
    (conclusion,) = case(read(to_junit(report)), check)

    assert (element, kind) == (conclusion.tag, conclusion.get("type"))


def test_a_passed_check_has_no_conclusion(report: Report) -> None:
    """A check that passed says what was asked and what it earned."""
    (output,) = case(read(to_junit(report)), "check_value")

    assert "system-out" == output.tag
    assert "A power has the value base ** exponent.\n\nXP: 3 of 3" == output.text


def test_a_public_check_says_everything(report: Report) -> None:
    """A failure says what was asked, what happened, what the check did, the hint and the XP."""
    (failure,) = case(read(to_junit(report)), "check_gradient")

    assert "failed: A power passes back exponent * base ** (exponent - 1)." == failure.get("message")
    assert (
        "A power passes back exponent * base ** (exponent - 1).\n\n"
        "What happened:\nx.grad is 2.0, expected 12.0\n\n"
        "What the check did:\nx = engine.Value(2.0)\ny = x ** 3\ny.backward()\n\n"
        "Hint:\nWhat does a leaf get that is used twice?\n\n"
        "XP: 0 of 4"
    ) == failure.text


def test_a_hidden_check_says_only_what_a_student_may_read(report: Report) -> None:
    """Of a hidden check there are the question, the verdict in general words, and the hint."""
    (error,) = case(read(to_junit(report)), "check_hidden_powers")

    assert "timeout: Powers hold elsewhere." == error.get("message")
    assert (
        "Powers hold elsewhere.\n\n"
        "What happened:\nThe code took too long and was stopped.\n\n"
        "Hint:\nMind the exponent 0.\n\n"
        "XP: 0 of 10"
    ) == error.text


def test_a_hidden_check_leaks_neither_its_inputs_nor_its_time(report: Report) -> None:
    """What happened in a hidden check, its code and its time, and the secret's fingerprint are not in it."""
    document = to_junit(report)

    assert "SECRET" not in document
    assert "7.5" not in document
    assert "9.75" not in document
    assert "f00d" not in document
    assert case(read(document), "check_hidden_powers").get("time") is None


def test_times_are_those_of_public_checks(report: Report) -> None:
    """A public check has its seconds, and the suite their sum."""
    root = read(to_junit(report))

    assert 0.012 == float(case(root, "check_value").get("time", ""))
    assert pytest.approx(0.012 + 0.5 + 1.25) == float(root[0].get("time", ""))


def test_a_tiny_time_is_no_power_of_ten(report: Report) -> None:
    """A time is a plain decimal number, however short it is."""
    quick = tuple(replace(result, seconds=0.00001) for result in report.results)

    assert "e-05" not in to_junit(replace(report, results=quick))


def test_properties_say_whose_it_is_and_what_it_was_made_from(report: Report) -> None:
    """Student, exercise, XP and provenance are properties; the notes are the suite's output."""
    suite = read(to_junit(report))[0]

    assert {
        "student": "anna",
        "exercise": "pow_relu",
        "state": "graded",
        "title": "Teach the engine",
        "file": "value.py",
        "xp": "3",
        "total_xp": "25",
        "submission_sha256": "a" * 64,
        "exercise_sha256": "b" * 64,
        "sandbox": "docker",
        "image": "sha256:c0ffee",
        "version.grader": "0.1.0",
    } == {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert report.notes == (suite.findtext("system-out"),)


def test_an_ungraded_submission_is_one_error_without_the_reason() -> None:
    """What could not be graded is neither green nor a failure of the student; the reason may name a hidden case."""
    root = read(to_junit(Ungraded("anna", "pow_relu", "check_secret[31415.5]: it returns an object")))

    assert ("1", "0", "1") == (root.get("tests"), root.get("failures"), root.get("errors"))
    (error,) = case(root, "pow_relu")
    assert ("error", "ungraded") == (error.tag, error.get("type"))
    assert error.text is not None
    assert error.text.startswith("This submission could not be graded, through no fault of its student.")
    assert "31415.5" not in to_junit(Ungraded("anna", "pow_relu", "check_secret[31415.5]: it returns an object"))
    assert ["anna", "pow_relu", "ungraded"] == [each.get("value") for each in root.iter("property")]


def test_a_report_without_checks_is_an_error(report: Report) -> None:
    """Where nothing ran, nothing is green."""
    root = read(to_junit(replace(report, results=())))

    assert ("1", "0", "1") == (root.get("tests"), root.get("failures"), root.get("errors"))
    assert ["not_run"] == [error.get("type") for error in root.iter("error")]


@given(st.from_type(Report) | st.from_type(Ungraded))
@example(Ungraded("\ud800", "\uffff", "]]>\x1b"))
def test_every_outcome_can_be_read(outcome: Report | Ungraded) -> None:
    """Whatever the texts, the document is valid, its counts are right, and conclusions have messages."""
    root = read(to_junit(outcome))

    verdicts = [result.verdict for result in outcome.results] if isinstance(outcome, Report) else []
    failures = sum(verdict in {Verdict.FAILED, Verdict.OUTPUT} for verdict in verdicts)
    passed = verdicts.count(Verdict.PASSED)
    tests = len(verdicts) or 1
    for element in (root, root[0]):
        assert str(tests) == element.get("tests")
        assert str(failures) == element.get("failures")
        assert str(tests - failures - passed) == element.get("errors")
    assert tests == len(root.findall("testsuite/testcase"))
    assert failures == len(root.findall(".//failure[@message]"))
    assert tests - failures - passed == len(root.findall(".//error[@message]"))


def test_a_document_that_lost_a_failure_is_refused(report: Report) -> None:
    """A failure that its writer dropped, which would make the check green, is found on reading back."""
    root = read(to_junit(report))
    (failure,) = root.findall(".//testcase[@name='check_gradient']/failure")
    failure.getparent().remove(failure)  # type: ignore[union-attr]  # the test case that it was found in

    with pytest.raises(GraderError, match="anna, pow_relu: the JUnit report does not say what was to be written"):
        verify(etree.tostring(root, encoding="unicode"), report)


def test_a_document_with_wrong_counts_is_refused(report: Report) -> None:
    """Readers that look at the counts alone are told the same."""
    root = read(to_junit(report))
    root.set("failures", "0")

    with pytest.raises(GraderError, match="does not say"):
        verify(etree.tostring(root, encoding="unicode"), report)


def test_a_document_that_is_no_xml_is_refused(report: Report) -> None:
    """A character that XML does not allow is found on reading back."""
    with pytest.raises(GraderError, match="anna, pow_relu: the JUnit report is no XML"):
        verify(to_junit(report).replace("value", "\x1b"), report)
