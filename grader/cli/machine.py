"""`grader doctor` and `grader image`: what the machine has."""

from __future__ import annotations

import click

from grader.cli.shared import course_of, show


@click.command()
@click.pass_context
def doctor(context: click.Context) -> int:
    """Say what this machine has and lacks for grading, and how to get it."""
    from grader.doctor import examine  # noqa: PLC0415  # see shared

    missing = 0
    for finding in examine(lambda: course_of(context)):
        missing += not finding.ok
        mark = click.style("ok     ", fg="green") if finding.ok else click.style("failed ", fg="red")
        show(f"{mark}  {finding.subject}: {finding.detail}\n")
    return 3 if missing else 0


@click.group()
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
    from contextlib import closing  # noqa: PLC0415  # see shared

    from grader.sandbox.image import BASE, IMAGE_TAG, build_image, connect  # noqa: PLC0415

    with closing(connect()) as client:
        identity = build_image(client, IMAGE_TAG, base or BASE, lambda line: click.echo(line, err=True))
    click.echo(f"Built {IMAGE_TAG}, {identity}.")
