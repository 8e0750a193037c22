"""What is concluded: the frozen data that everything above the sandbox speaks."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    """What is concluded of one check. Only `PASSED` earns XP."""

    PASSED = "passed"
    FAILED = "failed"
    """The code ran and its answer is wrong."""
    OUTPUT = "output"
    """The program ran and what it printed has the wrong form (only where printed text is what is checked)."""
    ERROR = "error"
    """The code raised an exception, died, or answered with something that is no answer."""
    TIMEOUT = "timeout"
    MEMORY = "memory"
    NOT_RUN = "not_run"
    """The file did not load, or the sandbox was lost too often. Never green."""


@dataclass(frozen=True, slots=True)
class Result:
    """One check's conclusion for one submission; lasts as long as its report.

    Attributes:
        check: The check's name, unique in its exercise.
        question: What was asked, the sentence the student reads.
        hidden: Whether the student may see only the question and the hint.
        verdict: What is concluded.
        worth: The XP a pass earns.
        hint: The author's hint, written to be read by the student; may be empty.
        what: What happened, in full. Of a hidden check it is the instructor's alone: show `feedback` to students.
        code: What the check did, as the student would have typed it; may be empty. As private as `what`.
        derivation: How the right answer comes about, step by step; may be empty, and of a hidden check is.
        retried: Whether it was run once more because its time was up, and the machine might have been busy.
        seconds: Wall time on the student's side.
    """

    check: str
    question: str
    hidden: bool
    verdict: Verdict
    worth: int
    hint: str = ""
    what: str = ""
    code: str = ""
    derivation: str = ""
    retried: bool = field(default=False, compare=False)
    seconds: float = field(default=0.0, compare=False)

    @property
    def passed(self) -> bool:
        """Whether the check passed."""
        return self.verdict is Verdict.PASSED

    @property
    def xp(self) -> int:
        """The XP earned: all of the check's, or none."""
        return self.worth if self.passed else 0

    @property
    def feedback(self) -> str:
        """What the student may read of what happened: all of it for a public check, the verdict for a hidden one."""
        if self.passed:
            return ""
        return _COARSE[self.verdict] if self.hidden else self.what


_COARSE = {
    Verdict.FAILED: "The answer is wrong.",
    Verdict.OUTPUT: "What was printed does not have the form that was asked for.",
    Verdict.ERROR: "The code stopped with an error.",
    Verdict.TIMEOUT: "The code took too long and was stopped.",
    Verdict.MEMORY: "The code used more memory than is allowed and was stopped.",
    Verdict.NOT_RUN: "This check could not be run.",
}


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a report was made from: the same provenance gives the same student the same report, but for times.

    Attributes:
        submission: SHA-256 of the submission's files.
        exercise: SHA-256 of the exercise's files.
        sandbox: Kind of the sandbox: `docker` or `unsafe`.
        image: What the sandbox ran: an image ID, or the interpreter's version.
        secret: Fingerprint of the course secret, from which hidden inputs are drawn; empty for public checks alone.
        versions: Name and version of what took part.
        reference: SHA-256 of the reference's files.
    """

    submission: str
    exercise: str
    sandbox: str
    image: str
    secret: str
    versions: tuple[tuple[str, str], ...]
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """One submission, graded once.

    Attributes:
        student: The student's id.
        exercise: The exercise's id.
        title: The exercise's title.
        file: Name of the file that was graded.
        total_xp: The exercise's XP, whatever was run.
        results: One for each check that was asked for, in exercise order.
        provenance: What the report was made from.
        notes: Remarks for the student and the instructor, one sentence each.
        seconds: Wall time of the grading.
        diagnosis: What the code seems to do, in a sentence for the student that follows from public checks alone;
            empty where they do not tell.
        private_diagnosis: The same from all checks, where that is another sentence. Never for students to read.
    """

    student: str
    exercise: str
    title: str
    file: str
    total_xp: int
    results: tuple[Result, ...]
    provenance: Provenance
    notes: tuple[str, ...] = field(default=(), compare=False)
    seconds: float = field(default=0.0, compare=False)
    diagnosis: str = ""
    private_diagnosis: str = ""

    @property
    def xp(self) -> int:
        """The XP earned."""
        return sum(result.xp for result in self.results)

    @property
    def passed(self) -> bool:
        """Whether every check that was asked for passed; an empty report has not passed."""
        return bool(self.results) and all(result.passed for result in self.results)

    @property
    def problem(self) -> str:
        """Why nothing of the file could be run; empty where something could, or nothing was asked for."""
        ran = any(result.verdict is not Verdict.NOT_RUN for result in self.results)
        return self.results[0].what if self.results and not ran else ""

    @property
    def is_repeatable(self) -> bool:
        """Whether grading once more would give the same; how busy the machine was took part in a limit of time."""
        return not any(result.retried or result.verdict is Verdict.TIMEOUT for result in self.results)


@dataclass(frozen=True, slots=True)
class Ungraded:
    """One submission that could not be graded, through no fault of its student: neither a zero nor a pass."""

    student: str
    exercise: str
    reason: str


@dataclass(frozen=True, slots=True)
class Absent:
    """A student of the class who handed in nothing that fits an exercise: neither a zero nor ungraded."""

    student: str
    exercise: str


Outcome = Report | Ungraded | Absent
"""What a class list shows for one student and one exercise."""
