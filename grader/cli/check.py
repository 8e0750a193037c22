"""`grader exercises` and `grader check`: what a student needs again and again."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import click

from grader.cli.github import tell_github
from grader.cli.shared import FAIL_UNDER, FILE, course_of, screen, show
from grader.errors import GraderError, SandboxError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from grader.checks import Checks
    from grader.exercise import Exercise
    from grader.limits import Limits
    from grader.sandbox import Sandbox
    from grader.sandbox.ahead import StartedAhead
    from grader.submission import Submission
    from grader.verdict import Report, Ungraded


@click.command()
@click.pass_context
def exercises(context: click.Context) -> None:
    """List the exercises of the course."""
    from grader.reports.console import exercise_list  # noqa: PLC0415  # see shared

    course = course_of(context)
    show(exercise_list(course.exercises(), course.passed_over(), **screen()))


@click.command()
@click.argument("exercise")
@click.argument("file", type=FILE)
@click.option("--watch", is_flag=True, help="Run them again each time the file is saved, until Ctrl-C.")
@click.option("--junit", type=FILE, metavar="FILE", help="Also write a JUnit report to FILE, for a CI system.")
@click.option(
    "--fail-under",
    type=FAIL_UNDER,
    metavar="PERCENT",
    help="Leave with status 1 only if less than this part of the XP of the public checks was earned.",
)
@click.pass_context
def check(
    context: click.Context, exercise: str, file: Path, *, watch: bool, junit: Path | None, fail_under: float | None
) -> int:
    """Run the public checks of EXERCISE on FILE, and show what was asked, what happened, and the XP.

    FILE runs in a sandbox where bubblewrap is installed. Elsewhere it runs as `python FILE` would, without isolation:
    run it on your own work. What other people handed in is for `grader grade`.
    """
    if junit:
        _make_way(junit, file)
    with _sandbox_meanwhile() as start:
        chosen = course_of(context).exercise(exercise).public
        submission = _read(file, chosen)
        started = start(chosen.limits)
        from grader.checks import Checks  # noqa: PLC0415  # see shared

        try:
            with Checks(chosen) as checks:
                if not watch:
                    return _check(submission, checks, started, file, junit, fail_under)
                return _watch(file, lambda: _check(_read(file, chosen), checks, started, file, junit, fail_under))
        except GraderError as error:
            from grader.verdict import Ungraded  # noqa: PLC0415  # see shared

            _tell_machines(Ungraded(submission.student, submission.exercise, str(error)), file, junit)
            raise


def _read(file: Path, exercise: Exercise) -> Submission:
    from grader.submission import read_submission  # noqa: PLC0415  # see shared

    return read_submission(file, exercise, student="you")


def _check(
    submission: Submission,
    checks: Checks,
    sandbox: Future[StartedAhead],
    file: Path,
    junit: Path | None,
    fail_under: float | None,
) -> int:
    """Run the checks once, showing each result as it comes, and return the exit status."""
    from grader.grading import grade as grade_one  # noqa: PLC0415  # see shared
    from grader.intake import written  # noqa: PLC0415
    from grader.reports.console import ReportScreen  # noqa: PLC0415

    shown = ReportScreen(checks.exercise, **screen())
    opened = sandbox.result()
    if opened.kind == "unsafe":
        click.echo(f"Running {file} on this machine, without isolation.", err=True)
    show(shown.begin(submission.file, written(file.name)))
    report = grade_one(submission, checks, opened, on_result=lambda result: show(shown.result(result)))
    show(shown.end(report))
    _tell_machines(report, file, junit)
    if fail_under is None:
        return 0 if report.passed else 1
    worth = sum(result.worth for result in report.results)
    return 0 if report.results and 100 * report.xp >= fail_under * worth else 1


def _watch(file: Path, check_once: Callable[[], int]) -> int:
    """Run the checks now and at each save; return the exit status of the last run when interrupted after it."""
    from grader.watching import saves  # noqa: PLC0415  # see shared

    status = None
    saved = saves(file)
    try:
        while True:
            next(saved)
            click.clear()
            status = check_once()
            click.echo(f"Watching {file}: save it to run the checks again. Ctrl-C ends.", err=True)
    except KeyboardInterrupt:
        if status is None:
            raise
        return status


@contextlib.contextmanager
def _sandbox_meanwhile() -> Iterator[Callable[[Limits], Future[StartedAhead]]]:
    """Look for a sandbox while the caller does something else; yield what starts a session in it, meanwhile too."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  # see shared

    def start(limits: Limits) -> StartedAhead:
        from grader.sandbox.ahead import StartedAhead  # noqa: PLC0415  # see shared

        return StartedAhead(found.result(), limits)

    try:
        with ThreadPoolExecutor(1) as thread:  # it stays until the end: bubblewrap's processes end with their thread
            found = thread.submit(_find_sandbox)
            yield lambda limits: thread.submit(start, limits)
    finally:
        if not found.exception():
            found.result().close()


def _find_sandbox() -> Sandbox:
    """Return bubblewrap's sandbox, or the one that isolates nothing where that does not work."""
    from grader.sandbox.kinds import SandboxChoice  # noqa: PLC0415  # see shared

    try:
        return SandboxChoice("bubblewrap").open()
    except SandboxError:
        return SandboxChoice("unsafe").open()


def _make_way(junit: Path, file: Path) -> None:
    """Remove what an earlier run wrote: if this one does not come to its end, nobody shall take it for this one's."""
    if junit.resolve() == file.resolve():
        raise click.UsageError(f"--junit names {file} itself; name another file.")
    try:
        junit.parent.mkdir(parents=True, exist_ok=True)
        junit.unlink(missing_ok=True)
    except OSError as error:
        raise click.UsageError(f"{junit} cannot be written ({error.strerror}); name another file.") from error


def _tell_machines(outcome: Report | Ungraded, file: Path, junit: Path | None) -> None:
    from grader.reports.markdown import report_markdown  # noqa: PLC0415  # see shared

    if junit:
        from grader.reports.junit import to_junit  # noqa: PLC0415  # see shared
        from grader.results import write  # noqa: PLC0415

        write(junit, [to_junit(outcome)])
    tell_github([outcome], lambda limit: report_markdown(outcome, limit=limit), file)
