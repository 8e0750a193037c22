#: expect = {}
import os
import pathlib


def third():
    """Hang in the process of the third check, once."""
    forks = pathlib.Path("forks")
    forks.write_text((forks.read_text() if forks.exists() else "") + "x")
    while forks.read_text() == "xxx":
        pass


os.register_at_fork(after_in_child=third)
