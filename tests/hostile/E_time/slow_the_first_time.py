#: expect = {}
import os


def double(value):
    if not os.path.exists("tried"):
        open("tried", "w").close()
        while True:
            pass
    return value + value
