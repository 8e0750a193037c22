"""Known wrong rules: what students' code does when it goes wrong, so that a report can name it.

There is a module here for each exercise, and each has `MISCONCEPTIONS`. A misconception is one mistake, with one
sentence about it; as code can be built in several manners in which the same mistake shows differently, it has one or
more ways. A way is something to run an exercise's checks with in place of the student's code. If a way of exactly
one misconception gives the answers that the student's code gave, the right and the wrong ones, that is the mistake.

No two misconceptions of an exercise have ways that answer alike, and none answers as the reference does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import SimpleNamespace


@dataclass(frozen=True, slots=True)
class Way:
    """One way to make a mistake; lasts as long as its module. It may raise what a student's code would.

    Attributes:
        program: What the wrong program prints, given all of its standard input.
        engine: What has the wrong `Value`; None where an exercise asks for a program alone.
    """

    program: Callable[[str], str]
    engine: SimpleNamespace | None = None


@dataclass(frozen=True, slots=True)
class Misconception:
    """One mistake that students make; lasts as long as its module.

    Attributes:
        id: Its name, unique in its exercise.
        sentence: What the code seems to do, and where to look; for the student, so it never says what is right.
        ways: How to make it, one at least.
    """

    id: str
    sentence: str
    ways: tuple[Way, ...]
