#: expect = {}
#: seconds = 5
import threading


def loop():
    while True:
        pass


def double(value):
    threading.Thread(target=loop).start()
    return value + value
