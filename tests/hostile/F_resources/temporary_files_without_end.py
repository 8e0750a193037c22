#: expect = { check_function = "memory" }
#: docker = { expect = { check_function = "error" }, says = { check_function = "at most 4 MiB of files, and 50 of them" } }
#: not_promised_by = ["user"]
# bubblewrap cannot bound how many files there are: the memory that they take is what ends them.
import os


def fill():
    for number in range(1_000_000):
        os.symlink("x" * 100, f"{os.getpid()}.{number}")


def double(value):
    for _ in range(3):
        if os.fork() == 0:
            try:
                fill()
            finally:
                os._exit(0)
    fill()
