"""JUnit documents, read with lxml and junitparser, which had no part in writing them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, Skipped
from lxml import etree

from grader.errors import GraderError
from grader.reports.feedback import asked
from grader.reports.junit import to_junit, to_junit_batch, verify
from grader.verdict import Absent, Report, Ungraded, Verdict

if TYPE_CHECKING:
    from grader.verdict import Outcome

OUTCOMES = st.from_type(Report) | st.from_type(Ungraded) | st.from_type(Absent)
SCHEMA = etree.XMLSchema(etree.parse(str(Path(__file__).with_name("junit.xsd"))))


def read(document: str) -> etree._Element:
    """Reads a document, and holds it against the schema."""
    root = etree.fromstring(document.encode("utf-8"))
    SCHEMA.assertValid(root)
    return root


def read_batch(outcomes: list[Outcome]) -> etree._Element:
    """Reads the document of a batch."""
    return read("".join(to_junit_batch(outcomes)))


def suite_of(report: Report) -> etree._Element:
    """The suite of a report."""
    return read(to_junit(report))[0]


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


def test_what_stands_in_a_note_is_said_of_each_check(report: Report) -> None:
    """Where a note says what kept checks from running, each says that, hidden ones too, and gives no hint."""
    note = "value.py defines `Scalar`; the exercise asks for `Value`."
    results = tuple(replace(each, verdict=Verdict.ERROR, what=note) for each in report.results)
    document = read(to_junit(replace(report, results=results, notes=(note,))))

    for result in results:
        (error,) = case(document, result.check)
        assert f"{asked(result)}\n\nWhat happened:\n{note}\n\nXP: 0 of {result.worth}" == error.text


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

    assert ["0.012", "0.500", "0.000", "0.000", "1.250", None, None] == [
        each.get("time") for each in root.iter("testcase")
    ]
    assert ["1.762", "1.762"] == [root.get("time"), root[0].get("time")]


@pytest.mark.parametrize(
    ("seconds", "case_time", "suite_time"),
    [
        (0.00001, "0.000", "0.000"),
        (0.1, "0.100", "0.500"),
        (0.0014, "0.001", "0.005"),
        (1e15, "1" + "0" * 15 + ".000", "5" + "0" * 15 + ".000"),
    ],
)
def test_times_are_decimals_that_add_up(report: Report, seconds: float, case_time: str, suite_time: str) -> None:
    """A time is a plain decimal to the millisecond, however short or long, and sums are those of what is written."""
    root = read(to_junit(replace(report, results=tuple(replace(result, seconds=seconds) for result in report.results))))

    assert case_time == case(root, "check_value").get("time")
    assert suite_time == root[0].get("time")


def test_a_document_does_not_say_when_it_was_written(report: Report) -> None:
    """The same outcome gives the same document."""
    assert to_junit(report) == to_junit(report)
    assert "timestamp" not in to_junit(report)


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


class TestBatch:
    """All outcomes of a run in one document."""

    def test_an_outcome_is_a_suite(self, report: Report) -> None:
        """There is a suite for each outcome, in their order; test cases of two students have two classes."""
        outcomes: list[Outcome] = [replace(report, exercise="line_fit"), report, Absent("bo", "pow_relu")]
        root = read_batch(outcomes)

        names = ["anna.line_fit", "anna.pow_relu", "bo.pow_relu"]
        assert names == [suite.get("name") for suite in root]
        assert [{name} for name in names] == [
            {each.get("classname") for each in suite.iter("testcase")} for suite in root
        ]

    def test_a_fault_of_ours_is_no_fault_of_a_student(self, report: Report) -> None:
        """What is wrong, what went wrong, what could not be graded and what is absent are four things."""
        root = read_batch([report, Ungraded("bo", "pow_relu", "no engine"), Absent("cy", "pow_relu")])
        found = {(child.tag, child.get("type")) for each in root.iter("testcase") for child in each}

        assert {
            ("system-out", None),
            ("failure", "failed"),
            ("failure", "output"),
            *(("error", kind) for kind in ("error", "memory", "timeout", "not_run")),
            ("error", "ungraded"),
            ("skipped", "skipped"),
        } == found

    def test_sums(self, report: Report) -> None:
        """The document has the sums of its suites, and each suite the number it skips."""
        root = read_batch([report, replace(report, student="bo"), Absent("cy", "pow_relu")])

        assert {"tests": "15", "failures": "4", "errors": "8", "time": "3.524"} == attributes(root)
        assert ["0", "0", "1"] == [suite.get("skipped") for suite in root]

    def test_states(self, report: Report) -> None:
        """Each suite says whose it is and what became of it."""
        root = read_batch([report, Ungraded("bo", "pow_relu", "no engine"), Absent("cy", "pow_relu")])
        states = [each.get("value") for each in root.iter("property") if each.get("name") == "state"]

        assert ["graded", "ungraded", "absent"] == states

    def test_hidden_checks(self, report: Report) -> None:
        """It says no more of hidden checks than the document of one outcome does."""
        document = "".join(to_junit_batch([report, Ungraded("bo", "pow_relu", "check_secret[31415.5]")]))

        assert not [secret for secret in ("SECRET", "7.5", "9.75", "f00d", "31415.5") if secret in document]

    def test_nobody(self) -> None:
        """A class without anybody is an empty document."""
        assert {"tests": "0", "failures": "0", "errors": "0", "time": "0.000"} == attributes(read_batch([]))

    @given(st.lists(OUTCOMES, max_size=4))
    def test_every_batch_can_be_read(self, outcomes: list[Outcome]) -> None:
        """Whatever the texts, another reader finds each outcome as it is."""
        document = "".join(to_junit_batch(outcomes))
        read(document)
        suites = list(JUnitXml.fromstring(document.encode()))
        kinds = {Failure: "failure", Error: "error", Skipped: "skipped"}
        found = [[[kinds[type(each)] for each in case.result] for case in suite] for suite in suites]

        assert [conclusions(outcome) for outcome in outcomes] == found


def attributes(element: etree._Element) -> dict[str, str | None]:
    """The attributes of an element."""
    return {name: element.get(name) for name in map(str, element.keys())}


def conclusions(outcome: Outcome) -> list[list[str]]:
    """What a reader is to find in each test case of an outcome."""
    match outcome:
        case Absent():
            return [["skipped"]]
        case Report(results=(_, *_)):
            wrong = {Verdict.FAILED, Verdict.OUTPUT}
            return [
                [] if result.passed else ["failure" if result.verdict in wrong else "error"]
                for result in outcome.results
            ]
        case _:
            return [["error"]]


def test_a_suite_that_lost_a_failure_is_refused(report: Report) -> None:
    """A failure that its writer dropped, which would make the check green, is found on reading back."""
    suite = suite_of(report)
    (failure,) = suite.findall(".//testcase[@name='check_gradient']/failure")
    failure.getparent().remove(failure)  # type: ignore[union-attr]  # the test case that it was found in

    with pytest.raises(GraderError, match="anna, pow_relu: the JUnit report does not say what was to be written"):
        verify(etree.tostring(suite, encoding="unicode"), report)


def test_a_suite_with_wrong_counts_is_refused(report: Report) -> None:
    """Readers that look at the counts alone are told the same."""
    suite = suite_of(report)
    suite.set("failures", "0")

    with pytest.raises(GraderError, match="does not say"):
        verify(etree.tostring(suite, encoding="unicode"), report)


def test_a_suite_that_is_no_xml_is_refused(report: Report) -> None:
    """A character that XML does not allow is found on reading back."""
    with pytest.raises(GraderError, match="anna, pow_relu: the JUnit report is no XML"):
        verify(etree.tostring(suite_of(report), encoding="unicode").replace("value", "\x1b"), report)


def test_a_suite_about_somebody_else_is_refused(report: Report) -> None:
    """So is a suite whose properties name another student."""
    with pytest.raises(GraderError, match="bo, pow_relu: the JUnit report does not say"):
        verify(etree.tostring(suite_of(report), encoding="unicode"), replace(report, student="bo"))
