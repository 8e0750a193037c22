"""What commands tell GitHub Actions, where they run in it: annotations, and a summary of the step.

https://docs.github.com/en/actions/reference/workflows-and-actions/variables says which variables there are.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.shared import show

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.outcomes import Outcomes


def tell_github(outcomes: Outcomes, summarise: Callable[[int], str], file: Path | None = None) -> None:
    """Annotate the run and add to the step's summary; anywhere but in GitHub Actions, do nothing.

    Args:
        outcomes: What became of the submissions.
        summarise: Gives their Markdown, in at most so many bytes.
        file: The file that was graded, if it was one.
    """
    from grader.reports.github import to_annotations  # noqa: PLC0415  # see shared
    from grader.reports.markdown import LIMIT  # noqa: PLC0415

    if os.environ.get("GITHUB_ACTIONS") != "true":
        return
    show(to_annotations(outcomes, _in_repository(file) if file else ""))
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    try:
        with Path(path).open("ab") as summary:
            summary.write(summarise(LIMIT - summary.tell()).encode())
    except OSError as error:
        click.echo(f"GITHUB_STEP_SUMMARY, {path}, cannot be written: {error.strerror}.", err=True)


def _in_repository(file: Path) -> str:
    """A file's path from the root of the repository, with which GitHub finds it; empty for one that is elsewhere."""
    root = Path(os.environ.get("GITHUB_WORKSPACE", "")).resolve()
    found = file.resolve()
    return found.relative_to(root).as_posix() if found.is_relative_to(root) else ""
