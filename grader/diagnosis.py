"""What a submission's answers say of the mistake in it: the one known wrong rule by which code answers just so.

A course may know misconceptions, each with a sentence and with ways to make the mistake. A misconception explains a
submission if one of its ways agrees with all that the student's code answered, right and wrong. Where exactly one
explains it, its sentence is the diagnosis; otherwise there is none, because a diagnosis is never a guess. So one of the
answers must be wrong, and not merely missing: code may stop for any reason.

Nothing is run here. What a way answers is asked for, be it found by running it or known before.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from grader.compare import agree
from grader.stand_in import Opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MOST = 200_000
"""How much is kept of all that a submission answers, in values and characters."""

_PLAIN = {int, float, bool, str, type(None)}
_BITS = 64
"""How much of an integer counts as one value."""


class Manner(Enum):
    """How a case of a check came to its end."""

    ANSWERED = auto()
    PRINTED = auto()
    """What was printed has another form; in which way, the text says."""
    REFUSED = auto()
    """Something that the check asserts does not hold."""
    RAISED = auto()


class Answer(NamedTuple):
    """What came of a case, of a student's code or of a way to be wrong."""

    manner: Manner
    value: object = None

    @classmethod
    def of(cls, returned: object) -> Answer:
        """Make an answer of what a check returned; of an object that is no plain value, its type's name counts."""
        return cls(Manner.ANSWERED, _plain(returned))

    def agrees_with(self, observed: Answer) -> bool:
        """Whether code that answers so may be what was observed."""
        return self.manner is observed.manner and not agree(self.value, observed.value)


Case = TypeVar("Case")
Way = TypeVar("Way")


@dataclass(frozen=True, slots=True)
class Seen(Generic[Case]):
    """What a submission answered to one case; lasts as long as its grading.

    Attributes:
        case: What it was asked, so that others can be asked the same.
        answer: What came of it.
        right: Whether that is what the check wants.
    """

    case: Case
    answer: Answer
    right: bool


class Sightings(Generic[Case]):
    """All that is seen of a submission; lasts as long as its grading.

    A student chooses how much it is. Where it is more than `MOST`, all of it is forgotten: what speaks against a
    misconception could be in the rest.

    Attributes:
        public: What is seen in public checks, in order.
        hidden: What is seen in hidden checks, of which the student may not know.
    """

    def __init__(self) -> None:
        self._room = MOST
        self.public: list[Seen[Case]] = []
        self.hidden: list[Seen[Case]] = []

    def add(self, seen: Sequence[Seen[Case]], *, hidden: bool) -> None:
        """Keep what is seen in a check, if there is room for it."""
        self._room -= sum(_size(each.answer.value) for each in seen)
        if self._room < 0:
            self.public.clear()
            self.hidden.clear()
        else:
            (self.hidden if hidden else self.public).extend(seen)

    @property
    def are_telling(self) -> bool:
        """Whether anything could follow from them."""
        return _is_telling(self.public) or _is_telling(self.hidden)


class Diagnosis(NamedTuple):
    """What a submission seems to do, in a course's own sentences.

    Attributes:
        public: What follows from public checks alone, and is for the student; may be empty.
        private: What follows from all checks, where that is another sentence; may be empty.
    """

    public: str = ""
    private: str = ""


def diagnose(
    sightings: Sightings[Case], known: Mapping[str, Sequence[Way]], ask: Callable[[Way, Case], Answer]
) -> Diagnosis:
    """Find the misconception that explains a submission.

    Args:
        sightings: All that is seen of it.
        known: The ways of each misconception, by its sentence.
        ask: Returns what a way answers to a case. It may be asked the same again.
    """
    public = _explain(sightings.public, known, ask)
    private = _explain([*sightings.public, *sightings.hidden], known, ask)
    return Diagnosis(public, private if private != public else "")


def _explain(seen: Sequence[Seen[Case]], known: Mapping[str, Sequence[Way]], ask: Callable[[Way, Case], Answer]) -> str:
    if not _is_telling(seen):
        return ""
    telling = sorted(seen, key=lambda each: each.right)  # what is wrong rules most ways out at once

    def explains(way: Way) -> bool:
        return all(ask(way, each.case).agrees_with(each.answer) for each in telling)

    explaining = (sentence for sentence, ways in known.items() if any(map(explains, ways)))
    match [*itertools.islice(explaining, 2)]:
        case [sentence]:
            return sentence
    return ""


def _is_telling(seen: Sequence[Seen[Case]]) -> bool:
    """Whether something is wrong in them that is more than an exception."""
    return any(not each.right and each.answer.manner is not Manner.RAISED for each in seen)


def _plain(value: object) -> object:
    """A value as it can be compared with another that is made in the same way."""
    if isinstance(value, Opaque):
        return f"an object of type {value.type_name}"
    kind = type(value)
    if isinstance(value, list | tuple) and kind in {list, tuple}:
        return tuple(map(_plain, value))
    if isinstance(value, dict) and kind is dict:
        return {_plain(key): _plain(item) for key, item in value.items()}
    return value if kind in _PLAIN else f"an object of type {kind.__name__}"


def _size(value: object) -> int:
    """How many values and characters there are in one that is plain."""
    match value:
        case str():
            return 1 + len(value)
        case int():
            return 1 + value.bit_length() // _BITS
        case tuple():
            return 1 + sum(map(_size, value))
        case dict():
            return 1 + sum(_size(key) + _size(item) for key, item in value.items())
    return 1
