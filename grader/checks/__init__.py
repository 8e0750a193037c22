"""Checks are pytest functions that run on the host, once with the reference and once with the student's stand-in.

`Checks` collects one exercise's `check_*` functions once and runs them for any number of submissions. It is a pytest
session that is never finished in between: collected items are run again for each student by pytest's own runner, so
that `parametrize`, fixtures and Hypothesis's `@given` work as they do everywhere. Nothing of the surroundings takes
part: no ini file, no plugin that happens to be installed, no `PYTEST_ADDOPTS`, no bytecode.

The reference's side runs first. If it raises, the check is at fault; what only the student's side raises is the
student's, be it an assertion or `math.log` of a wrong number.
"""

from grader.checks.plugin import ALARM_SECONDS
from grader.checks.session import DIAGNOSIS_SECONDS, Checks, longest

__all__ = ["ALARM_SECONDS", "DIAGNOSIS_SECONDS", "Checks", "longest"]
