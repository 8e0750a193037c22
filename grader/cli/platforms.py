"""`grader gradescope` and `grader prairielearn`, in a platform's container; `grader pack`, what is uploaded to them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.shared import FILE, FOLDER, course_of, refuse_to_overwrite, tell_of_new_secret
from grader.errors import GraderError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from grader.course import Course
    from grader.exercise import Exercise
    from grader.platforms import HandedIn
    from grader.reports.gradescope import Visibility
    from grader.verdict import Outcome

_GRADESCOPE = Path("/autograder")
_PRAIRIELEARN = Path("/grade")
_VISIBILITIES: tuple[Visibility, ...] = ("visible", "after_due_date", "after_published", "hidden")

_HIDDEN = click.option(
    "--hidden",
    type=click.Choice(_VISIBILITIES),
    default="visible",
    show_default=True,
    help="When students see hidden checks: their questions, coarse verdicts and hints, never more.",
)


def _timeout(default: int) -> Callable[[Any], Any]:
    return click.option(
        "--timeout",
        type=click.FloatRange(min=1),
        metavar="SECONDS",
        default=default,
        show_default=True,
        help="How long the platform lets grading take. Where all limits together allow more, it is said.",
    )


_ONLY = click.option("--exercise", "only", multiple=True, metavar="ID", help="Only this exercise. May be repeated.")
_IN_A_CONTAINER = (
    click.option(
        "--sandbox",
        type=click.Choice(["auto", "bubblewrap", "user"]),
        default="auto",
        show_default=True,
        help="Where students' code runs. `auto` is bubblewrap where the container lets it, else `user`: another user "
        "of this container, for which the grader has to be root.",
    ),
    click.option(
        "--private",
        type=click.Path(path_type=Path),
        multiple=True,
        help="What students' code must not read besides the course, its secret and the results. May be repeated.",
    ),
)


def _in_a_container(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_IN_A_CONTAINER):
        command = option(command)
    return command


@click.command()
@_ONLY
@click.option(
    "--submission",
    type=FOLDER,
    default=_GRADESCOPE / "submission",
    show_default=True,
    help="The folder that was handed in.",
)
@click.option(
    "--metadata",
    type=FILE,
    default=_GRADESCOPE / "submission_metadata.json",
    show_default=True,
    help="Gradescope's file about the submission.",
)
@click.option(
    "--results",
    type=FILE,
    default=_GRADESCOPE / "results" / "results.json",
    show_default=True,
    help="What Gradescope reads in the end.",
)
@_HIDDEN
@_timeout(600)
@_in_a_container
@click.pass_context
def gradescope(
    context: click.Context,
    only: tuple[str, ...],
    submission: Path,
    metadata: Path,
    results: Path,
    hidden: Visibility,
    timeout: float,
    sandbox: str,
    private: tuple[Path, ...],
) -> int:
    """Grade the one submission in a container of Gradescope, and write its results.json.

    `grader pack gradescope` makes the autograder that runs this. A file that does not load, or was not handed in, has
    its score, which is none. Where grading itself fails there is no results.json, and Gradescope says that the
    autograder failed.
    """
    from grader.platforms import (  # noqa: PLC0415  # see shared
        NOBODY,
        grade_handed_in,
        gradescope_people,
        not_handed_in,
        read_handed_in,
        warn_of_time,
    )
    from grader.reports.gradescope import to_gradescope  # noqa: PLC0415
    from grader.results import write  # noqa: PLC0415
    from grader.verdict import Absent, Report  # noqa: PLC0415

    results.parent.mkdir(parents=True, exist_ok=True)
    results.unlink(missing_ok=True)  # nobody shall take another run's for this one's
    course, exercises = _asked(context, only)
    _tell(warn_of_time(exercises, timeout, "Gradescope"))
    people = gradescope_people(metadata) if metadata.exists() else (NOBODY,)
    handed_in = read_handed_in(submission, exercises, people)
    found = [
        not_handed_in(each, exercise) if isinstance(each, Absent) else each
        for each, exercise in zip(handed_in.found, exercises, strict=True)
    ]
    own = (submission, metadata, results.parent)
    outcomes = grade_handed_in(found, exercises, *_quarters(course, sandbox, (*own, *private)))
    _tell_outcomes(outcomes, handed_in)
    reports = [outcome for outcome in outcomes if isinstance(outcome, Report)]
    if len(reports) < len(outcomes):
        return 3
    write(results, [to_gradescope(reports, hidden, handed_in.remarks)])
    return 0


@click.command()
@click.option("--exercise", "only", metavar="ID", help="The exercise, where the course has several.")
@click.option(
    "--submission",
    type=FOLDER,
    default=_PRAIRIELEARN / "student",
    show_default=True,
    help="The folder that was handed in.",
)
@click.option(
    "--data",
    type=FILE,
    default=_PRAIRIELEARN / "data" / "data.json",
    show_default=True,
    help="PrairieLearn's file about the question and the submission.",
)
@click.option(
    "--results",
    type=FILE,
    default=_PRAIRIELEARN / "results" / "results.json",
    show_default=True,
    help="What PrairieLearn reads in the end.",
)
@_timeout(600)
@_in_a_container
@click.pass_context
def prairielearn(
    context: click.Context,
    only: str | None,
    submission: Path,
    data: Path,
    results: Path,
    timeout: float,
    sandbox: str,
    private: tuple[Path, ...],
) -> int:
    """Grade the one submission in a container of PrairieLearn, and write its results.json.

    `grader pack prairielearn` makes the image and the questions that run this. A file that does not load has a score,
    which is none. Where no file was handed in, or grading itself fails, the results say that the attempt does not
    count.
    """
    from grader.platforms import (  # noqa: PLC0415  # see shared
        NOBODY,
        grade_handed_in,
        prairielearn_people,
        read_handed_in,
        warn_of_time,
    )
    from grader.reports.prairielearn import to_prairielearn  # noqa: PLC0415
    from grader.results import write  # noqa: PLC0415
    from grader.verdict import Ungraded  # noqa: PLC0415

    results.parent.mkdir(parents=True, exist_ok=True)
    # Without results there would be a zero, whatever the reason.
    write(results, [to_prairielearn(Ungraded("", "", ""))])
    course, exercises = _asked(context, (only,) if only else ())
    if len(exercises) > 1:
        raise click.UsageError(f"{course.root} has several exercises; name one with --exercise.")
    _tell(warn_of_time(exercises, timeout, "PrairieLearn"))
    people = prairielearn_people(data) if data.exists() else (NOBODY,)
    handed_in = read_handed_in(submission, exercises, people)
    own = (data.parent, results.parent)
    outcomes = grade_handed_in(handed_in.found, exercises, *_quarters(course, sandbox, (*own, *private)))
    _tell_outcomes(outcomes, handed_in)
    write(results, [to_prairielearn(outcomes[0], handed_in.remarks)])
    return 3 if isinstance(outcomes[0], Ungraded) else 0


def _asked(context: click.Context, only: Sequence[str]) -> tuple[Course, tuple[Exercise, ...]]:
    """The course, and the exercises of it that are asked for, with all their checks."""
    course = course_of(context)
    exercises = tuple(course.exercise(name) for name in dict.fromkeys(only)) if only else course.exercises()
    for exercise in exercises:
        exercise.require_hidden()
    return course, exercises


def _quarters(course: Course, sandbox: str, private: Sequence[Path]) -> tuple[Any, bytes]:
    """The sandbox that works here, and the secret, which lies beside the course; both are what grading needs."""
    from grader.sandbox.kinds import IN_A_CONTAINER, choose_sandbox  # noqa: PLC0415  # see shared
    from grader.seeding import FILE_NAME, course_secret  # noqa: PLC0415

    secret = course_secret(course.root.parent, os.environ, make=False)
    closed = (course.root, course.root.parent / FILE_NAME, *(path.absolute() for path in private))
    choice = choose_sandbox(sandbox, automatic=IN_A_CONTAINER, private=tuple(path for path in closed if path.exists()))
    _tell(f"Sandbox: {choice.kind}." + (f" It takes the place of {choice.instead_of}" if choice.instead_of else ""))
    return choice, secret


def _tell_outcomes(outcomes: Sequence[Outcome], handed_in: HandedIn) -> None:
    """Say for the instructor what came of it."""
    from grader.verdict import Report, Ungraded  # noqa: PLC0415  # see shared

    for remark in handed_in.remarks:
        _tell(remark)
    for outcome in outcomes:
        match outcome:
            case Report():
                _tell(f"{outcome.exercise}: {outcome.xp} of {outcome.total_xp} XP in {outcome.provenance.image}.")
            case Ungraded():
                _tell(f"{outcome.exercise} is ungraded: {outcome.reason}")
            case _:
                _tell(f"{outcome.exercise}: nothing was handed in.")


def _tell(text: str) -> None:
    from grader.reports.text import visible  # noqa: PLC0415  # see shared

    if text:
        click.echo(visible(text), err=True)


# --------------------------------------------------------------------------------------------------------------------
# Packs


@click.group()
def pack() -> None:
    """What is handed out: to a platform, so that it grades with this course, and to students."""


_WHEELS = click.option(
    "--wheels",
    type=FOLDER,
    help="A folder with wheels of all that the grader needs, to be installed without a network.",
)


@pack.command(name="gradescope")
@click.option("-o", "--output", type=FILE, default=Path("autograder.zip"), show_default=True, help="The zip to write.")
@click.option("--replace", is_flag=True, help="Replace the zip if it is there.")
@_ONLY
@_HIDDEN
@_timeout(600)
@_WHEELS
@click.pass_context
def pack_gradescope(
    context: click.Context,
    output: Path,
    replace: bool,  # noqa: FBT001  # it is a flag
    only: tuple[str, ...],
    hidden: Visibility,
    timeout: float,
    wheels: Path | None,
) -> None:
    """Write autograder.zip, to be uploaded on Gradescope's page "Configure Autograder".

    It holds the grader, the exercises with their hidden checks, what they need of the reference, and the secret that
    hidden inputs are drawn from: the file course.secret beside the zip, made if there is none, or GRADER_SECRET. Keep
    both to yourself.
    """
    from grader.pack import gradescope_pack, to_zip  # noqa: PLC0415  # see shared
    from grader.platforms import warn_of_time  # noqa: PLC0415

    refuse_to_overwrite(output, replace=replace)
    course, exercises = _asked(context, only)
    _tell(warn_of_time(exercises, timeout, "Gradescope"))
    secret = _secret_beside(output)
    options = ["--hidden", hidden, "--timeout", f"{timeout:g}"]
    _write(output, to_zip(gradescope_pack(course, exercises, secret, wheels, options)), 0o600)
    click.echo(f"{output} grades {_listed(exercises)}. Upload it on the page Configure Autograder.")


@pack.command(name="prairielearn")
@click.option("-o", "--output", type=FOLDER, required=True, help="The folder to make.")
@click.option("--image", required=True, metavar="NAME", help="What the image will be called, such as me/grader:1.")
@_ONLY
@_WHEELS
@click.pass_context
def pack_prairielearn(
    context: click.Context, output: Path, image: str, only: tuple[str, ...], wheels: Path | None
) -> None:
    """Write an image's recipe and a question for each exercise, to be put into a PrairieLearn course.

    OUTPUT/image is what `docker build` makes the image of, which holds nothing secret. OUTPUT/questions/<id> are the
    questions, with the hidden checks, what they need of the reference, and the secret in tests/, where PrairieLearn
    keeps what students do not see. The secret is the file course.secret beside OUTPUT, made if there is none, or
    GRADER_SECRET.
    """
    from grader.pack import MOST_PRAIRIELEARN_SECONDS, prairielearn_pack, write_folder  # noqa: PLC0415  # see shared
    from grader.platforms import warn_of_time  # noqa: PLC0415

    course, exercises = _asked(context, only)
    for exercise in exercises:
        _tell(warn_of_time([exercise], MOST_PRAIRIELEARN_SECONDS, "PrairieLearn"))
    write_folder(prairielearn_pack(course, exercises, _secret_beside(output), wheels, image), output)
    click.echo(
        f"Build and push {image} from {output / 'image'}, and copy {output / 'questions'} into your course: "
        f"{_listed(exercises)}."
    )


@pack.command(name="student")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="The zip to write, FILE.zip; of any other name, a folder to make.",
)
@_ONLY
@click.pass_context
def pack_student(context: click.Context, output: Path, only: tuple[str, ...]) -> None:
    """Write a course for students, with which they check their work offline.

    It holds the prompts, the starters and the public checks, and what the reference and known wrong rules answer to
    these. Neither the code of any of them nor hidden checks are in it.
    """
    from grader.pack import to_zip, write_folder  # noqa: PLC0415  # see shared
    from grader.student_pack import student_pack  # noqa: PLC0415

    course = course_of(context)
    exercises = tuple(course.exercise(name) for name in dict.fromkeys(only)) if only else course.exercises()
    files = student_pack(exercises)
    if output.suffix == ".zip":
        _make_folder(output.parent)
        _write(output, to_zip(files), 0o666)
    else:
        write_folder(files, output)
    click.echo(f"{output} is for students: {_listed(exercises)}. They begin with the README.md in it.")


def _listed(exercises: Sequence[Exercise]) -> str:
    return ", ".join(exercise.id for exercise in exercises)


def _secret_beside(output: Path) -> bytes:
    """The course's secret: what the file says that lies beside a pack, if need be a new one.

    Raises:
        GraderError: There is no place for it.
    """
    from grader.seeding import course_secret  # noqa: PLC0415  # see shared

    _make_folder(output.parent)
    return course_secret(output.parent, os.environ, on_made=tell_of_new_secret)


def _make_folder(folder: Path) -> None:
    """Make a folder if need be.

    Raises:
        GraderError: There is no place for it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GraderError(f"{folder} cannot be made ({error.strerror}); name another place") from error


def _write(path: Path, data: bytes, mode: int) -> None:
    """Write a file anew, with at most these permissions.

    Raises:
        GraderError: It cannot be written.
    """
    try:
        path.unlink(missing_ok=True)
        path.touch(mode)
        path.write_bytes(data)
    except OSError as error:
        raise GraderError(f"{path} cannot be written ({error.strerror}); name another file") from error
