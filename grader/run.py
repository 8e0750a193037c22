"""One run over what arrived: what need not be graded again comes from the gradebook, the rest is graded into it."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import TYPE_CHECKING

from grader.batch import grade_all
from grader.closing import Closing
from grader.gradebook import FILE_NAME, Gradebook, Policy
from grader.grading import provenance, reuse_key
from grader.outcomes import Reread
from grader.seeding import course_secret
from grader.verdict import Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from grader.batch import Executor
    from grader.exercise import Exercise
    from grader.inbox import Inbox
    from grader.sandbox import Sandbox
    from grader.submission import Submission
    from grader.verdict import Outcome

    Who = tuple[str, str]
    """Ids of a student and of an exercise."""


class Run(Closing):
    """A run; lasts as long as the command that grades.

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
        self._groups: dict[Who, tuple[str, ...]] = {}
        self.gradebook = Gradebook(folder / FILE_NAME)
        self.failed: dict[Who, Ungraded] = {}
        self.reused = 0
        self.gradebook.keep_people(inbox.people)
        self._students = {person.id for person in inbox.people}
        for each in inbox.submissions:
            if each.partners:
                self._groups[each.student, each.exercise] = each.students
        self.gradebook.keep_arrivals(
            (student, each.exercise) for each in inbox.submissions for student in each.students
        )
        for unreadable in inbox.ungraded:
            self._keep(unreadable)

    def is_about(self, outcome: Outcome) -> bool:
        """Whether this run is about the student and the exercise of an outcome, as it need not be about all."""
        return outcome.student in self._students and outcome.exercise in self._exercises

    def pending(self, sandbox: Sandbox, *, force: bool) -> Sequence[Submission]:
        """Return what has to be graded, and take from the gradebook what has not.

        Args:
            sandbox: Where it would be graded.
            force: Whether nothing is to be taken from the gradebook.

        Raises:
            GraderError: The gradebook cannot be read or written.
        """
        submissions = self._inbox.submissions
        return submissions.only(
            [place for place, each in enumerate(submissions) if force or not self._reuse(each, sandbox)]
        )

    def _reuse(self, submission: Submission, sandbox: Sandbox) -> bool:
        """Take a submission's report from the gradebook, for everybody whose it is; say whether it had one."""
        exercise = self._exercises[submission.exercise]
        made_from = provenance(submission, exercise, sandbox, self.secret)
        key = reuse_key(submission.student, exercise.id, made_from)
        report = self.gradebook.reuse(submission.student, exercise.id, key)
        if report is None:
            return False
        self.reused += 1
        for partner in submission.partners:
            if self.gradebook.reuse(partner, exercise.id, key) is None:
                self.gradebook.keep(dataclasses.replace(report, student=partner), key)
        return True

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
        key = reuse_key(*who, outcome.provenance) if isinstance(outcome, Report) else ""
        for student in self._groups.get(who, (outcome.student,)):
            own = dataclasses.replace(outcome, student=student)
            self.gradebook.keep(own, key)
            if isinstance(own, Ungraded):
                self.failed[student, outcome.exercise] = own

    @contextlib.contextmanager
    def outcomes(self, exercises: Sequence[str], policy: Policy) -> Iterator[Reread]:
        """Let what the class stands at in some exercises be read, with what is to be said of this run's submissions.

        Args:
            exercises: Ids of the exercises, in order.
            policy: Which of a student's submissions counts.

        Raises:
            GraderError: The gradebook cannot be read, also while the outcomes are gone through.
        """
        notes: dict[Who, tuple[str, tuple[str, ...]]] = {}
        for submission, origin in zip(self._inbox.submissions, self._inbox.origins, strict=True):
            for student in submission.students if origin.notes else ():
                notes[student, submission.exercise] = submission.digest, origin.notes

        def noted(outcome: Outcome) -> Outcome:
            digest, more = notes.get((outcome.student, outcome.exercise), ("", ()))
            if isinstance(outcome, Report) and outcome.provenance.submission == digest:
                return dataclasses.replace(outcome, notes=(*more, *outcome.notes))
            return outcome

        with self.gradebook.outcomes(exercises, policy) as outcomes:
            yield Reread(lambda: map(noted, outcomes))

    def close(self) -> None:
        """Close the gradebook."""
        self.gradebook.close()
