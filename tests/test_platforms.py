"""One submission as a platform hands it over: whose it is, what it holds, and what comes of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from grader.errors import GraderError
from grader.platforms import (
    NOBODY,
    grade_handed_in,
    gradescope_people,
    not_handed_in,
    prairielearn_people,
    read_handed_in,
    warn_of_time,
)
from grader.sandbox.kinds import SandboxChoice
from grader.submission import Submission
from grader.verdict import Absent, Report, Ungraded, Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import TinyCourse

PROGRAM_CHECK = '''\
def check_output(program):
    """It prints twice the number."""
    return program(stdin="4\\n").stdout
'''


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """A folder in which nothing is yet."""
    folder = tmp_path / "submission"
    folder.mkdir()
    return folder


# --------------------------------------------------------------------------------------------------------------------
# Whose it is


@pytest.mark.parametrize(
    ("users", "expected"),
    [
        ([{"id": 7, "email": "ada@x.org", "name": "Ada"}], ("7",)),
        ([{"id": 110}, {"id": 9}, {"id": 25}], ("9", "25", "110")),
        ([{"id": "9"}, {"id": 9}], ("9",)),
    ],
)
def test_people_of_gradescope(tmp_path: Path, users: list[dict[str, object]], expected: tuple[str, ...]) -> None:
    """Whoever handed in together has the inputs of the first of them, whatever order they are told in."""
    metadata = tmp_path / "submission_metadata.json"
    metadata.write_text(json.dumps({"users": users, "previous_submissions": [{"score": 10.0}]}))

    assert expected == gradescope_people(metadata)


@pytest.mark.parametrize(
    "text", ["{}", '{"users": []}', '{"users": 3}', '{"users": [{"id": null}]}', '{"users": ["x"]}']
)
def test_metadata_that_names_nobody(tmp_path: Path, text: str) -> None:
    """Where Gradescope does not say whose it is, nothing can be graded."""
    metadata = tmp_path / "submission_metadata.json"
    metadata.write_text(text)

    with pytest.raises(GraderError, match=r"submission_metadata.json does not say who handed in"):
        gradescope_people(metadata)


@pytest.mark.parametrize(
    ("text", "says"),
    [("[]", "is no JSON object"), ("{", "is not JSON"), ("\udcff", "is not JSON"), (None, "cannot be read")],
)
def test_files_that_are_none(tmp_path: Path, text: str | None, says: str) -> None:
    """A platform's file that is missing or damaged is said to be so."""
    path = tmp_path / "data.json"
    if text is not None:
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    for read in (gradescope_people, prairielearn_people):
        with pytest.raises(GraderError, match=says):
            read(path)


def test_people_of_prairielearn(tmp_path: Path) -> None:
    """PrairieLearn tells variants apart, and not students."""
    data = tmp_path / "data.json"
    data.write_text('{"variant_seed": 8675309, "params": {}}')

    assert ("variant 8675309",) == prairielearn_people(data)


@pytest.mark.parametrize("text", ["{}", '{"variant_seed": null}', '{"variant_seed": "abc"}'])
def test_data_without_a_variant(tmp_path: Path, text: str) -> None:
    """Where PrairieLearn does not say which variant it is, nothing can be graded."""
    data = tmp_path / "data.json"
    data.write_text(text)

    with pytest.raises(GraderError, match=r"data.json does not say which variant it is"):
        prairielearn_people(data)


# --------------------------------------------------------------------------------------------------------------------
# What it holds


def test_what_a_group_handed_in(course: TinyCourse, handed_in: Path) -> None:
    """A file is a submission of the first of a group, with the others as partners."""
    exercise = course.exercise()
    (handed_in / "value.py").write_text("x = 1\n")
    found = read_handed_in(handed_in, [exercise], ["9", "25"]).found

    assert (Submission("9", "tiny", "value.py", b"x = 1\n", partners=("25",)),) == found


def test_remarks(course: TinyCourse, handed_in: Path) -> None:
    """It is said which file was taken for which, and which were not asked for."""
    (handed_in / "value (1).py").write_text("x = 1\n")
    (handed_in / "essay.txt").write_text("An essay.\n")
    remarks = read_handed_in(handed_in, [course.exercise()], [NOBODY]).remarks

    assert ("value (1).py is taken for value.py by its name.", "essay.txt is not asked for.") == remarks


def test_nothing_handed_in(course: TinyCourse, handed_in: Path) -> None:
    """What is missing is absent; where there has to be a score, it has one of which every check is not run."""
    exercise = course.exercise()
    (absent,) = read_handed_in(handed_in, [exercise], ["9", "25"]).found
    assert Absent("9", "tiny") == absent

    assert Submission("9", "tiny", "value.py", b"", "was not handed in") == not_handed_in(Absent("9", "tiny"), exercise)


def test_what_this_machine_refuses_to_read(course: TinyCourse, tmp_path: Path) -> None:
    """A folder that is not there is no fault of a student's."""
    (lost,) = read_handed_in(tmp_path / "missing", [course.exercise()], [NOBODY]).found

    assert Ungraded(NOBODY, "tiny", "The student's folder cannot be read: No such file or directory.") == lost


# --------------------------------------------------------------------------------------------------------------------
# What comes of it


def test_outcomes(course: TinyCourse, handed_in: Path) -> None:
    """What was found is graded, exercise by exercise, and what was not stays as it is."""
    first = course.exercise(name="first")
    second = course.exercise(PROGRAM_CHECK, name="second", submit="program.py")
    (handed_in / "value.py").write_text(course.right)
    found = read_handed_in(handed_in, [first, second], ["9"]).found
    outcomes = grade_handed_in(found, [first, second], SandboxChoice("bubblewrap"), b"")

    assert isinstance(outcomes[0], Report)
    assert outcomes[0].passed
    assert Absent("9", "second") == outcomes[1]
    assert [Absent("9", "first")] == grade_handed_in([Absent("9", "first")], [first], SandboxChoice("docker"), b"")


def test_outcome_of_nothing(course: TinyCourse) -> None:
    """What was not handed in earns nothing, and the report says so."""
    exercise = course.exercise()
    submission = not_handed_in(Absent("9", "tiny"), exercise)
    (report,) = grade_handed_in([submission], [exercise], SandboxChoice("bubblewrap"), b"")

    assert isinstance(report, Report)
    assert {Verdict.NOT_RUN} == {result.verdict for result in report.results}
    assert ("value.py was not handed in",) == report.notes


def test_time(course: TinyCourse) -> None:
    """Limits that together allow more than the platform are told, with what to change."""
    exercise = course.exercise(limits={"check_seconds": 5})
    assert "" == warn_of_time([exercise], 600, "Gradescope")

    slow = replace(exercise, limits=replace(exercise.limits, check_seconds=300))
    told = warn_of_time([exercise, slow], 600, "Gradescope")
    assert "and Gradescope stops it after 600 s, which counts as a zero: allow more there and with --timeout" in told
