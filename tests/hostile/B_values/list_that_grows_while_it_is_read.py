#: expect = "error"
#: says = "the answer cannot be read: a value of more than 50000 items"
import threading
import time

answer = [14.0]


def grow():
    while True:
        answer.extend([14.0] * 1000)
        time.sleep(0.001)


def add(self, other):
    answer.extend([14.0] * 60_000)
    threading.Thread(target=grow, daemon=True).start()
    return Value(answer)


Value.__add__ = add
