"""What a student gets to read: one HTML page with all their exercises.

The template sees nothing of a check but what a student may: its question, its verdict, its XP, and what
`feedback.explain` says of it. As in JUnit reports, the page tells neither what happened in hidden checks, nor how long
anything took, by which a program could show what it was given, nor the fingerprint of the course secret.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.reports import class_list
from grader.reports.feedback import SEEMS, asked, explain, word
from grader.reports.page import render
from grader.reports.text import one_line, visible
from grader.verdict import Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from grader.exercise import Exercise
    from grader.verdict import Outcome, Provenance, Result

_LONG_LINES = 12
_LONG_CHARACTERS = 1000
"""What is longer than either of these is folded away."""


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """One part of an explanation; `folded` says how long it is, where that is long."""

    label: str
    text: str
    prose: bool
    folded: str


_SEE_NOTE = _Paragraph("What happened", "See the note above.", prose=True, folded="")


@dataclass(frozen=True, slots=True)
class _Check:
    """What a student sees of one check."""

    question: str
    hidden: bool
    verdict: str
    word: str
    xp: int
    worth: int
    paragraphs: tuple[_Paragraph, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """What a student sees of one exercise; `state` is `graded`, `ungraded` or `absent`."""

    id: str
    title: str
    state: str
    total_xp: int
    xp: int = 0
    file: str = ""
    notes: tuple[str, ...] = ()
    diagnosis: str = ""
    checks: tuple[_Check, ...] = ()
    provenance: tuple[tuple[str, str], ...] = ()

    @property
    def passed(self) -> int:
        """How many checks passed."""
        return sum(check.verdict == "passed" for check in self.checks)

    @property
    def shown_xp(self) -> int:
        """What the checks that were asked for are worth: all of the XP, unless hidden ones are still to come."""
        return sum(check.worth for check in self.checks)

    @property
    def has_hidden(self) -> bool:
        """Whether some checks are hidden ones."""
        return any(check.hidden for check in self.checks)


@dataclass(frozen=True, slots=True)
class _Page:
    """All that a student sees."""

    student: str
    parts: tuple[_Part, ...]
    seems: str = SEEMS

    @property
    def xp(self) -> int:
        """The XP earned so far."""
        return sum(part.xp for part in self.parts)

    @property
    def total_xp(self) -> int:
        """The XP that all exercises are worth."""
        return sum(part.total_xp for part in self.parts)

    def count(self, state: str) -> int:
        """Says how many exercises are in a state."""
        return sum(part.state == state for part in self.parts)


def to_student_page(
    outcomes: Sequence[Outcome], exercises: Sequence[Exercise], names: Mapping[str, str] = class_list.NO_NAMES
) -> str:
    """Writes a student's page: XP, then exercise by exercise what was asked, what happened, and the hints.

    Args:
        outcomes: What is known of one student: at least one outcome, and at most one for each exercise.
        exercises: All exercises that occur in the outcomes; their order is the page's.
        names: What people call students, by id.
    """
    known = {outcome.exercise: outcome for outcome in outcomes}
    parts = tuple(_part(known[exercise.id], exercise) for exercise in exercises if exercise.id in known)
    student = one_line(class_list.called(outcomes[0].student, names))
    return "".join(render("student_page.html", ("page.css",), _Page(student, parts)))


def _part(outcome: Outcome, exercise: Exercise) -> _Part:
    if not isinstance(outcome, Report):
        state = "ungraded" if isinstance(outcome, Ungraded) else "absent"
        return _Part(one_line(exercise.id), one_line(exercise.title), state, exercise.xp)
    return _Part(
        id=one_line(outcome.exercise),
        title=one_line(outcome.title),
        state="graded",
        total_xp=outcome.total_xp,
        xp=outcome.xp,
        file=one_line(outcome.file),
        notes=tuple(visible(note) for note in outcome.notes),
        diagnosis=visible(outcome.diagnosis),
        checks=tuple(_check(result, outcome) for result in outcome.results),
        provenance=tuple(_provenance(outcome.provenance)),
    )


def _check(result: Result, report: Report) -> _Check:
    is_explained = not result.passed and result.what in report.notes  # which stand above all checks
    return _Check(
        question=asked(result),
        hidden=result.hidden,
        verdict=result.verdict,
        word=word(result.verdict),
        xp=result.xp,
        worth=result.worth,
        paragraphs=(_SEE_NOTE,) if is_explained else tuple(_paragraph(*each, result) for each in explain(result)),
    )


def _paragraph(label: str, text: str, result: Result) -> _Paragraph:
    lines = text.count("\n") + 1
    folded = ""
    if lines > _LONG_LINES:
        folded = f"{lines} lines"
    elif len(text) > _LONG_CHARACTERS:
        folded = f"{len(text)} characters"
    return _Paragraph(label, text, prose=result.hidden or label == "Hint", folded=folded)


def _provenance(provenance: Provenance) -> Iterator[tuple[str, str]]:
    yield "SHA-256 of what you handed in", provenance.submission
    yield "SHA-256 of the exercise", provenance.exercise
    yield "Sandbox", f"{one_line(provenance.sandbox)}, {one_line(provenance.image)}"
    versions = (f"{one_line(name)} {one_line(version)}" for name, version in provenance.versions)
    yield "Versions", ", ".join(versions)
