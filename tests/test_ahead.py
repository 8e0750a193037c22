"""A session that was started ahead is the first that is asked for, and is like any other."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from grader.limits import Limits
from grader.sandbox.ahead import StartedAhead
from grader.sandbox.bubblewrap import BubblewrapSandbox
from grader.sandbox.unsafe import UnsafeSandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.sandbox import Sandbox


@pytest.fixture(params=[UnsafeSandbox, BubblewrapSandbox])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """One of the sandboxes that need no engine."""
    with request.param() as sandbox:
        yield sandbox


def test_first(sandbox: Sandbox) -> None:
    """It is handed out once; who asks for more gets others, each of which answers."""
    ahead = StartedAhead(sandbox, Limits())
    sessions = [ahead.open(Limits()) for _ in range(3)]

    assert (sandbox.kind, sandbox.image) == (ahead.kind, ahead.image)
    assert 3 == len(set(map(id, sessions)))
    assert all(b"ready" in session.receive(time.monotonic() + 20) for session in sessions)


def test_closing(sandbox: Sandbox) -> None:
    """It ends with the sandbox that it was started in, whether or not somebody asked for it."""
    session = StartedAhead(sandbox, Limits()).open(Limits())
    StartedAhead(sandbox, Limits()).close()
    assert b"ready" in session.receive(time.monotonic() + 20)
    sandbox.close()

    assert not getattr(session, "is_open", True)
