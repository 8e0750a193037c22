"""`grader grade`: a class graded."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
from typing import TYPE_CHECKING

import click

from grader.cli.github import tell_github
from grader.cli.inbox_options import ARRIVED, inbox_options
from grader.cli.shared import FAIL_UNDER, FOLDER, course_of, screen, show, tell_of_new_secret
from grader.errors import CourseError, ExerciseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from grader.cli.inbox_options import Asked
    from grader.course import Course
    from grader.exercise import Exercise
    from grader.run import Run
    from grader.sandbox import Sandbox
    from grader.sandbox.kinds import SandboxChoice
    from grader.verdict import Outcome, Ungraded


@click.command()
@click.argument("submissions", type=ARRIVED)
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder for the results; made if need be.")
@inbox_options
@click.option(
    "--sandbox",
    type=click.Choice(["auto", "docker", "bubblewrap", "unsafe"]),
    default="auto",
    show_default=True,
    help="Where students' code runs. `auto` is Docker where it works, else bubblewrap. `unsafe` isolates nothing: it "
    "is for code you would run yourself.",
)
@click.option(
    "--runtime", default="", metavar="NAME", help="Docker's runtime for the containers, such as runsc (gVisor)."
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1, max=256),
    default=os.cpu_count() or 1,
    show_default="one for each processor",
    help="Submissions at once.",
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
    sandbox: str,
    runtime: str,
    jobs: int,
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
    from grader.reports.console import class_table  # noqa: PLC0415
    from grader.reports.inbox_screen import inbox_remarks  # noqa: PLC0415
    from grader.reports.markdown import class_markdown  # noqa: PLC0415
    from grader.results import Results  # noqa: PLC0415
    from grader.sandbox.kinds import choose_sandbox  # noqa: PLC0415

    course = course_of(context)
    chosen = asked.exercises(course)
    for exercise in chosen:
        exercise.require_hidden()
    if runtime and sandbox not in {"auto", "docker"}:
        raise click.UsageError(f"--runtime is for Docker's containers, and --sandbox is {sandbox}.")
    if output.absolute().resolve().is_relative_to(submissions.absolute().resolve()):
        raise click.UsageError(f"{output} lies among the submissions; name a folder elsewhere.")
    inbox = asked.read(submissions, chosen, course)
    choice = dataclasses.replace(choose_sandbox("docker" if runtime else sandbox, runtime), ahead=1)
    remark = " Students' code runs on this machine, without isolation." if choice.kind == "unsafe" else ""
    if choice.instead_of:
        remark = f" It takes the place of {choice.instead_of}"
    click.echo(f"Sandbox: {choice.kind}.{remark}", err=True)
    from grader.run import Run  # noqa: PLC0415  # not needed where no sandbox works

    results = Results(output)
    with choice.open() as opened, Run(inbox, chosen, output, os.environ, tell_of_new_secret) as run:
        interrupted = _grade(run, choice, opened, jobs, force=force)
        shown = _all_exercises(course, chosen, run.gradebook.exercises())
        names = {person.id: person.name for person in run.gradebook.people() if person.name}
        with run.outcomes([exercise.id for exercise in shown], Policy(policy)) as outcomes:
            results.write(outcomes, shown, names)
            asked_for = Reread(lambda: filter(run.is_about, outcomes))
            here = outlines(asked_for)
            for part in class_table(here, chosen, names, **screen()):
                show(part)
            tell_github(asked_for, lambda limit: class_markdown(here, chosen, names, limit=limit))
    click.echo(inbox_remarks(inbox, **screen()), err=True, nl=False)
    _tell_failed_regrades(run.failed.values(), here)
    show(f"Results are in {output}.\n")
    if interrupted:
        click.echo("Interrupted. The same command goes on from here.", err=True)
        raise click.Abort
    return _status((*here, *run.failed.values()), fail_under)


def _grade(run: Run, choice: SandboxChoice, sandbox: Sandbox, jobs: int, *, force: bool) -> bool:
    """Grade what has to be graded, showing how far it is; say whether that was interrupted."""
    from grader.progress import BatchProgress  # noqa: PLC0415  # see shared

    if run.gradebook.remark:
        click.echo(run.gradebook.remark, err=True)
    pending = run.pending(sandbox, force=force)
    if run.reused:
        click.echo(f"Not graded again, because nothing changed: {run.reused}. --force would.", err=True)
    try:
        with BatchProgress(pending, sys.stderr) as progress:
            run.grade(pending, choice, jobs, progress.outcome)
    except (KeyboardInterrupt, SystemExit):  # rich leaves when nobody reads what it shows
        return True
    return False


def _all_exercises(course: Course, chosen: Sequence[Exercise], tried: Sequence[str]) -> tuple[Exercise, ...]:
    """The exercises that were chosen, and what else the gradebook has that is still sound, by id."""
    found = {exercise.id: exercise for exercise in chosen}
    for name in tried:
        with contextlib.suppress(CourseError, ExerciseError):
            found.setdefault(name, course.exercise(name))
    return tuple(found[name] for name in sorted(found))


def _tell_failed_regrades(failed: Iterable[Ungraded], outcomes: Sequence[Outcome]) -> None:
    """Say of whom an earlier grade stands because this run could not make another one."""
    from grader.reports.text import one_line  # noqa: PLC0415  # see shared
    from grader.verdict import Report  # noqa: PLC0415

    graded = {(each.student, each.exercise) for each in outcomes if isinstance(each, Report)}
    for each in failed:
        if (each.student, each.exercise) in graded:
            what = f"{each.student}, {each.exercise}: the earlier grade stands; grading again failed: {each.reason}"
            click.echo(one_line(what), err=True)


def _status(outcomes: Sequence[Outcome], fail_under: float | None) -> int:
    from grader.verdict import Report, Ungraded  # noqa: PLC0415  # see shared

    if any(isinstance(outcome, Ungraded) for outcome in outcomes):
        return 3
    if fail_under is None:
        return 0
    reports = (outcome for outcome in outcomes if isinstance(outcome, Report))
    return 1 if any(100 * report.xp < fail_under * report.total_xp for report in reports) else 0
