"""A graded submission as Gradescope's `results.json`, which shows its students what they may read of it.

https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format

There is no `score` for the whole: Gradescope adds up the tests'. All texts are of the format `text`, in which nothing
is markup. As in all reports that students see, nothing says how long a hidden check took.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

from grader.reports.feedback import asked, explain, overall
from grader.reports.text import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from grader.verdict import Report, Result

Visibility = Literal["visible", "after_due_date", "after_published", "hidden"]
"""When students see a test; while one is kept from them, Gradescope does not show them their total either."""


def to_gradescope(reports: Sequence[Report], hidden: Visibility = "visible", remarks: Iterable[str] = ()) -> str:
    """Writes the reports of all that one student, or one group, handed in.

    Args:
        reports: One for each exercise of the assignment.
        hidden: When students see hidden checks: of these there is never remarks than the question, a coarse verdict and
            the hint.
        remarks: What else the student should know, such as which file was taken for which.
    """
    said = [*remarks, *(text for report in reports for text in _titled(report, several=len(reports) > 1))]
    times = [result.seconds for report in reports for result in report.results if not result.hidden]
    written = {
        "output": "\n\n".join(map(visible, said)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "execution_time": round(sum(times), 3),
        "tests": [
            _test(
                result,
                report.notes,
                *(("", f"{at}") if len(reports) == 1 else (report.title, f"{number}.{at}")),
                hidden,
            )
            for number, report in enumerate(reports, start=1)
            for at, result in enumerate(report.results, start=1)
        ],
    }
    return json.dumps(written, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _titled(report: Report, *, several: bool) -> list[str]:
    """What is said of a submission as a whole, and of which exercise that is, where there are several."""
    return [f"{one_line(report.title)}: {text}" if several else text for text in overall(report)]


def _test(result: Result, notes: Sequence[str], title: str, number: str, hidden: Visibility) -> dict[str, object]:
    return {
        "number": number,
        "name": f"{one_line(title)}: {asked(result)}" if title else asked(result),
        "score": result.xp,
        "max_score": result.worth,
        "status": "passed" if result.passed else "failed",
        "output": "\n\n".join(f"{label}:\n{text}" for label, text in explain(result, notes)),
        "visibility": hidden if result.hidden else "visible",
    }
