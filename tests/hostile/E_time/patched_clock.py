#: expect = { check_function = "timeout" }
import signal
import time


def double(value):
    time.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0.0
    time.sleep = signal.setitimer = signal.alarm = signal.signal = lambda *_: None
    while time.monotonic() < 1.0:
        pass
    return value + value
