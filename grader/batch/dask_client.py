"""Submissions graded on other machines, by the workers of a Dask scheduler; this module needs the extra `dask`.

Dask says which worker gets what, and gives what a worker had that died to another one. Here is decided what a batch
needs besides: which workers may take part, how many submissions are in hand, and that each has one outcome whatever
happens.
"""

from __future__ import annotations

import json
import logging
import time
import uuid
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import suppress
from typing import TYPE_CHECKING

from distributed import Client, KilledWorker, Security

from grader.batch import Executor
from grader.batch.dask_worker import Terms, grade_here, leave
from grader.batch.local import conditions, ungraded
from grader.errors import GraderError
from grader.record import outcome_from_record
from grader.reports.text import one_line
from grader.verdict import Report, Ungraded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from grader.exercise import Exercise
    from grader.sandbox import Sandbox
    from grader.sandbox.kinds import SandboxChoice
    from grader.submission import Submission

_ANSWER_SECONDS = 10.0
"""What the scheduler may take to answer."""
_PATIENCE_SECONDS = 600.0
"""How long a batch waits for a worker when there is none: a queue of jobs or a pool of machines takes its time."""
_WATCH_SECONDS = 1.0
"""How often it is looked which workers there are."""


class DaskExecutor(Executor):
    """Grades on the workers of a Dask scheduler; lasts as long as the batch.

    Each worker needs the course and a sandbox of the same kind and image as here, and looks itself whether it has them.
    The certificates for `tls://` are those that Dask's own configuration names.

    Args:
        exercises: What the submissions are for, all of one course.
        choice: Where students' code runs, as it is told to workers.
        sandbox: The same sandbox, opened here.
        secret: What hidden inputs are drawn from.
        scheduler: The scheduler's address, such as `tls://head:8786`.
        jobs: Submissions at once on all workers together; 0 for one on each of their threads.
        on_remark: Is told, in a line each, what keeps workers from grading.

    Raises:
        GraderError: The scheduler does not answer, or certificates are lacking.
    """

    def __init__(
        self,
        exercises: Sequence[Exercise],
        choice: SandboxChoice,
        sandbox: Sandbox,
        secret: bytes,
        scheduler: str,
        jobs: int = 0,
        on_remark: Callable[[str], None] = lambda _: None,
    ) -> None:
        for name in ("distributed", "distributed.client"):  # what they say is told here, in the batch's own words
            logging.getLogger(name).setLevel(logging.CRITICAL)
        terms = Terms(
            uuid.uuid4().hex, exercises[0].course_root, choice, secret, conditions(exercises, sandbox, secret)
        )
        self._terms = terms.to_text()
        self._scheduler = scheduler
        self._jobs = jobs
        self._on_remark = on_remark
        self._client = _connect(scheduler)
        self._pool = self._client.get_executor(pure=False)
        self._under_way: dict[Future[str | Ungraded], Submission] = {}
        self._threads: dict[str, int] = {}
        self._refused: dict[str, str] = {}
        self._looked = self._seen = time.monotonic()
        self._look(now=True)
        if not self._threads:
            on_remark(f"The scheduler {scheduler} has no worker yet; waiting for one.")

    @property
    def slots(self) -> int:
        """How many submissions the workers grade at once, by what is known of them."""
        return self._jobs or max(1, sum(self._threads[worker] for worker in self._fit()))

    def submit(self, submission: Submission) -> None:
        """Take a submission to be graded."""
        future: Future[str | Ungraded] = Future()
        if reason := self._hopeless():
            future.set_result(ungraded(submission, reason))
        else:
            fit = self._fit()
            # None of these may be alive by then: rather than wait for ever, one that refuses is asked, and does again.
            some = {"workers": fit, "allow_other_workers": True} if len(fit) < len(self._threads) else {}
            future = self._pool.submit(grade_here, self._terms, submission.to_text(), **some)
        self._under_way[future] = submission

    def finished(self) -> list[Report | Ungraded]:
        """Return what came of submissions; see `Executor.finished`."""
        self._look()
        done, _ = wait(self._under_way, _WATCH_SECONDS, FIRST_COMPLETED)
        if not done and (reason := self._lost()):
            lost = list(self._under_way.values())
            self._under_way.clear()
            return [ungraded(submission, reason) for submission in lost]
        outcomes = [self._outcome(future, self._under_way.pop(future)) for future in done]
        return [outcome for outcome in outcomes if outcome]

    def close(self) -> None:
        """Have every worker stop what is under way, and let them go."""
        if self._client.status == "running":
            with suppress(OSError):
                self._pool.shutdown(wait=False)
                self._client.run(leave, self._terms, on_error="ignore")
        self._client.close(timeout=_ANSWER_SECONDS)

    def _outcome(self, future: Future[str | Ungraded], submission: Submission) -> Report | Ungraded | None:
        """What became of a submission; None if it was sent again."""
        try:
            result = future.result()
        except CancelledError:  # by the client's own loop, because the scheduler was gone
            self.submit(submission)
            return None
        except KilledWorker as error:
            return ungraded(
                submission, f"{error.allowed_failures + 1} workers died while they graded it; grade it again"
            )
        except Exception as error:  # noqa: BLE001  # a bug of ours may cost one grade, not the batch
            return ungraded(submission, f"a fault in the grader: {type(error).__name__}: {error}")
        if isinstance(result, Ungraded):
            return result
        try:
            reply = json.loads(result)
            worker, reason = reply["worker"], reply.get("refused", "")
            outcome = None if reason else outcome_from_record(reply["outcome"])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            return ungraded(submission, f"a worker answered with what is no report ({error}); give all the same grader")
        whose = (submission.student, submission.exercise)
        if isinstance(outcome, Report | Ungraded) and (outcome.student, outcome.exercise) == whose:
            return outcome
        reason = reason or "it reports on what it was not given"
        if worker not in self._refused:
            self._on_remark(one_line(f"{worker} does not take part: {reason}"))
        self._refused[worker] = reason
        self._look(now=True)
        self.submit(submission)
        return None

    def _fit(self) -> list[str]:
        """The workers that have not refused."""
        return [worker for worker in self._threads if worker not in self._refused]

    def _hopeless(self) -> str:
        """Why nothing more can be graded; empty while something can."""
        if self._threads and not self._fit():
            worker = next(iter(self._threads))
            return f"no worker can grade it; {worker}: {self._refused[worker]}"
        return self._lost()

    def _lost(self) -> str:
        """Why nothing more will be heard of what is under way; empty while something may."""
        if self._client.status not in {"running", "connecting"}:
            return f"the connection to the scheduler {self._scheduler} was lost; grade it again"
        if time.monotonic() - self._seen > _PATIENCE_SECONDS:
            return f"there was no worker for {_PATIENCE_SECONDS / 60:g} minutes; start some and grade it again"
        return ""

    def _look(self, *, now: bool = False) -> None:
        """Look which workers there are, unless that was just done."""
        if self._client.status == "running" and (now or time.monotonic() - self._looked > _WATCH_SECONDS):
            with suppress(OSError):  # who does not answer just now is asked again
                self._threads = self._client.nthreads(callback_timeout=_ANSWER_SECONDS)
            self._looked = time.monotonic()
        if self._threads:
            self._seen = time.monotonic()


def _connect(scheduler: str) -> Client:
    try:
        security = Security()
        encrypts = security.get_connection_args("client")["ssl_context"] is not None
        if scheduler.startswith("tls:") and not encrypts:
            advice = "make some and name them, as docs/scale.md tells"
            raise GraderError(f"{scheduler} needs certificates, and Dask's configuration names none; {advice}")
        return Client(scheduler, timeout=_ANSWER_SECONDS, security=security, set_as_default=False)
    except RuntimeError as error:
        raise GraderError(f"the scheduler {scheduler} may not be asked ({error}); name it with tls://") from error
    except OSError as error:
        advice = "start it, or mend --scheduler or the certificates that Dask's configuration names"
        raise GraderError(f"the scheduler {scheduler} does not answer ({error}); {advice}") from error
