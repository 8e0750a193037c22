"""What the terminal shows."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from grader.exercise import Check, Exercise
from grader.limits import Limits
from grader.reports import console
from grader.reports.class_list import NO_NAMES
from grader.reports.console import exercise_list
from grader.reports.prompt import prompt_screen
from grader.reports.terminal import NARROWEST
from grader.verdict import Absent, Report, Ungraded, Verdict
from tests.screens import report_screen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from grader.verdict import Outcome

OUTCOMES = st.from_type(Report) | st.from_type(Ungraded) | st.from_type(Absent)
WIDTHS = st.sampled_from([NARROWEST, 80, 120])
FOLDER = Path("/course/exercises/fit")
CHECK = Check("check_fit", "Does it fit?", 25, "", hidden=False, file=FOLDER / "checks" / "check_fit.py")
EXERCISE = Exercise("fit", "Fit", FOLDER, "fit.py", 25, None, "reference.fit", Limits(), (CHECK,), "d" * 64)
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def class_table(
    outcomes: Sequence[Outcome], exercises: list[Exercise], names: Mapping[str, str] = NO_NAMES, **screen: Any
) -> str:
    """The whole table."""
    return "".join(console.class_table(outcomes, exercises, names, **screen))


def graded(report: Report, student: str, exercise: str, xp: int) -> Report:
    """Makes a report of one check that earns so much of 25 XP."""
    passed = replace(report.results[0], worth=xp)
    failed = replace(report.results[1], worth=25 - xp)
    return replace(report, student=student, exercise=exercise, results=(passed, failed))


def assert_tidy(screen: str, width: int) -> None:
    """Holds that a screen has nothing but printable lines, none too long and none with spaces at its end."""
    assert screen.endswith("\n")
    for line in screen.split("\n"):
        assert line.isprintable()
        assert cell_len(line) <= width
        assert line == line.rstrip()


def test_a_report_is_shown_check_by_check(report: Report) -> None:
    """Each check says how it went, its XP and its question, then what happened, its code and the hint."""
    expected = """\
        Teach the engine (pow_relu), value.py

        ✓ passed    3 of  3 XP  A power has the value base ** exponent.
        ✗ failed    0 of  4 XP  A power passes back exponent * base ** (exponent - 1).
          What happened:
            x.grad is 2.0, expected 12.0
          What the check did:
            x = engine.Value(2.0)
            y = x ** 3
            y.backward()
          Hint:
            What does a leaf get that is used twice?

        ✗ output    0 of  2 XP  The last line is printed.
          What happened:
            expected 'w=3.00'

        ! error     0 of  2 XP  relu at 0 gives 0.
          What happened:
            NameError: 'a'\\x1b[31m

        ! memory    0 of  2 XP  A chain of 500 works.
          What happened:
            More than 256 MiB.

        ! timeout   0 of 10 XP  Powers hold elsewhere. (hidden)
          What happened:
            The code took too long and was stopped.
          Hint:
            Mind the exponent 0.

        - not run   0 of  1 XP  relu holds elsewhere. (hidden)
          What happened:
            This check could not be run.

        matplotlib is not here; an empty stand-in took its place.

        XP: 3 of 24.
        Hidden checks decide the other 1 of 25.
        """

    assert dedent(expected) == report_screen(report)


def test_a_report_with_nothing_left_to_say_ends_with_its_xp(report: Report) -> None:
    """Where every check ran and passed, there is no word of hidden ones, and no note."""
    done = replace(report, results=report.results[:1], total_xp=3, notes=())

    assert dedent("""\
        Teach the engine (pow_relu), value.py

        ✓ passed   3 of 3 XP  A power has the value base ** exponent.

        XP: 3 of 3.
        """) == report_screen(done)


def test_a_report_without_checks_has_no_xp(report: Report) -> None:
    """Where nothing ran, nothing is earned, and all XP are still to be decided."""
    assert dedent("""\
        Teach the engine (pow_relu), value.py

        XP: 0 of 0.
        Hidden checks decide the other 25 of 25.
        """) == report_screen(replace(report, results=(), notes=()))


def test_what_kept_checks_from_running_is_said_once(report: Report) -> None:
    """The first check that was not run says why; those after it say that they were not, and no note repeats it."""
    why = "value.py does not load.\nSyntaxError: expected ':'"
    first, second = (
        replace(result, verdict=Verdict.NOT_RUN, what=why, code="", hidden=False) for result in report.results[:2]
    )
    stopped = replace(report, results=(first, second), total_xp=7, notes=(why,))

    assert dedent("""\
        Teach the engine (pow_relu), value.py

        - not run  0 of 3 XP  A power has the value base ** exponent.
          What happened:
            value.py does not load.
            SyntaxError: expected ':'

        - not run  0 of 4 XP  A power passes back exponent * base ** (exponent - 1).

        XP: 0 of 7.
        """) == report_screen(stopped)


def test_a_class_is_a_table_of_students_and_exercises(report: Report, exercises: list[Exercise]) -> None:
    """Zero, absent and ungraded look different; totals count what is graded and say what is open."""
    outcomes: list[Outcome] = [
        graded(report, "bo", "pow_relu", 25),
        graded(report, "bo", "neuron_fit", 0),
        graded(report, "bo", "line_fit", 7),
        Absent("anna", "pow_relu"),
        graded(report, "anna", "neuron_fit", 9),
        Ungraded("anna", "line_fit", "Docker went away.\nStart it, then grade again."),
        *(Absent("cy", exercise.id) for exercise in exercises),
        Ungraded("Müller, Jr., who has a name of many words", "pow_relu", "Docker went away."),
    ]
    expected = """\
                                       pow_relu   neuron_fit     line_fit        total
        student                           of 25        of 25        of 25        of 75
        ──────────────────────────────────────────────────────────────────────────────
        Müller, Jr., who has a         ungraded                                      ?
        name of many words
        anna                             absent            9     ungraded        9 + ?
        bo                                   25            0            7           32
        cy                               absent       absent       absent

        Ungraded, which is neither a zero nor a pass:
          Müller, Jr., who has a name of many words, pow_relu:
            Docker went away.
          anna, line_fit:
            Docker went away.
            Start it, then grade again.

        Students: 4. Submissions: 4 graded, 2 ungraded, 4 absent.
        """

    assert dedent(expected) == class_table(outcomes, exercises)


def test_exercises_without_room_follow_in_further_tables(report: Report) -> None:
    """Where the width does not do for all exercises, further tables go on; the last one has the total."""
    many = [replace(EXERCISE, id=f"exercise_{number}") for number in range(3)]
    expected = """\
                  exercise_0
        student        of 25
        ────────────────────
        bo                 5

                  exercise_1
        student        of 25
        ────────────────────
        bo                 5

                  exercise_2        total
        student        of 25        of 75
        ─────────────────────────────────
        bo                 5           15

        Students: 1. Submissions: 3 graded, 0
        ungraded, 0 absent.
        """

    assert dedent(expected) == class_table([graded(report, "bo", each.id, 5) for each in many], many, width=40)


def test_one_exercise_has_no_total_and_students_have_names() -> None:
    """A total would say everything twice; a name stands beside an id where it says more."""
    outcomes: list[Outcome] = [Absent("0501", "fit"), Absent("bo", "fit"), Ungraded("cy", "fit", "Why.")]
    expected = """\
                                     fit
        student                    of 25
        ────────────────────────────────
        0501 (Ada Lovelace)       absent
        bo                        absent
        cy (Cy\\n)               ungraded

        Ungraded, which is neither a zero nor a pass:
          cy (Cy\\n), fit:
            Why.

        Students: 3. Submissions: 0 graded, 1 ungraded, 2 absent.
        """
    names = {"0501": "Ada Lovelace", "bo": "bo", "cy": "Cy\n"}

    assert dedent(expected) == class_table(outcomes, [EXERCISE], names)


def test_a_class_of_nobody_is_an_empty_table(exercises: list[Exercise]) -> None:
    """No submissions are no mistake."""
    assert class_table([], exercises).endswith("Students: 0. Submissions: 0 graded, 0 ungraded, 0 absent.\n")


def test_a_large_class_is_one_table(report: Report) -> None:
    """However many rows are set at a time, the heading stands there once, and every student in one line."""
    students = [f"student{number:03}" for number in range(250)]
    heading, worth, rule, *rows = class_table([graded(report, each, "fit", 5) for each in students], [EXERCISE]).split(
        "\n"
    )

    assert "fit" == heading.strip()
    assert ["student", "of", "25"] == worth.split()
    assert {"─"} == set(rule)
    assert [*students, ""] == [row.partition(" ")[0] for row in rows[:251]]


def test_the_same_reason_is_told_once() -> None:
    """Those that are ungraded for the same reason are named together, as many as anybody would read."""
    waiting = [Ungraded(f"s{number:02}", "fit", "It waits.") for number in range(12)]
    told = class_table([*waiting, Ungraded("zoe", "fit", "The engine was out.")], [EXERCISE])

    assert 1 == told.count("It waits.")
    assert "s00, fit; s01, fit;" in told
    assert "s09, fit; and 2 more:" in " ".join(told.split())
    assert "zoe, fit:" in told


def test_exercises_are_listed_with_what_they_ask(exercises: list[Exercise]) -> None:
    """An exercise shows its id, title, file, XP and how many of its checks are public and hidden."""
    expected = """\
        exercise     title                     hand in           XP   checks
        ────────────────────────────────────────────────────────────────────────────────
        pow_relu     Teach the engine new      value.py          25   3 public, 2 hidden
                     tricks
        neuron_fit   Train a neuron            train_neuron.py   25   3 public, 2 hidden
        line_fit     Fit a line                line_fit.py       25   3 public, 2 hidden
        """

    assert dedent(expected) == exercise_list(exercises)
    assert "3 public, 10 XP hidden" in exercise_list([exercises[0].public])
    assert dedent(expected) + dedent("""\
        exercises/draft has no exercise.toml, so it is not listed.
        """) == exercise_list(exercises, ["draft"])


def test_a_prompt_is_set_as_the_markdown_that_it_is() -> None:
    """A prompt has its headings, lists and code set, no line too long, and nothing in it acts on the terminal."""
    prompt = "# Title\n\nSome **bold** text.\n\n- one\n\n```\ny = 1\n```\n\x1b[2J" + " word" * 100
    screen = prompt_screen(prompt, width=400)

    assert_tidy(screen, 100)
    assert ["Title", "Some bold text.", "• one", "y = 1"] == [
        line.strip(" ┃│") for line in screen.splitlines() if line.strip(" ┃│┏━┓┗┛")
    ][:4]
    assert "\\x1b[2J" in screen
    assert "\x1b[1m" in prompt_screen(prompt, colour=True)


@pytest.mark.parametrize("name", ["x" * 300, "名前" * 60, "Ana" * 9 + "é" * 99])
def test_a_long_name_is_folded_not_cut(name: str) -> None:
    """Every letter of a name is in the table, on as many lines as it needs."""
    screen = class_table([Absent(name, "gone")], [EXERCISE], width=60)

    assert name in screen.replace("\n", "").replace(" ", "")


def test_texts_are_no_markup(report: Report) -> None:
    """What looks like rich's markup, an emoji code or a link is shown as it was written."""
    text = "[bold red]x[/bold red] :boom: [link=http://x]y[/link] [/]"
    odd = replace(report, title=text, notes=(text,))
    exercise = replace(EXERCISE, title=text)

    assert 2 == report_screen(odd, width=120, colour=True).count(text)
    assert 3 == class_table([Ungraded(text, "fit", text)], [exercise], width=400, colour=True).count(text)
    assert 1 == exercise_list([exercise], width=400, colour=True).count(text)


@pytest.mark.parametrize(
    "variables",
    [
        {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "20", "LINES": "2"},
        {"FORCE_COLOR": "1", "COLORTERM": "truecolor", "TTY_COMPATIBLE": "1", "TTY_INTERACTIVE": "1"},
        {"TERM": "xterm-256color", "JUPYTER_COLUMNS": "30", "TTY_COMPATIBLE": "0"},
    ],
)
@pytest.mark.parametrize("colour", [False, True])
def test_the_environment_does_not_take_part(
    report: Report, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], *, colour: bool
) -> None:
    """The same report gives the same screen, whatever the terminal says of itself."""
    screen = report_screen(report, colour=colour)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert screen == report_screen(report, colour=colour)
    assert colour == ("\x1b" in screen)


