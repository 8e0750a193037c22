"""Annotations, read as the runner of GitHub Actions reads them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.reports.github import MOST_ANNOTATIONS, to_annotations
from grader.reports.text import one_line, visible
from grader.verdict import Absent, Report, Ungraded, Verdict
from tests.workflow_commands import WorkflowCommand, workflow_commands

OUTCOMES = st.from_type(Report) | st.from_type(Ungraded) | st.from_type(Absent)


def with_what(report: Report, *whats: str) -> Report:
    """Makes a report of public checks that failed in these ways."""
    return replace(report, results=tuple(replace(report.results[1], what=what, code="") for what in whats))


def test_each_check_that_did_not_pass_is_an_error(report: Report) -> None:
    """An error has the file, and says which check it is, how it went, what was asked, what happened, and the hint."""
    failed, *_ = workflow_commands(to_annotations([report], path="week 1/value.py"))

    assert (
        WorkflowCommand(
            "error",
            "A power passes back exponent * base ** (exponent - 1).\n\n"
            "What happened:\nx.grad is 2.0, expected 12.0\n\n"
            "What the check did:\nx = engine.Value(2.0)\ny = x ** 3\ny.backward()\n\n"
            "Hint:\nWhat does a leaf get that is used twice?",
            {"file": "week 1/value.py", "title": "pow_relu: check_gradient: failed"},
        )
        == failed
    )


def test_what_passed_or_is_absent_is_not_annotated(report: Report) -> None:
    """Nothing is said where nothing is wrong."""
    passed = replace(report, results=report.results[:1])

    assert "" == to_annotations([passed, Absent("bo", "pow_relu")])


def test_a_class_is_told_whose_it_is(report: Report) -> None:
    """Without a file, the student stands in the title."""
    titles = [each.properties for each in workflow_commands(to_annotations([with_what(report, "wrong")]))]

    assert [{"title": "anna, pow_relu: check_gradient: failed"}] == titles


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("ZeroDivisionError: oh\n  line 7, in __pow__: return f(x)\n  line 12, in f: 1 / 0", "12"),
        ("SyntaxError: invalid syntax\n  line 3: def f(:", "3"),
        ("It took too long in `backward()`, line 40 (`while True:`).", "40"),
        ("It took too long at line 9.", "9"),
        ("ValueError: 5\n  cell 2, line 4, in f: x", None),
        ("The first line should look like `y`.", None),
        ("x is 2.0, expected 3.0", None),
        ("  line 123456789, in f: x", None),
    ],
)
def test_the_line_is_the_innermost_that_is_named(report: Report, what: str, line: str | None) -> None:
    """Where feedback names a line of the file, the annotation stands there."""
    (command,) = workflow_commands(to_annotations([with_what(report, what)], path="value.py"))

    assert line == command.properties.get("line")


def test_a_hidden_check_leaks_nothing(report: Report) -> None:
    """Of a hidden check there are the question, the verdict in general words, and the hint; not even a line."""
    lost = [replace(each, what=f"SECRET\n  line 3: {each.what}") for each in report.results]
    *_, timeout, not_run = workflow_commands(to_annotations([replace(report, results=tuple(lost))], path="value.py"))

    assert "SECRET" not in timeout.message + not_run.message
    assert {"file": "value.py", "title": "pow_relu: check_hidden_powers: timeout"} == timeout.properties


def test_what_is_so_for_all_checks_is_said_once(report: Report) -> None:
    """A file that does not load is one error, not one for each check."""
    problem = "value.py does not load.\nSyntaxError: invalid syntax\n  line 3: def f(:"
    results = tuple(replace(each, verdict=Verdict.NOT_RUN, what=problem) for each in report.results)
    (command,) = workflow_commands(
        to_annotations([replace(report, results=results, notes=(problem,))], path="value.py")
    )

    assert "3" == command.properties["line"]


def test_ungraded_comes_first_and_without_its_reason(report: Report) -> None:
    """A fault of ours is seen before all others; the reason may name a case of a hidden check."""
    first, *_ = workflow_commands(to_annotations([report, Ungraded("bo", "pow_relu", "check_secret[31415.5]")]))

    assert (
        WorkflowCommand(
            "error",
            "This submission could not be graded, through no fault of its student.",
            {"title": "bo, pow_relu: ungraded"},
        )
        == first
    )


def test_there_are_no_more_than_github_shows(report: Report) -> None:
    """GitHub drops what is over ten without a word, so a notice says how many there are."""
    commands = workflow_commands(to_annotations([with_what(report, *map(str, range(12)))]))

    assert ["error"] * MOST_ANNOTATIONS + ["notice"] == [each.name for each in commands]
    assert "There are 2 more errors, which GitHub would not show." == commands[-1].message
    assert MOST_ANNOTATIONS == to_annotations([with_what(report, *map(str, range(10)))]).count("\n")


def test_long_texts_are_cut(report: Report) -> None:
    """A message is as long as the runner keeps at most, a title as GitHub does; what is cut is cut in the middle."""
    long = with_what(replace(report, student="s" * 999), "%" * 9_999)
    (command,) = workflow_commands(to_annotations([long]))

    assert (4096, 255) == (len(command.message), len(command.properties["title"]))
    assert command.message.endswith("What does a leaf get that is used twice?")


@given(st.lists(OUTCOMES, max_size=3), st.text())
def test_every_annotation_can_be_read(outcomes: list[Report | Ungraded | Absent], path: str) -> None:
    """Whatever the texts, each line is a command of ours, and the runner gets back what shows."""
    printed = to_annotations(outcomes, path)
    commands = workflow_commands(printed)

    assert printed.count("\n") == len(commands) <= MOST_ANNOTATIONS + 1
    assert {"error", "notice"} >= {each.name for each in commands}
    assert {"file", "line", "title"} >= {key for each in commands for key in each.properties}
    for command in commands:
        assert command.message == visible(command.message)
        assert command.properties.get("file", "").strip() == one_line(path).strip() or command.name == "notice"
