#: expect = { check_function = "error" }
#: says = { check_function = "FileNotFoundError" }
import os


def double(value):
    os.execv("/bin/cat", ["cat"])
