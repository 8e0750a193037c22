"""A graded submission as PrairieLearn's `results.json`, which shows the student what they may read of it.

https://docs.prairielearn.com/externalGrading/#grading-results

PrairieLearn knows two ends: a score, or `gradable: false`, where the attempt neither counts nor is used up. A student
must not be able to choose the second. So it is for what no student can bring about by what a file holds: that no file
was handed in, and that the grader failed. Everything else has a score, be it that of a file which does not even load.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from grader.errors import GraderError
from grader.reports.feedback import asked, explain, overall, word
from grader.reports.text import LIMIT, SHORTEST_LIMIT, one_line, visible
from grader.verdict import Absent, Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.verdict import Outcome, Result

MOST_BYTES = 1_000_000
"""What PrairieLearn takes, the whole file."""


def to_prairielearn(outcome: Outcome, remarks: Sequence[str] = ()) -> str:
    """Writes one outcome, with long texts cut as far as it takes to stay within `MOST_BYTES`.

    Args:
        outcome: What came of the submission.
        remarks: What else the student should know, such as which file was taken for which.

    Raises:
        GraderError: It has too many checks.
    """
    limit = LIMIT
    while True:
        written = _graded(outcome, remarks, limit) if isinstance(outcome, Report) else _not_gradable(outcome, remarks)
        text = json.dumps(written, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
        if len(text.encode()) <= MOST_BYTES:
            return text
        if limit == SHORTEST_LIMIT:
            raise GraderError(f"{outcome.exercise}: the results are larger than PrairieLearn takes; split the exercise")
        limit = max(SHORTEST_LIMIT, limit // 2)


def _graded(report: Report, remarks: Sequence[str], limit: int) -> dict[str, object]:
    said = [f"XP: {report.xp} of {report.total_xp}", *remarks, *overall(report)]
    return {
        "gradable": True,
        "score": min(1.0, report.xp / max(1, report.total_xp)),
        "message": "\n\n".join(visible(each, limit=limit) for each in said),
        "tests": [_test(result, limit) for result in report.results],
    }


def _test(result: Result, limit: int) -> dict[str, object]:
    return {
        "name": one_line(result.check),
        "description": visible(asked(result), limit=limit),
        "points": result.xp,
        "max_points": result.worth,
        "message": word(result.verdict),
        "output": "\n\n".join(f"{label}:\n{visible(text, limit=limit)}" for label, text in explain(result)),
    }


def _not_gradable(outcome: Outcome, remarks: Sequence[str]) -> dict[str, object]:
    # Why something is ungraded may name a case of a hidden check; the instructor finds it in the job's own output.
    if isinstance(outcome, Absent):
        reason = "No file for this exercise was handed in."
    else:
        reason = "The grader failed, through no fault of yours. The attempt does not count; tell your instructor."
    return {"gradable": False, "message": reason, "format_errors": [reason, *map(visible, remarks)]}
