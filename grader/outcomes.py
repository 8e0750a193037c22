"""The outcomes of a class of any size: gone through without being held, or held without their texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from grader.verdict import Absent, Provenance, Report, Result, Ungraded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from grader.verdict import Outcome

_NOTHING = Provenance("", "", "", "", "", ())


@dataclass(frozen=True, slots=True)
class Reread:
    """Outcomes that are read again each time they are gone through; lasts as long as what they are read from.

    Attributes:
        read: Begins to read them.
    """

    read: Callable[[], Iterator[Outcome]]

    def __iter__(self) -> Iterator[Outcome]:
        """Begin with the first."""
        return self.read()


Outcomes: TypeAlias = "Reread | Sequence[Outcome]"
"""At most one outcome for each student and exercise, by student, then exercise, which may be gone through often.

Whoever does holds no more of them than are being looked at.
"""


def outlines(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Returns what can be held of a class: its outcomes, each report without its long texts and its provenance.

    That is a few hundred bytes a report, however much it says: it has no notes and no file's name, and of each check
    only what was asked, the verdict, and whether it was run again. What is the same in several reports is held once.
    """
    texts: dict[str, str] = {}
    results: dict[tuple[object, ...], Result] = {}

    def once(text: str) -> str:
        return texts.setdefault(text, text)

    def bare(result: Result) -> Result:
        asked = result.check, result.question, result.hidden, result.verdict, result.worth
        return results.setdefault((*asked, result.retried), Result(*asked, retried=result.retried))

    def outline(outcome: Outcome) -> Outcome:
        match outcome:
            case Report():
                return Report(
                    once(outcome.student),
                    once(outcome.exercise),
                    once(outcome.title),
                    "",
                    outcome.total_xp,
                    tuple(map(bare, outcome.results)),
                    _NOTHING,
                    seconds=outcome.seconds,
                    diagnosis=once(outcome.diagnosis),
                    private_diagnosis=once(outcome.private_diagnosis),
                )
            case Ungraded():
                return Ungraded(once(outcome.student), once(outcome.exercise), once(outcome.reason))
            case Absent():
                return Absent(once(outcome.student), once(outcome.exercise))

    return tuple(map(outline, outcomes))
