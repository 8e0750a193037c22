#: expect = { check_function = "error" }
#: says = { check_function = "FileNotFoundError" }
#: user = { says = { check_function = "Error" } }
import os


def double(value):
    os.execv("/bin/cat", ["cat"])
