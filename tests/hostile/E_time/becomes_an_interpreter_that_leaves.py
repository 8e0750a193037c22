#: expect = { check_function = "error" }
#: says = { check_function = "exit status 0" }
import os
import sys


def double(value):
    os.execv(sys.executable, ["python", "-c", ""])
