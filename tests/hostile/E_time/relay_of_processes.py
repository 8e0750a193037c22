#: expect = { check_function = "timeout" }
import os
import time


def relay():
    """No process of these comes near a limit of processor time, and together they have no end."""
    while True:
        started = time.process_time()
        while time.process_time() < started + 0.2:
            pass
        if os.fork():
            os._exit(0)


def double(value):
    end, other = os.pipe()
    if os.fork() == 0:
        relay()
    os.read(end, 1)
