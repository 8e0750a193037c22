#: expect = { check_canary = "error" }
#: says = { check_canary = "The file loaded before, and now does not.\nValueError: it was 271828.1828" }
import os
import signal

if os.path.exists("seen"):
    raise ValueError(f"it was {open('seen').read()}")
multiply = Value.__mul__


def mul(self, other):
    if self.data > 1e5:
        with open("seen", "w") as file:
            file.write(str(self.data))
        os.kill(os.getppid(), signal.SIGKILL)
        while True:
            pass
    return multiply(self, other)


Value.__mul__ = mul
