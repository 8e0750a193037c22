"""The command line: builds objects, calls, prints and chooses the exit status. This package alone imports click.

Exit status:

    0    graded, and all checks that were asked for passed (`check`), or every submission was graded (`grade`)
    1    graded, and something did not pass (`check`, and `grade --fail-under`), or not all of it could be
         brought back (`export --strict`)
    2    wrong usage
    3    a fault that is not a student's left something ungraded
    130  interrupted
"""

from __future__ import annotations

import signal
import sys
import traceback
from typing import TYPE_CHECKING

import click

from grader.cli.check import check, exercises
from grader.cli.desk import show_prompt, start
from grader.cli.export import export
from grader.cli.grade import grade
from grader.cli.inbox import inbox
from grader.cli.machine import doctor, image
from grader.cli.platforms import gradescope, pack, prairielearn
from grader.cli.shared import FOLDER
from grader.cli.stats import stats
from grader.cli.status import status
from grader.errors import CourseError, GraderError, SubmissionError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def main() -> None:
    """Run the command line and leave with its exit status."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever is told to end tidies up as after Ctrl-C
    sys.exit(_run(sys.argv[1:]))


def _run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; every way it can end passes through here."""
    try:
        code = cli.main(list(arguments), prog_name="grader", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort:
        click.echo("grader: interrupted", err=True)
        return 130
    except GraderError as error:
        from grader.reports.text import visible  # noqa: PLC0415  # see shared

        click.echo(f"grader: {visible(str(error))}", err=True)
        return 2 if isinstance(error, CourseError | SubmissionError) else 3
    except SystemExit:  # how click and rich leave, with status 1, when whoever reads our output has seen enough
        return 3
    except Exception:  # noqa: BLE001  # status 1 would say that grading went well
        traceback.print_exc()
        click.echo("grader: this is a fault in the grader itself; please report the lines above", err=True)
        return 3
    return code if isinstance(code, int) else 0


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--course",
    "course_folder",
    type=FOLDER,
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


_FOR_STUDENTS = (exercises, show_prompt, start, check)
_FOR_INSTRUCTORS = (inbox, grade, status, stats, export, gradescope, prairielearn, pack, doctor, image)

for _command in (*_FOR_STUDENTS, *_FOR_INSTRUCTORS):
    cli.add_command(_command)
