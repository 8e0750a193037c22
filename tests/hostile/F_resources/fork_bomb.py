#: expect = { check_function = "timeout" }
import os


def double(value):
    while True:
        try:
            os.fork()
        except OSError:
            pass
