#: expect = {}
import os
import time

data = b"x" * (40 << 20)


def double(value):
    """Five processes that read the same 40 MiB: together they take no more than that."""
    children = []
    for _ in range(5):
        children.append(os.fork())
        if children[-1] == 0:
            total = sum(data[::4096])
            time.sleep(0.3)
            os._exit(0)
    for child in children:
        os.waitpid(child, 0)
    return value + value
