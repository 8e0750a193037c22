"""Runs a module as it would run on Windows, as far as another system can be like it: what is not there is taken away.

    python tests/like_windows.py MODULE ARGUMENT...

What belongs to others stays as it is, so it is imported before: the standard library and what decides by the system
while it is imported.
"""

from __future__ import annotations

import os
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from types import ModuleType
from typing import Any

HOST = ("_pytest.config", "click", "click._compat", "hypothesis", "rich.console")
"""What the grader itself imports of others; a student's process imports none of it."""

MODULES = "_posixsubprocess crypt fcntl grp posix pty pwd readline resource spwd syslog termios tty"

ABSENT: dict[Any, str] = {
    os: """
        O_ACCMODE O_ASYNC O_CLOEXEC O_DIRECT O_DIRECTORY O_DSYNC O_NDELAY O_NOATIME O_NOCTTY O_NOFOLLOW O_NONBLOCK
        O_PATH O_SYNC O_TMPFILE P_ALL P_PGID P_PID P_PIDFD WCONTINUED WCOREDUMP WEXITED WEXITSTATUS WIFCONTINUED
        WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG WNOWAIT WSTOPPED WSTOPSIG WTERMSIG WUNTRACED
        chown chroot confstr ctermid environb eventfd fchdir fchmod fchown fork forkpty fpathconf fstatvfs fwalk
        get_blocking getegid getenvb geteuid getgid getgrouplist getgroups getloadavg getpgid getpgrp getpriority
        getrandom getresgid getresuid getsid getuid initgroups killpg lchown lockf major makedev memfd_create minor
        mkfifo mknod nice openpty pathconf pidfd_open pipe2 posix_spawn posix_spawnp pread pwrite readv
        register_at_fork sched_getaffinity sched_setaffinity sched_yield sendfile set_blocking setegid seteuid setgid
        setgroups setpgid setpgrp setpriority setregid setresgid setresuid setreuid setsid setuid statvfs sync sysconf
        tcgetpgrp tcsetpgrp ttyname uname wait wait3 wait4 waitid writev
    """,
    select: "PIPE_BUF POLLERR POLLHUP POLLIN POLLNVAL POLLOUT POLLPRI epoll poll",
    signal: """
        ITIMER_PROF ITIMER_REAL ITIMER_VIRTUAL SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGIO SIGKILL SIGPIPE SIGPROF
        SIGQUIT SIGSTOP SIGSYS SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU
        SIGXFSZ alarm getitimer pause pthread_kill pthread_sigmask setitimer siginterrupt sigpending sigwait
    """,
    socket: "AF_UNIX CMSG_LEN CMSG_SPACE MSG_DONTWAIT SCM_RIGHTS recv_fds send_fds",
    time: "CLOCK_MONOTONIC CLOCK_REALTIME clock_getres clock_gettime clock_gettime_ns clock_settime tzset",
}
"""What these modules do not have on Windows, as far as their documentation tells."""


def _copy(module: ModuleType) -> ModuleType:
    copied = ModuleType(module.__name__)
    copied.__dict__.update(module.__dict__)
    return copied


def main() -> None:
    """Take it away, and run the module."""
    _, run, *_ = sys.argv
    if run == "grader":
        for name in HOST:
            __import__(name)
    for name in MODULES.split():
        sys.modules[name] = None  # type: ignore[assignment]  # the documented way to make an import fail
    for module in (os, signal):  # what starts processes here is not what starts them there
        setattr(subprocess, module.__name__, _copy(module))
    del os.kill  # it is there, and does something else
    shutil._use_fd_functions = False  # type: ignore[attr-defined]  # noqa: SLF001  # found out when it was imported
    tempfile._O_TMPFILE_WORKS = False  # type: ignore[attr-defined]  # noqa: SLF001  # the same
    for place, names in ABSENT.items():
        for name in names.split():
            if hasattr(place, name):
                delattr(place, name)
    del sys.argv[0]
    sys.platform = "win32"
    if run == "grader":
        from grader.sandbox import spawn  # noqa: PLC0415  # not before everything is as it is there

        spawn.SOLO = ("-s", "-P", "-B", __file__, "grader.sandbox.solo")
    runpy.run_module(run, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
