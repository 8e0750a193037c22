"""Whose something is that was left behind, also where the system tells less of its processes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from grader.sandbox import owner

NAMESPACE = ("unshare", "--mount", *(("--map-root-user",) if os.geteuid() else ()))
ASK = """
from grader.sandbox import owner
name = owner.this_process()
machine, pid, _ = name.rsplit("-", 2)
print(name.endswith("-running"), owner.lives(name), owner.lives(f"{machine}-4194304-running"))
"""


def test_a_process_has_one_name() -> None:
    """A process lives under its name, which needs no quoting."""
    name = owner.this_process()

    assert name == owner.this_process()
    assert owner.lives(name)
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")


def test_who_has_ended_lives_no_more() -> None:
    """A process that has ended is no owner, whether it is buried or not."""
    machine = owner.this_process().rsplit("-", 2)[0]
    with subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE) as ended:
        name = f"{machine}-{ended.pid}-{owner._start_time(ended.pid)}"  # noqa: SLF001  # what it would call itself
        assert owner.lives(name)
        ended.kill()
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        assert not owner.lives(name)
    assert not owner.lives(name)


@pytest.mark.parametrize("name", ["", "nobody", "a-b", "a-b-c"])
def test_who_is_not_known_is_left_alone(name: str) -> None:
    """What is no name of a process of this machine may live elsewhere."""
    assert owner.lives(name)


def test_where_there_is_no_proc() -> None:
    """A system without /proc only says whether a process runs."""
    told = subprocess.run(  # noqa: S603  # ours
        [*NAMESPACE, "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh", sys.executable, "-c", ASK],
        capture_output=True,
        text=True,
        check=True,
    )

    assert "True True False" == told.stdout.strip()
