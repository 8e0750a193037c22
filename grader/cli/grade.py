"""`grader grade`: a class graded."""

from __future__ import annotations

import dataclasses
import os
import sys
from typing import TYPE_CHECKING

import click

from grader.cli.github import tell_github
from grader.cli.inbox_options import ARRIVED, inbox_options
from grader.cli.shared import FAIL_UNDER, FOLDER, course_of, screen, show

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from grader.cli.inbox_options import Asked
    from grader.exercise import Exercise
    from grader.inbox import Inbox
    from grader.sandbox.kinds import SandboxChoice
    from grader.verdict import Outcome, Report, Ungraded


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
@click.option("--replace", is_flag=True, help="Replace the results of an earlier run in the output folder.")
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
    replace: bool,  # noqa: FBT001  # it is a flag
    fail_under: float | None,
) -> int:
    """Grade SUBMISSIONS, a folder or an archive, with public and hidden checks; `grader inbox` shows what is in it.

    Writes into the output folder: pages/<student>.html for each student and junit/<student>.<exercise>.xml for each
    submission, which students may see; class.html, the class at a glance, and results.json, everything of everybody,
    for you alone; xp.csv, a row for each student and exercise; junit.xml and summary.md, the same for CI systems and as
    Markdown; and course.secret, from which hidden inputs are drawn: keep it, and keep it to yourself.
    """
    from grader.reports.console import class_table  # noqa: PLC0415  # see shared
    from grader.reports.inbox_screen import inbox_remarks  # noqa: PLC0415
    from grader.reports.markdown import class_markdown  # noqa: PLC0415
    from grader.sandbox.kinds import choose_sandbox  # noqa: PLC0415

    course = course_of(context)
    chosen = asked.exercises(course)
    for exercise in chosen:
        exercise.require_hidden()
    if runtime and sandbox not in {"auto", "docker"}:
        raise click.UsageError(f"--runtime is for Docker's containers, and --sandbox is {sandbox}.")
    if output.absolute().resolve().is_relative_to(submissions.absolute().resolve()):
        raise click.UsageError(f"{output} lies among the submissions; name a folder elsewhere.")
    if (output / "results.json").exists() and not replace:
        raise click.UsageError(f"{output} has results of an earlier run; name another folder, or add --replace.")
    inbox = asked.read(submissions, chosen, course)
    choice = dataclasses.replace(choose_sandbox("docker" if runtime else sandbox, runtime), ahead=1)
    remark = " Students' code runs on this machine, without isolation." if choice.kind == "unsafe" else ""
    if choice.instead_of:
        remark = f" It takes the place of {choice.instead_of}"
    click.echo(f"Sandbox: {choice.kind}.{remark}", err=True)
    with choice.open():  # what a worker that was killed left behind goes when this is closed
        outcomes, interrupted = _grade_inbox(inbox, chosen, choice, output, jobs)
    show(class_table(outcomes, chosen, **screen()))
    tell_github(outcomes, lambda limit: class_markdown(outcomes, chosen, limit=limit))
    click.echo(inbox_remarks(inbox, **screen()), err=True, nl=False)
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
    from grader.verdict import Report, Ungraded  # noqa: PLC0415

    results = Results(output)
    secret = course_secret(output, os.environ)
    outcomes: dict[tuple[str, str], Outcome] = {}
    handed_in = {
        (submission.student, submission.exercise): (submission, origin)
        for submission, origin in zip(inbox.submissions, inbox.origins, strict=True)
    }

    def record(outcome: Report | Ungraded) -> None:
        submission, origin = handed_in[outcome.student, outcome.exercise]
        if isinstance(outcome, Report):
            outcome = dataclasses.replace(outcome, notes=(*origin.notes, *outcome.notes))
        for student in (*submission.partners, submission.student):
            results.add(dataclasses.replace(outcome, student=student))
            outcomes[student, outcome.exercise] = dataclasses.replace(outcome, student=student)

    def keep(outcome: Report | Ungraded) -> None:
        record(outcome)
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
        for who in handed_in:
            if who not in outcomes:
                record(Ungraded(*who, "interrupted before it was graded; grade again"))
    outcomes |= {(absent.student, absent.exercise): absent for absent in inbox.absent}
    ordered = [outcomes[who] for who in sorted(outcomes)]
    results.finish(ordered, chosen)
    return ordered, interrupted


def _status(outcomes: Sequence[Outcome], fail_under: float | None) -> int:
    from grader.verdict import Report, Ungraded  # noqa: PLC0415  # see shared

    if any(isinstance(outcome, Ungraded) for outcome in outcomes):
        return 3
    if fail_under is None:
        return 0
    reports = (outcome for outcome in outcomes if isinstance(outcome, Report))
    return 1 if any(100 * report.xp < fail_under * report.total_xp for report in reports) else 0
