"""The far side of a batch that is graded on other machines: what a Dask worker does.

A task of Dask's is one submission. What crosses is text, JSON of our own making, in both directions, so that nothing
that has to do with a student is ever unpickled. The worker grades in processes of its own, one for each of its threads:
whatever happens to one of these, the worker lives on and answers.

It has the course on a disk of its own. Before its first submission it looks what its reports would be made from, in
such a process; where that is not what the client's would be, it refuses the whole batch and says why, and the client
sends what it was given elsewhere.
"""

from __future__ import annotations

import asyncio
import atexit
import dataclasses
import json
import multiprocessing
import os
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from distributed import get_worker

from grader.batch.local import LocalExecutor
from grader.course import find_course
from grader.errors import GraderError
from grader.record import to_record, write_json
from grader.sandbox.kinds import SandboxChoice
from grader.submission import Submission
from grader.verdict import Provenance, Ungraded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.exercise import Exercise
    from grader.sandbox import Sandbox
    from grader.verdict import Report


@dataclasses.dataclass(frozen=True, slots=True)
class Terms:
    """What a worker is told of a batch, and has to agree to; lasts as long as the batch.

    Attributes:
        batch: What tells the batch from every other one.
        course: The course's folder, where the worker's `GRADER_COURSE` does not name another one.
        sandbox: Where students' code runs.
        secret: What hidden inputs are drawn from.
        conditions: What reports are made from at the client's, by the exercise's id; see `local.conditions`.
    """

    batch: str
    course: Path
    sandbox: SandboxChoice
    secret: bytes
    conditions: dict[str, Provenance]

    def to_text(self) -> str:
        """Return them as JSON."""
        return json.dumps(
            {
                "batch": self.batch,
                "course": str(self.course),
                "sandbox": [self.sandbox.kind, self.sandbox.runtime, self.sandbox.ahead],
                "secret": self.secret.hex(),
                "conditions": {name: dataclasses.asdict(each) for name, each in self.conditions.items()},
            }
        )

    @classmethod
    def from_text(cls, text: str) -> Terms:
        """Return what `to_text` wrote."""
        record = json.loads(text)
        return cls(
            record["batch"],
            Path(record["course"]),
            SandboxChoice(*record["sandbox"]),
            bytes.fromhex(record["secret"]),
            {name: _provenance(each) for name, each in record["conditions"].items()},
        )


def _provenance(record: dict[str, Any]) -> Provenance:
    versions = tuple((name, version) for name, version in record["versions"])
    return Provenance(**record | {"versions": versions})


# --------------------------------------------------------------------------------------------------------------------
# What the client asks for


def grade_here(terms: str, submission: str) -> str:
    """Grade one submission on this worker.

    Args:
        terms: Those of its batch.
        submission: The submission.

    Returns:
        A JSON object with the `worker`'s address, and either an `outcome` or why the worker `refused`.
    """
    reply: dict[str, object] = {"worker": get_worker().contact_address}
    with _at_bench(Terms.from_text(terms)) as bench:
        outcome = None if bench.refusal else bench.grade(Submission.from_text(submission))
    if outcome is None or (bench.refusal and isinstance(outcome, Ungraded)):
        reply["refused"] = bench.refusal
    else:
        reply["outcome"] = to_record(outcome)
    return write_json(reply)


async def leave(terms: str) -> None:
    """Stop whatever of a batch is under way on this worker, and take nothing more of it."""
    await asyncio.to_thread(_leave, Terms.from_text(terms))


# --------------------------------------------------------------------------------------------------------------------
# What a worker keeps


