#: expect = { check_function = "error" }
#: seconds = 5
import os


def double(value):
    while True:
        os.fork()
