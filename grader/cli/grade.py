"""`grader grade`: a class graded."""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.shared import FOLDER, course_of, screen, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.exercise import Exercise
    from grader.sandbox.kinds import SandboxChoice
    from grader.submission import Inbox
    from grader.verdict import Outcome, Report, Ungraded


@click.command()
@click.argument("submissions", type=FOLDER)
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder for the results; made if need be.")
@click.option("--exercise", "only", multiple=True, metavar="ID", help="Only this exercise. May be repeated.")
@click.option("--student", "students", multiple=True, metavar="ID", help="Only this student. May be repeated.")
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
@click.option("--replace", is_flag=True, help="Replace the results of an earlier run in the output folder.")
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Leave with status 1 if a graded submission earned less than this part of its XP.",
)
@click.pass_context
def grade(
    context: click.Context,
    submissions: Path,
    output: Path,
    only: tuple[str, ...],
    students: tuple[str, ...],
    sandbox: str,
    runtime: str,
    jobs: int,
    replace: bool,  # noqa: FBT001  # it is a flag
    fail_under: float | None,
) -> int:
    """Grade SUBMISSIONS, a folder of <student>/<file>, with public and hidden checks.

    Writes into the output folder: junit/<student>.<exercise>.xml for each submission, which students may see;
    results.json, everything of everybody, for you alone; xp.csv, a row for each student and exercise; and
    course.secret, from which hidden inputs are drawn: keep it, and keep it to yourself.
    """
    from grader.reports.console import class_table  # noqa: PLC0415  # see shared
    from grader.sandbox.kinds import choose_sandbox  # noqa: PLC0415
    from grader.submission import find_submissions  # noqa: PLC0415

    course = course_of(context)
    chosen = tuple(course.exercise(name) for name in dict.fromkeys(only)) if only else course.exercises()
    for exercise in chosen:
        exercise.require_hidden()
    if runtime and sandbox not in {"auto", "docker"}:
        raise click.UsageError(f"--runtime is for Docker's containers, and --sandbox is {sandbox}.")
    if output.absolute().resolve().is_relative_to(submissions.absolute().resolve()):
        raise click.UsageError(f"{output} lies among the submissions; name a folder elsewhere.")
    if (output / "results.json").exists() and not replace:
        raise click.UsageError(f"{output} has results of an earlier run; name another folder, or add --replace.")
    inbox = find_submissions(submissions, chosen, students)
    choice = dataclasses.replace(choose_sandbox("docker" if runtime else sandbox, runtime), ahead=1)
    remark = " Students' code runs on this machine, without isolation." if choice.kind == "unsafe" else ""
    if choice.instead_of:
        remark = f" It takes the place of {choice.instead_of}"
    click.echo(f"Sandbox: {choice.kind}.{remark}", err=True)
    with choice.open():  # what a worker that was killed left behind goes when this is closed
        outcomes, interrupted = _grade_inbox(inbox, chosen, choice, output, jobs)
    show(class_table(outcomes, chosen, **screen()))
    _tell_ignored(inbox)
    show(f"Results are in {output}.\n")
    if interrupted:
        raise click.Abort
    return _status(outcomes, fail_under)


def _grade_inbox(
    inbox: Inbox, chosen: Sequence[Exercise], sandbox: SandboxChoice, output: Path, jobs: int
) -> tuple[list[Outcome], bool]:
    """Grade what was found and write the results, also those of a batch that is interrupted; say whether it was."""
    from grader.batch import grade_all  # noqa: PLC0415  # see shared
    from grader.progress import BatchProgress  # noqa: PLC0415
    from grader.results import Results  # noqa: PLC0415
    from grader.seeding import course_secret  # noqa: PLC0415
    from grader.verdict import Ungraded  # noqa: PLC0415

    results = Results(output)
    secret = course_secret(output, os.environ)
    outcomes: dict[tuple[str, str], Outcome] = {}

    def keep(outcome: Report | Ungraded) -> None:
        outcomes[outcome.student, outcome.exercise] = outcome
        results.add(outcome)
        progress.outcome(outcome)

    interrupted = False
    for unreadable in inbox.ungraded:
        outcomes[unreadable.student, unreadable.exercise] = unreadable
        results.add(unreadable)
    try:
        with BatchProgress(len(inbox.submissions), sys.stderr) as progress:
            grade_all(inbox.submissions, chosen, sandbox, secret, jobs, keep)
    except (KeyboardInterrupt, SystemExit):  # rich leaves when nobody reads what it shows
        interrupted = True
        for submission in inbox.submissions:
            who = (submission.student, submission.exercise)
            if who not in outcomes:
                outcomes[who] = lost = Ungraded(*who, "interrupted before it was graded; grade again")
                results.add(lost)
    outcomes |= {(absent.student, absent.exercise): absent for absent in inbox.absent}
    ordered = [outcomes[who] for who in sorted(outcomes)]
    results.finish(ordered, chosen)
    return ordered, interrupted


def _tell_ignored(inbox: Inbox) -> None:
    """Say what nothing was done with; what many students have is said once."""
    from grader.reports.text import one_line  # noqa: PLC0415  # see shared

    places: dict[tuple[str, str], list[str]] = {}
    for ignored in inbox.ignored:
        places.setdefault((Path(ignored.path).name, ignored.reason), []).append(ignored.path)
    if places:
        click.echo("Ignored:", err=True)
    for (name, reason), paths in places.items():
        place = paths[0] if len(paths) == 1 else f"{name} ({len(paths)} of them)"
        click.echo(f"  {one_line(place)}: {one_line(reason)}", err=True)


def _status(outcomes: Sequence[Outcome], fail_under: float | None) -> int:
    from grader.verdict import Report, Ungraded  # noqa: PLC0415  # see shared

    if any(isinstance(outcome, Ungraded) for outcome in outcomes):
        return 3
    if fail_under is None:
        return 0
    reports = (outcome for outcome in outcomes if isinstance(outcome, Report))
    return 1 if any(100 * report.xp < fail_under * report.total_xp for report in reports) else 0
