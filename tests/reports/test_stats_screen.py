"""What the terminal shows of how the checks did in a class."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from grader.reports.stats_screen import stats_screen
from grader.reports.terminal import NARROWEST
from grader.statistics import statistics_of
from grader.verdict import Report, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

P, F = Verdict.PASSED, Verdict.FAILED


def graded(report: Report, *verdicts: Verdict) -> Report:
    """Makes a report with a check for each verdict."""
    passed = report.results[0]
    return replace(
        report,
        results=tuple(replace(passed, check=f"check_{place}", verdict=each) for place, each in enumerate(verdicts)),
    )


def test_checks_are_shown_with_what_is_odd_about_them(report: Report) -> None:
    """Each check has its share and its discrimination; then come those that say the same thing, and what it means."""
    reports = [graded(report, P, F, P, P)] * 5 + [graded(report, P, F, F, F)] * 6
    expected = """\
        Teach the engine (pow_relu)
        Graded: 11. With every check run: 11.

        check       passed   share   discrimination   remark
        ───────────────────────────────────────────────────────────
        check_0   11 of 11   100 %        undefined   always passed
        check_1    0 of 11     0 %        undefined   never passed
        check_2    5 of 11    45 %             1.00
        check_3    5 of 11    45 %             1.00

        These say the same thing: check_2, check_3. 5 pass all, 6 pass none.

        Discrimination is the correlation of passing a check with the XP of the
        exercise's other checks, from -1 to 1: near 1, the check tells those who know
        from those who do not; below 0, look at the check. It counts the submissions of
        which every check ran, and with fewer than 20 it is mostly chance.
        """

    assert dedent(expected) == stats_screen(statistics_of(reports))


@given(st.lists(st.from_type(Report), max_size=3), st.sampled_from([NARROWEST, 80]))
def test_every_screen_is_tidy(reports: Sequence[Report], width: int) -> None:
    """Whatever checks are called, no line is too long or acts on the terminal."""
    screen = stats_screen(statistics_of(reports), width=width)

    assert screen.endswith("\n")
    for line in screen.split("\n"):
        assert line.isprintable()
        assert cell_len(line) <= width