class _Bench:
    """A worker's place to grade a batch: its processes, or why there are none.

    It lasts until the client is done with the batch, or, where that was lost, until another batch begins or ends.

    Args:
        terms: What the client asks for.

    Attributes:
        refusal: Why this worker grades nothing of the batch; empty if it does.
        users: How many threads are at it.
    """

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._exercises: list[Exercise] = []
        self._executors: list[LocalExecutor] = []
        self._idle: list[LocalExecutor] = []
        self._sandbox: Sandbox | None = None
        self.users = 0
        self.refusal = ""

    def prepare(self) -> None:
        """Find all that is needed, and compare it with what the client has; refuse the batch if that fails."""
        self.refusal = _fault_in(self._find)

    def _find(self) -> None:
        if multiprocessing.current_process().daemon:
            advice = "start it with DASK_DISTRIBUTED__WORKER__DAEMON=False in its environment, or with --no-nanny"
            raise GraderError(f"Dask lets it start no processes of its own; {advice}")
        course = find_course(
            None, {"GRADER_COURSE": os.environ.get("GRADER_COURSE") or str(self._terms.course)}, Path()
        )
        self._exercises = [course.exercise(name) for name in self._terms.conditions]
        self._sandbox = self._terms.sandbox.open()  # what a process leaves behind goes when it is closed
        executor = self._executor()
        found = executor.conditions()  # in a process that has read everything just now
        self._idle.append(executor)
        for name, wanted in self._terms.conditions.items():
            if difference := _difference(name, wanted, found[name]):
                raise GraderError(difference)

    def grade(self, submission: Submission) -> Report | Ungraded:
        """Grade one submission in a process of its own; may make the bench one that refuses."""
        try:
            executor = self._idle.pop()
        except IndexError:  # all are busy
            executor = self._executor()
        executor.submit(submission)
        while not (finished := executor.finished()):
            pass  # it waits
        self._idle.append(executor)
        (outcome,) = finished
        if isinstance(outcome, Ungraded):  # it may be this machine's fault, and other machines could grade it
            self.refusal = self.refusal or self._fault(executor)
        return outcome

    def _executor(self) -> LocalExecutor:
        executor = LocalExecutor(self._exercises, self._terms.sandbox, self._terms.secret, jobs=1)
        self._executors.append(executor)
        return executor

    def _fault(self, executor: LocalExecutor) -> str:
        """What is wrong with this machine by now; empty if nothing is."""
        if executor.is_broken:
            return "it can start no more processes"
        return _fault_in(lambda: self._terms.sandbox.open().close())

    def close(self) -> None:
        """Stop every process; a task of the batch that is still on its way is refused."""
        self.refusal = "the batch is over"
        while self._executors:
            self._executors.pop().close()
        if self._sandbox:
            self._sandbox.close()


def _fault_in(act: Callable[[], None]) -> str:
    """What goes wrong in doing something; empty if nothing does."""
    try:
        act()
    except GraderError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001  # a bug of ours may cost one worker, not the batch
        return f"a fault in the grader: {type(error).__name__}: {error}"
    return ""


_lock = Lock()
_benches: dict[str, _Bench] = {}
"""By the batch."""


@contextmanager
def _at_bench(terms: Terms) -> Iterator[_Bench]:
    """The bench of a batch, made for its first submission."""
    with _lock:
        if terms.batch not in _benches:
            _close_unused()
            _benches[terms.batch] = _Bench(terms)
            _benches[terms.batch].prepare()
        bench = _benches[terms.batch]
        bench.users += 1
    try:
        yield bench
    finally:
        with _lock:
            bench.users -= 1


def _close_unused() -> None:
    """Close benches that nobody is at: their client may be no more. If it is, its next submission makes another one."""
    for batch in [batch for batch, bench in _benches.items() if not bench.users]:
        _benches.pop(batch).close()


def _leave(terms: Terms) -> None:
    with _lock:
        bench = _benches.pop(terms.batch, None) or _Bench(terms)
        _close_unused()
        bench.close()
        _benches[terms.batch] = bench  # which refuses a task that is still on its way


@atexit.register
def _close_all() -> None:
    for bench in list(_benches.values()):
        bench.close()


def _difference(exercise: str, wanted: Provenance, found: Provenance) -> str:
    """What would make reports on an exercise differ from the client's, and what to do; empty if nothing would."""
    if found.versions != wanted.versions:
        return f"it has {_listed(found.versions)}, and the client {_listed(wanted.versions)}; install the same"
    if found.image != wanted.image:
        return f"its sandbox runs {found.image}, and the client's {wanted.image}; give it the same"
    if found.exercise != wanted.exercise:
        return f"its copy of the exercise {exercise} is not the client's; copy the course there again"
    if found.reference != wanted.reference:
        return f"its copy of the reference of {exercise} is not the client's; copy the course there again"
    return ""


def _listed(versions: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions)
