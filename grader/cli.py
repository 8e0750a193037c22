"""The command line: builds objects, calls, prints and chooses the exit status. The only file that imports click.

Exit status:

    0    graded, and all checks that were asked for passed (`check`), or every submission was graded (`grade`)
    1    graded, and something did not pass (`check`, and `grade --fail-under`)
    2    wrong usage
    3    a fault that is not a student's left something ungraded
    130  interrupted
"""

from __future__ import annotations

import dataclasses
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.errors import CourseError, GraderError, SandboxError, SubmissionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.course import Course
    from grader.exercise import Exercise
    from grader.sandbox.kinds import SandboxChoice
    from grader.submission import Inbox
    from grader.verdict import Outcome, Report, Ungraded

_DEFAULT_WIDTH = 80
_FOLDER = click.Path(path_type=Path, file_okay=False)
_FILE = click.Path(path_type=Path, dir_okay=False)


def main() -> None:
    """Run the command line and leave with its exit status."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever is told to end tidies up as after Ctrl-C
    sys.exit(_run(sys.argv[1:]))


def _run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; every way it can end passes through here."""
    try:
        status = cli.main(list(arguments), prog_name="grader", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort:
        click.echo("grader: interrupted", err=True)
        return 130
    except GraderError as error:
        from grader.reports.text import visible  # noqa: PLC0415  # see _course

        click.echo(f"grader: {visible(str(error))}", err=True)
        return 2 if isinstance(error, CourseError | SubmissionError) else 3
    except SystemExit:  # how click and rich leave, with status 1, when whoever reads our output has seen enough
        return 3
    except Exception:  # noqa: BLE001  # status 1 would say that grading went well
        traceback.print_exc()
        click.echo("grader: this is a fault in the grader itself; please report the lines above", err=True)
        return 3
    return status if isinstance(status, int) else 0


def _show(text: str) -> None:
    """Print a rendered screen, with what the terminal's encoding lacks replaced."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    click.echo(text.encode(encoding, "replace").decode(encoding), nl=False)


def _screen() -> dict[str, Any]:
    """The width and colour that screens are rendered with: those of the terminal, plain text elsewhere."""
    terminal = sys.stdout.isatty()
    width = os.get_terminal_size(sys.stdout.fileno()).columns if terminal else 0
    return {"width": width or _DEFAULT_WIDTH, "colour": terminal and "NO_COLOR" not in os.environ}


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--course",
    "course_folder",
    type=_FOLDER,
    help="The course: a folder with exercises/ and reference/. Otherwise GRADER_COURSE, else the folder above you "
    "that is one.",
)
@click.version_option(package_name="grader", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context, course_folder: Path | None) -> None:
    """Grade programming exercises: each submission in a sandbox of its own, against a trusted reference.

    Exit status: 0 all is well; 1 something did not pass; 2 wrong usage; 3 a fault that is not a student's left
    something ungraded; 130 interrupted.
    """
    context.obj = course_folder


def _course(context: click.Context) -> Course:
    from grader.course import find_course  # noqa: PLC0415  # imports are what --help would wait for

    return find_course(context.obj, os.environ, Path.cwd())


@cli.command()
@click.pass_context
def exercises(context: click.Context) -> None:
    """List the exercises of the course."""
    from grader.reports.console import exercise_list  # noqa: PLC0415  # see _course

    _show(exercise_list(_course(context).exercises(), **_screen()))


@cli.command()
@click.argument("exercise")
@click.argument("file", type=_FILE)
@click.pass_context
def check(context: click.Context, exercise: str, file: Path) -> int:
    """Run the public checks of EXERCISE on FILE, and show what was asked, what happened, and the XP.

    FILE runs in a sandbox where bubblewrap is installed. Elsewhere it runs as `python FILE` would, without isolation:
    run it on your own work. What other people handed in is for `grader grade`.
    """
    from grader.checks import Checks  # noqa: PLC0415  # see _course
    from grader.grading import grade as grade_one  # noqa: PLC0415
    from grader.reports.console import report_screen  # noqa: PLC0415
    from grader.sandbox.kinds import SandboxChoice, choose_sandbox  # noqa: PLC0415
    from grader.submission import read_submission  # noqa: PLC0415

    chosen = _course(context).exercise(exercise).public
    submission = read_submission(file, chosen, student="you")
    if not submission.problem:  # it is taken for what would be handed in: the file's name is its module's
        submission = dataclasses.replace(submission, file=chosen.submit)
    try:
        choice = choose_sandbox("bubblewrap")
    except SandboxError:
        choice = SandboxChoice("unsafe")
        click.echo(f"Running {file} on this machine, without isolation.", err=True)
    with Checks(chosen) as checks, choice.open() as sandbox:
        report = grade_one(submission, checks, sandbox)
    _show(report_screen(report, **_screen()))
    return 0 if report.passed else 1


@cli.command()
@click.argument("submissions", type=_FOLDER)
@click.option("-o", "--output", type=_FOLDER, required=True, help="Folder for the results; made if need be.")
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
    from grader.reports.console import class_table  # noqa: PLC0415  # see _course
    from grader.sandbox.kinds import choose_sandbox  # noqa: PLC0415
    from grader.submission import find_submissions  # noqa: PLC0415

    course = _course(context)
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
    _show(class_table(outcomes, chosen, **_screen()))
    _tell_ignored(inbox)
    _show(f"Results are in {output}.\n")
    if interrupted:
        raise click.Abort
    return _status(outcomes, fail_under)


def _grade_inbox(
    inbox: Inbox, chosen: Sequence[Exercise], sandbox: SandboxChoice, output: Path, jobs: int
) -> tuple[list[Outcome], bool]:
    """Grade what was found and write the results, also those of a batch that is interrupted; say whether it was."""
    from grader.batch import grade_all  # noqa: PLC0415  # see _course
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
    from grader.reports.text import one_line  # noqa: PLC0415  # see _course

    places: dict[tuple[str, str], list[str]] = {}
    for ignored in inbox.ignored:
        places.setdefault((Path(ignored.path).name, ignored.reason), []).append(ignored.path)
    if places:
        click.echo("Ignored:", err=True)
    for (name, reason), paths in places.items():
        place = paths[0] if len(paths) == 1 else f"{name} ({len(paths)} of them)"
        click.echo(f"  {one_line(place)}: {one_line(reason)}", err=True)


def _status(outcomes: Sequence[Outcome], fail_under: float | None) -> int:
    from grader.verdict import Report, Ungraded  # noqa: PLC0415  # see _course

    if any(isinstance(outcome, Ungraded) for outcome in outcomes):
        return 3
    if fail_under is None:
        return 0
    reports = (outcome for outcome in outcomes if isinstance(outcome, Report))
    return 1 if any(100 * report.xp < fail_under * report.total_xp for report in reports) else 0


@cli.command()
@click.pass_context
def doctor(context: click.Context) -> int:
    """Say what this machine has and lacks for grading, and how to get it."""
    from grader.doctor import examine  # noqa: PLC0415  # see _course

    missing = 0
    for finding in examine(lambda: _course(context)):
        missing += not finding.ok
        mark = click.style("ok     ", fg="green") if finding.ok else click.style("failed ", fg="red")
        _show(f"{mark}  {finding.subject}: {finding.detail}\n")
    return 3 if missing else 0


@cli.group()
def image() -> None:
    """The image that sandbox containers run."""


@image.command()
@click.option(
    "--base",
    metavar="IMAGE",
    help="The image to build on, with Python 3.11 or later. [default: an official slim Python]",
)
def build(base: str | None) -> None:
    """Build the sandbox image: Python's standard library and the sandbox's driver, nothing else.

    Where no registry can be reached, `scripts/make-base-image` makes a base from Debian's packages; then name it with
    --base grader-base:bookworm.
    """
    from contextlib import closing  # noqa: PLC0415  # see _course

    from grader.sandbox.image import BASE, IMAGE_TAG, build_image, connect  # noqa: PLC0415

    with closing(connect()) as client:
        identity = build_image(client, IMAGE_TAG, base or BASE, lambda line: click.echo(line, err=True))
    click.echo(f"Built {IMAGE_TAG}, {identity}.")
