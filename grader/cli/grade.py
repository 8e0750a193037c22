"""`grader grade`: a class graded."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from typing import TYPE_CHECKING

import click

from grader.cli.github import tell_github
from grader.cli.inbox_options import ARRIVED, inbox_options
from grader.cli.place_options import place_options
from grader.cli.shared import FAIL_UNDER, FOLDER, course_of, screen, show, tell_of_new_secret
from grader.errors import CourseError, ExerciseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from grader.batch import Executor
    from grader.cli.inbox_options import Asked
    from grader.cli.place_options import Place
    from grader.course import Course
    from grader.exercise import Exercise
    from grader.progress import Progress
    from grader.run import Run
    from grader.submission import Submission
    from grader.verdict import Outcome, Ungraded


@click.command()
@click.argument("submissions", type=ARRIVED)
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder for the results; made if need be.")
@inbox_options
@place_options
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How progress is told on standard error: to a person, or as one JSON object a line.",
)
@click.option("--force", is_flag=True, help="Grade also what was graded before and has not changed.")
@click.option(
    "--policy",
    type=click.Choice(["best", "last"]),
    default="best",
    show_default=True,
    help="Which of a student's submissions for an exercise counts.",
)
@click.option(
    "--fail-under",
    type=FAIL_UNDER,
    metavar="PERCENT",
    help="Leave with status 1 if a graded submission earned less than this part of its XP.",
)
@click.pass_context
def grade(
    context: click.Context,
    submissions: Path,
    output: Path,
    asked: Asked,
    place: Place,
    log: str,
    force: bool,  # noqa: FBT001  # it is a flag
    policy: str,
    fail_under: float | None,
) -> int:
    """Grade SUBMISSIONS, a folder or an archive, with public and hidden checks; `grader inbox` shows what is in it.

    The output folder holds the class's gradebook, gradebook.sqlite, to which every grade is added as it is made: a run
    that was interrupted is gone on with by the same command, and what has not changed is not graded again. Each run
    writes anew, from the gradebook: pages/<student>.html for each student and junit/<student>.<exercise>.xml for each
    submission, which students may see; class.html, the class at a glance, and results.json, everything of everybody,
    for you alone; xp.csv, a row for each student and exercise; junit.xml and summary.md, the same for CI systems and as
    Markdown. course.secret is what hidden inputs are drawn from: keep it, and keep it to yourself.
    """
    from grader.gradebook import Policy  # noqa: PLC0415  # see shared
    from grader.outcomes import Reread, outlines  # noqa: PLC0415
    from grader.progress import BatchEvents, BatchProgress  # noqa: PLC0415
    from grader.reports.console import class_table  # noqa: PLC0415
    from grader.reports.inbox_screen import inbox_remarks  # noqa: PLC0415
    from grader.reports.markdown import class_markdown  # noqa: PLC0415
    from grader.results import Results  # noqa: PLC0415

    course = course_of(context)
    chosen = asked.exercises(course)
    for exercise in chosen:
        exercise.require_hidden()
    place.check()
    if output.absolute().resolve().is_relative_to(submissions.absolute().resolve()):
        raise click.UsageError(f"{output} lies among the submissions; name a folder elsewhere.")
    told: Progress = BatchEvents(sys.stderr) if log == "json" else BatchProgress(sys.stderr)
    inbox = asked.read(submissions, chosen, course)
    choice = place.choose_sandbox()
    remark = " Students' code runs on this machine, without isolation." if choice.kind == "unsafe" else ""
    if choice.instead_of:
        remark = f" It takes the place of {choice.instead_of}"
    told.remark(f"Sandbox: {choice.kind}.{remark}")
    from grader.run import Run  # noqa: PLC0415  # not needed where no sandbox works

    results = Results(output)
    on_new_secret = functools.partial(tell_of_new_secret, tell=told.remark)
    with choice.open() as opened, Run(inbox, chosen, output, os.environ, on_new_secret) as run:
        pending = run.pending(opened, force=force)
        if run.gradebook.remark:
            told.remark(run.gradebook.remark)
        if run.reused:
            told.remark(f"Not graded again, because nothing changed: {run.reused}. --force would.")
        open_executor = functools.partial(place.open_executor, chosen, choice, opened, run.secret, tell=told.remark)
        interrupted = _grade(run, pending, open_executor, told)
        shown = _all_exercises(course, chosen, run.gradebook.exercises())
        names = {person.id: person.name for person in run.gradebook.people() if person.name}
        with run.outcomes([exercise.id for exercise in shown], Policy(policy)) as outcomes:
            results.write(outcomes, shown, names)
            asked_for = Reread(lambda: filter(run.is_about, outcomes))
            here = outlines(asked_for)
            for part in class_table(here, chosen, names, **screen()):
                show(part)
            tell_github(asked_for, lambda limit: class_markdown(here, chosen, names, limit=limit))
    if remarks := inbox_remarks(inbox, **(screen() if log == "text" else {})):
        told.remark(remarks)
    _tell_failed_regrades(run.failed.values(), here, told)
    show(f"Results are in {output}.\n")
    if interrupted:
        told.remark("Interrupted. The same command goes on from here.")
        if log == "json":
            return 130  # `Abort` would have more to say, and not as JSON
        raise click.Abort
    return _status((*here, *run.failed.values()), fail_under)


def _grade(run: Run, pending: Sequence[Submission], open_executor: Callable[[int], Executor], told: Progress) -> bool:
    """Grade what has to be graded, telling how far it is; say whether that was interrupted."""
    try:
        with told.batch(len(pending)):
            if pending:
                with open_executor(len(pending)) as executor:
                    run.grade(pending, executor, told.outcome, told.started)
    except (KeyboardInterrupt, SystemExit):  # who shows progress leaves when nobody reads it
        return True
    return False


def _all_exercises(course: Course, chosen: Sequence[Exercise], tried: Sequence[str]) -> tuple[Exercise, ...]:
    """The exercises that were chosen, and what else the gradebook has that is still sound, by id."""
    found = {exercise.id: exercise for exercise in chosen}
    for name in tried:
        with contextlib.suppress(CourseError, ExerciseError):
            found.setdefault(name, course.exercise(name))
    return tuple(found[name] for name in sorted(found))


def _tell_failed_regrades(failed: Iterable[Ungraded], outcomes: Sequence[Outcome], told: Progress) -> None:
    """Say of whom an earlier grade stands because this run could not make another one."""
    from grader.reports.text import one_line  # noqa: PLC0415  # see shared
    from grader.verdict import Report  # noqa: PLC0415

    graded = {(each.student, each.exercise) for each in outcomes if isinstance(each, Report)}
    for each in failed:
        if (each.student, each.exercise) in graded:
            what = f"{each.student}, {each.exercise}: the earlier grade stands; grading again failed: {each.reason}"
            told.remark(one_line(what))


def _status(outcomes: Sequence[Outcome], fail_under: float | None) -> int:
    from grader.verdict import Report, Ungraded  # noqa: PLC0415  # see shared

    if any(isinstance(outcome, Ungraded) for outcome in outcomes):
        return 3
    if fail_under is None:
        return 0
    reports = (outcome for outcome in outcomes if isinstance(outcome, Report))
    return 1 if any(100 * report.xp < fail_under * report.total_xp for report in reports) else 0
