"""Whatever others write, each output can be read, says what it is to say, and does nothing else.

To try another output, add a test that takes `outcomes`: in them the text stands wherever there is a text.
"""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from lxml import etree
from rich.cells import cell_len

from grader.exercise import Exercise
from grader.limits import Limits
from grader.reports.console import class_table
from grader.reports.csv_table import to_csv
from grader.reports.feedback import SEEMS
from grader.reports.github import to_annotations
from grader.reports.json_record import to_json
from grader.reports.junit import to_junit, to_junit_batch
from grader.reports.markdown import class_markdown, report_markdown
from grader.reports.text import one_line, visible
from grader.verdict import Absent, Outcome, Provenance, Report, Result, Ungraded, Verdict
from tests.hostile_strings import HOSTILE_STRINGS
from tests.markdown_readers import assert_inert, read_markdown
from tests.screens import report_screen
from tests.workflow_commands import workflow_commands

SECRET = "31415.5"  # what happened in a hidden check  # noqa: S105  # of no use elsewhere
SCHEMA = etree.XMLSchema(etree.parse(str(Path(__file__).with_name("junit.xsd"))))


@pytest.fixture(params=list(HOSTILE_STRINGS.values()), ids=list(HOSTILE_STRINGS))
def hostile(request: pytest.FixtureRequest) -> str:
    """Each of the hostile strings."""
    text: str = request.param
    return text


@pytest.fixture
def report(hostile: str) -> Report:
    """A report with every verdict and a hidden check."""
    results = [
        Result(f"{verdict} {hostile}", hostile, False, verdict, 2, hostile, hostile, hostile, hostile)  # noqa: FBT003  # not hidden
        for verdict in Verdict
    ]
    told = f"{SECRET}{hostile}"
    results.append(Result("check_hidden", hostile, True, Verdict.ERROR, 2, hostile, told, SECRET, SECRET))  # noqa: FBT003  # hidden
    provenance = Provenance("a" * 64, "b" * 64, hostile, hostile, SECRET, ((hostile, hostile),))
    notes = (f"note: {hostile}",)
    checks = tuple(results)
    return Report(hostile, hostile, hostile, hostile, 20, checks, provenance, notes, 1.0, hostile, SECRET)


@pytest.fixture
def outcomes(hostile: str, report: Report) -> list[Outcome]:
    """The report, something ungraded and something absent, of three students."""
    return [report, Ungraded(f"{hostile} 2", hostile, hostile), Absent(f"{hostile} 3", hostile)]


@pytest.fixture
def exercises(hostile: str) -> list[Exercise]:
    """The one exercise that they are about."""
    folder = Path("/course/exercises/x")
    return [Exercise(hostile, hostile, folder, hostile, 20, None, "reference.x", Limits(), (), "d" * 64)]


@pytest.fixture
def names(hostile: str, outcomes: list[Outcome]) -> dict[str, str]:
    """What the students are called."""
    return {outcome.student: f"{hostile} too" for outcome in outcomes}


def test_console(report: Report, outcomes: list[Outcome], exercises: list[Exercise], names: dict[str, str]) -> None:
    """Screens have printable lines, none too long, and none that a CI system would obey."""
    for screen in (report_screen(report), "".join(class_table(outcomes, exercises, names))):
        assert all(line.isprintable() and cell_len(line) <= 80 for line in screen.split("\n"))
        assert [] == workflow_commands(screen)
    assert SECRET not in report_screen(report)


def test_junit(report: Report, outcomes: list[Outcome]) -> None:
    """JUnit reports are valid, and an XML reader finds the texts as they show."""
    one, batch = (
        etree.fromstring(to_junit(report).encode()),
        etree.fromstring("".join(to_junit_batch(outcomes)).encode()),
    )
    SCHEMA.assertValid(one)
    SCHEMA.assertValid(batch)

    assert [one_line(result.check) for result in report.results] == [case.get("name") for case in one.iter("testcase")]
    assert len(report.results) + 2 == len(list(batch.iter("testcase")))
    assert {one_line(outcome.student) for outcome in outcomes} == {
        each.get("value") for each in batch.iter("property") if each.get("name") == "student"
    }
    remarks = f"{visible(report.notes[0])}\n{visible(f'{SEEMS}: {report.diagnosis}')}"
    assert remarks == one.findtext("testsuite/system-out")
    assert SECRET not in "".join(to_junit_batch(outcomes))


def test_report_markdown(report: Report) -> None:
    """A report in Markdown is one table with a row for each check, and blocks of code with what happened."""
    markdown = report_markdown(report)
    assert_inert(markdown)
    (table,), blocks = read_markdown(markdown)

    assert {3} == {len(row) for row in table}
    assert ["verdict", *(result.verdict.replace("_", " ") for result in report.results)] == [row[0] for row in table]
    assert visible(report.notes[0].strip("\n")) == blocks[0].removesuffix("\n").replace(r"\x60", "`")
    assert SECRET not in markdown


def test_class_markdown(
    hostile: str, outcomes: list[Outcome], exercises: list[Exercise], names: dict[str, str]
) -> None:
    """A class in Markdown is one table with a row for each student, and a block of code with the reason."""
    markdown = class_markdown(outcomes, exercises, names)
    assert_inert(markdown)
    (table,), blocks = read_markdown(markdown)

    assert [2] * 4 == [len(row) for row in table]
    assert {"2", "ungraded", "absent"} == {row[1] for row in table[1:]}
    assert [visible(hostile.strip("\n"))] == [block.removesuffix("\n").replace(r"\x60", "`") for block in blocks]


def test_github(report: Report, outcomes: list[Outcome]) -> None:
    """Each line is a command, which the runner reads as it was meant."""
    printed = to_annotations(outcomes, path="handed in/value.py")
    commands = workflow_commands(printed)
    failed = [result for result in report.results if not result.passed]

    assert printed.count("\n") == len(commands) == 1 + len(failed)
    assert {("error", "handed in/value.py")} == {(each.name, each.properties["file"]) for each in commands}
    assert {"title", "file", "line"} >= {key for each in commands for key in each.properties}
    question = one_line(" ".join(report.results[0].question.split()))
    assert all(each.message.startswith(question[:1000]) for each in commands[1:])
    assert all(len(each.message) <= 4096 for each in commands)
    assert SECRET not in printed


def test_csv(outcomes: list[Outcome], exercises: list[Exercise], names: dict[str, str]) -> None:
    """A table has a row for each outcome, and no cell that a spreadsheet would run."""
    rows = list(csv.reader(io.StringIO("".join(to_csv(outcomes, exercises, names)), newline=""), strict=True))

    assert [7] * 4 == [len(row) for row in rows]
    assert {"graded", "ungraded", "absent"} == {row[2] for row in rows[1:]}
    assert not [cell for row in rows for cell in row if re.match(r"[-=+@\t\r\n＝＋－＠]", cell)]  # noqa: RUF001  # full width


def test_json(outcomes: list[Outcome]) -> None:
    """The record says everything, and whoever prints it is safe."""
    text = "".join(to_json(outcomes))
    record = json.loads(text.encode(), parse_constant=pytest.fail)

    assert len(outcomes) == len(record["outcomes"])
    assert all(line.isprintable() for line in text.split("\n"))
    assert {"graded", "ungraded", "absent"} == {outcome["state"] for outcome in record["outcomes"]}
