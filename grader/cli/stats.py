"""`grader stats`: what the results of a class say about the checks."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.shared import screen, show


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
def stats(results: Path) -> None:
    """Show how the checks did in a class: how many pass each, whom it tells apart, and which say the same thing.

    RESULTS is a folder that `grader grade` wrote, or the results.json in it. Nothing is graded anew.
    """
    from grader.outcomes import outlines  # noqa: PLC0415  # see shared
    from grader.record import read_outcomes  # noqa: PLC0415
    from grader.reports.stats_screen import stats_screen  # noqa: PLC0415
    from grader.statistics import statistics_of  # noqa: PLC0415
    from grader.verdict import Report  # noqa: PLC0415

    reports = [outcome for outcome in outlines(read_outcomes(results)) if isinstance(outcome, Report)]
    show(stats_screen(statistics_of(reports), **screen()))
