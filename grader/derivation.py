"""How the right answers to a case of a check come about, as the course itself tells it.

An exercise may name a module with a function `derive`. It is given what the check does, as the student would have typed
it, and returns for each expression that is read in the end, such as `x.grad`, the lines that tell how its value comes
about. What the case does is written down without doing it (see `foresight`), so a check that looks at a value on its
way, or runs a program, has no derivation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.compare import agree
from grader.diagnosis import Manner
from grader.errors import ExerciseError
from grader.foresight import rehearse
from grader.transcript import transcribe

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from grader.diagnosis import Answer


class Derivation:
    """The account that a course's own module gives; lasts as long as the checks of its exercise.

    Args:
        exercise: The exercise's id.
        module: The course's own, trusted.

    Raises:
        ExerciseError: It has no function `derive`.
    """

    def __init__(self, exercise: str, module: ModuleType) -> None:
        derive: Callable[[str], Mapping[str, str]] | None = getattr(module, "derive", None)
        if not callable(derive):
            raise ExerciseError(exercise, [f"{module.__name__} has no function 'derive'; see docs/authors.md"])
        self._derive = derive

    def tell(self, put: Callable[[object, object], object]) -> dict[str, str]:
        """Return the lines about each expression that a case reads, by that expression.

        Args:
            put: Runs the case with an engine and a program.

        Raises:
            Unanswered: The case looks at a value on its way.
            Exception: There is nothing to tell of such a case.
        """
        recorder, returned = rehearse(put)
        labels = returned if isinstance(returned, dict) else {}
        told = self._derive("\n".join(transcribe(recorder.history, labels)))
        return {str(label): str(text) for label, text in told.items()}


def derivation_of(expected: object, answer: Answer, told: Mapping[str, str]) -> str:
    """Return how the right answer comes about where another was given; of several, the one that takes fewest steps.

    Args:
        expected: What the check returns with the reference.
        answer: What it returned with the student's code.
        told: What there is to tell of each label.
    """
    if answer.manner is not Manner.ANSWERED or not (isinstance(expected, dict) and isinstance(answer.value, dict)):
        return ""
    texts = [
        told[label]
        for label, value in expected.items()
        if label in told and label in answer.value and agree(value, answer.value[label])
    ]
    return min(texts, key=lambda text: text.count("\n"), default="")
