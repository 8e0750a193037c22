#: expect = {}
#: not_promised_by = ["user"]
import os


def double(value):
    try:
        for _ in range(2_000):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
            os.chmod("..", 0)
    except OSError:
        pass
    return value + value
