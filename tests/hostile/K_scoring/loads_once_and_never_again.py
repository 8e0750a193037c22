#: expect = { check_gradient = "error", check_function = "error", check_last = "error", check_canary = "error" }
# Checks that did not run count as not passed.
import os
import signal

if os.path.exists("loaded"):
    raise ImportError("once is enough")
open("loaded", "w").close()


def backward(self, upstream=1.0):
    os.kill(os.getppid(), signal.SIGKILL)
    os._exit(1)


Value.backward = backward
