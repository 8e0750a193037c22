#: expect = {}
import ctypes
import os
import signal
import threading
import time

add = Value.__add__


def alone(self, other):
    """Adds wrongly if anything of this user runs besides the driver, the loaded process and this one."""
    for _ in range(100):
        others = {int(name) for name in os.listdir("/proc") if name.isdigit() and is_mine(name)}
        others -= {1, os.getppid(), os.getpid()}
        if not others:
            return add(self, other)
        time.sleep(0.001)
    raise RuntimeError(f"still there: {others}")


def is_mine(pid):
    try:
        with open(f"/proc/{pid}/status") as status:
            return f"Uid:\t{os.getuid()}\t" in status.read()
    except OSError:
        return False


def leave_behind(live):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            live()
        os._exit(0)


def headless():
    """The first thread ends and another goes on: the process looks like one that has ended."""
    threading.Thread(target=time.sleep, args=[3600]).start()
    ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)


def double(value):
    result = add(value, value)
    leave_behind(headless)
    leave_behind(lambda: time.sleep(3600))
    leave_behind(lambda: os.kill(os.getpid(), signal.SIGSTOP))
    leave_behind(lambda: [signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()), time.sleep(3600)])
    time.sleep(0.1)
    return result


Value.__add__ = alone
