"""Workflow commands that make GitHub Actions annotate a file: an error for each check that did not pass.

    ::error file=value.py,line=7,title=check_relu%3A failed::Relu stops what is not positive.%0A...

A command is one line, and the runner takes its escapes back (https://github.com/actions/runner, `ActionCommand.cs`).
Who may read a run may read its annotations, so they say of hidden checks no more than a student may know.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from grader.reports.feedback import asked, explain, word
from grader.reports.text import one_line, visible
from grader.verdict import Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from grader.outcomes import Outcomes
    from grader.verdict import Outcome, Result

MOST_ANNOTATIONS = 10
"""How many errors of one step GitHub shows; it drops the rest without a word."""

_LONGEST_MESSAGE = 4096
_LONGEST_TITLE = 255
"""How much of a message the runner keeps, and how much of a title GitHub does, in characters."""

_LINE = re.compile(r"^  line (\d{1,7})[,:]|(?:`, | at )line (\d{1,7})\b", re.MULTILINE)
"""Where feedback says that something happened: in a traceback, or in a sentence."""

_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY_ESCAPES = _ESCAPES | {":": "%3A", ",": "%2C"}


def to_annotations(outcomes: Outcomes, path: str = "") -> str:
    """Writes the commands, at most as many as GitHub shows, then one that says how many were left out.

    What is ungraded comes first, without its reason, which may name a case of a hidden check.

    Args:
        outcomes: What became of the submissions; they are gone through twice.
        path: The file that was graded, from the repository's root; then there is one outcome, and no need to say whose.
    """
    first = (outcome for outcome in outcomes if isinstance(outcome, Ungraded))
    then = (outcome for outcome in outcomes if not isinstance(outcome, Ungraded))
    commands = (command for outcome in itertools.chain(first, then) for command in _errors(outcome, path))
    shown = list(itertools.islice(commands, MOST_ANNOTATIONS))
    if more := sum(1 for _ in commands):
        shown.append(_command("notice", f"There are {more} more errors, which GitHub would not show."))
    return "".join(f"{command}\n" for command in shown)


def _errors(outcome: Outcome, path: str) -> Iterator[str]:
    subject = outcome.exercise if path else f"{outcome.student}, {outcome.exercise}"
    match outcome:
        case Ungraded():
            message = "This submission could not be graded, through no fault of its student."
            yield _command("error", message, path, title=f"{subject}: ungraded")
        case Report():
            told = set()
            for result in outcome.results:
                if result.passed or result.what in told:
                    continue
                if result.what in outcome.notes:  # that the file does not load, which is so for all checks
                    told.add(result.what)
                paragraphs = [asked(result), *(f"{label}:\n{text}" for label, text in explain(result))]
                title = f"{subject}: {result.check}: {word(result.verdict)}"
                yield _command("error", "\n\n".join(paragraphs), path, _line(result) if path else "", title)


def _line(result: Result) -> str:
    """The innermost line that a student may know to have taken part, as digits; empty where there is none."""
    found = [digits for pair in _LINE.findall(result.feedback) for digits in pair if digits]
    return found[-1] if found else ""


def _command(name: str, message: str, path: str = "", line: str = "", title: str = "") -> str:
    properties = {"file": one_line(path), "line": line, "title": visible(title, limit=_LONGEST_TITLE, keep="")}
    given = ",".join(f"{key}={_escaped(text, _PROPERTY_ESCAPES)}" for key, text in properties.items() if text)
    head = f"{name} {given}" if given else name
    return f"::{head}::{_escaped(visible(message, limit=_LONGEST_MESSAGE), _ESCAPES)}"


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in text)