@given(report=st.from_type(Report), width=WIDTHS)
def test_every_report_is_tidy(report: Report, width: int) -> None:
    """Whatever the texts, no line is too long or acts on the terminal, and each verdict is in words."""
    screen = report_screen(report, width=width)

    assert_tidy(screen, width)
    for result in report.results:
        assert result.verdict.replace("_", " ") in screen


@given(report=st.from_type(Report), width=WIDTHS)
def test_colour_changes_nothing_else(report: Report, width: int) -> None:
    """With colour there are colours, and otherwise the same words."""
    plain = COLOURS.sub("", report_screen(report, width=width, colour=True))

    assert report_screen(report, width=width) == "\n".join(line.rstrip() for line in plain.split("\n"))


@given(outcomes=st.lists(OUTCOMES, max_size=5), width=WIDTHS)
@example(outcomes=[Absent("名" * 40, "fit"), Ungraded("\x1b[2J", "fit", "\u202e")], width=NARROWEST)
def test_every_class_is_tidy(outcomes: list[Outcome], width: int) -> None:
    """Whatever students and exercises are called, no line is too long or does anything to the terminal."""
    exercises = [replace(EXERCISE, id=name) for name in sorted({outcome.exercise for outcome in outcomes})]

    assert_tidy(class_table(outcomes, exercises, width=width), width)


@given(st.lists(st.builds(replace, st.just(EXERCISE), id=st.text(), title=st.text()), max_size=3), WIDTHS)
def test_every_list_of_exercises_is_tidy(exercises: list[Exercise], width: int) -> None:
    """Whatever exercises are called, no line is too long."""
    assert_tidy(exercise_list(exercises, width=width), width)


def test_a_terminal_may_be_too_narrow(report: Report) -> None:
    """Below the least width lines are too long rather than unreadable."""
    assert report_screen(report, width=NARROWEST) == report_screen(report, width=1)
