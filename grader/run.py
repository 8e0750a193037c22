"""One run over what arrived: what need not be graded again comes from the gradebook, the rest is graded into it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from grader.batch import grade_all
from grader.gradebook import FILE_NAME, Gradebook, Policy
from grader.grading import provenance, reuse_key
from grader.seeding import course_secret
from grader.verdict import Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from grader.batch import Executor
    from grader.exercise import Exercise
    from grader.inbox import Inbox
    from grader.sandbox import Sandbox
    from grader.submission import Submission
    from grader.verdict import Absent, Outcome

    Who = tuple[str, str]
    """Ids of a student and of an exercise."""


class Run:
    """A run; lasts as long as the command that grades. It is left by closing the gradebook.

    Args:
        inbox: What arrived.
        exercises: What it is for.
        folder: Where the gradebook and the course's secret are; made if need be.
        environment: The environment; `GRADER_SECRET` may hold the secret.
        on_new_secret: Is told the secret's file if there was none.

    Attributes:
        gradebook: The class's gradebook.
        secret: What hidden inputs are drawn from.
        failed: What this run could not grade, whatever was graded before.
        reused: How many submissions need not be graded again.
        asked: Whose work for which exercise this run is about.

    Raises:
        GraderError: The gradebook or the secret cannot be read or written.
    """

    def __init__(
        self,
        inbox: Inbox,
        exercises: Sequence[Exercise],
        folder: Path,
        environment: Mapping[str, str],
        on_new_secret: Callable[[Path], None] = lambda _: None,
    ) -> None:
        self._inbox = inbox
        self._exercises = {exercise.id: exercise for exercise in exercises}
        self.secret = course_secret(folder, environment, on_made=on_new_secret)
        self._handed_in = {(each.student, each.exercise): each for each in inbox.submissions}
        self._keys: dict[Who, str] = {}
        self.gradebook = Gradebook(folder / FILE_NAME)
        self.failed: dict[Who, Ungraded] = {}
        self.reused = 0
        self.gradebook.keep_people(inbox.people)
        submitted = {(student, each.exercise) for each in inbox.submissions for student in each.students}
        others: list[Absent | Ungraded] = [*inbox.absent, *inbox.ungraded]
        self.asked = submitted | {(each.student, each.exercise) for each in others}
        self.gradebook.keep_arrivals(submitted)
        for unreadable in inbox.ungraded:
            self._keep(unreadable)

    def pending(self, sandbox: Sandbox, *, force: bool) -> list[Submission]:
        """Return what has to be graded, and take from the gradebook what has not.

        Args:
            sandbox: Where it would be graded.
            force: Whether nothing is to be taken from the gradebook.

        Raises:
            GraderError: The gradebook cannot be read or written.
        """
        pending = []
        for who, submission in self._handed_in.items():
            exercise = self._exercises[submission.exercise]
            made_from = provenance(submission, exercise, sandbox, self.secret)
            self._keys[who] = reuse_key(*who, made_from)
            report = None if force else self.gradebook.reuse(*who, self._keys[who])
            if report is None:
                pending.append(submission)
                continue
            self.reused += 1
            for partner in submission.partners:
                if self.gradebook.reuse(partner, submission.exercise, self._keys[who]) is None:
                    self.gradebook.keep(dataclasses.replace(report, student=partner), self._keys[who])
        return pending

    def grade(
        self,
        pending: Iterable[Submission],
        executor: Executor,
        on_outcome: Callable[[Report | Ungraded], None],
        on_start: Callable[[Submission], None] = lambda _: None,
    ) -> None:
        """Grade what is pending; each outcome is in the gradebook before it is told.

        Args:
            pending: Some of the submissions of the inbox.
            executor: Where they are graded, with the secret of this run.
            on_outcome: Is told each outcome as it comes.
            on_start: Is told each submission that is being graded.

        Raises:
            GraderError: The gradebook cannot be written.
            KeyboardInterrupt: Grading was interrupted; what is in the gradebook stays.
        """

        def keep(outcome: Report | Ungraded) -> None:
            self._keep(outcome)
            on_outcome(outcome)

        grade_all(pending, executor, keep, on_start)

    def _keep(self, outcome: Report | Ungraded) -> None:
        """Put an outcome into the gradebook, for everybody whose it is."""
        who = (outcome.student, outcome.exercise)
        for student in self._handed_in[who].students if who in self._handed_in else (outcome.student,):
            own = dataclasses.replace(outcome, student=student)
            self.gradebook.keep(own, self._keys.get(who, ""))
            if isinstance(own, Ungraded):
                self.failed[student, outcome.exercise] = own

    def outcomes(self, exercises: Sequence[str], policy: Policy) -> list[Outcome]:
        """Return what the class stands at in some exercises, with what is to be said of this run's submissions.

        Args:
            exercises: Ids of the exercises.
            policy: Which of a student's submissions counts.

        Raises:
            GraderError: The gradebook cannot be read.
        """
        notes: dict[Who, tuple[str, tuple[str, ...]]] = {}
        for submission, origin in zip(self._inbox.submissions, self._inbox.origins, strict=True):
            for student in submission.students:
                notes[student, submission.exercise] = submission.digest, origin.notes
        outcomes = []
        for outcome in self.gradebook.outcomes(exercises, policy):
            digest, more = notes.get((outcome.student, outcome.exercise), ("", ()))
            if isinstance(outcome, Report) and outcome.provenance.submission == digest:
                outcome = dataclasses.replace(outcome, notes=(*more, *outcome.notes))  # noqa: PLW2901  # the same, told in full
            outcomes.append(outcome)
        return outcomes

    def __enter__(self) -> Self:
        """Return the run."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the gradebook."""
        self.gradebook.close()
