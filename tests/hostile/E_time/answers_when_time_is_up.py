#: expect = { check_function = "timeout" }
import json
import signal
import sys


def answer(number, frame):
    known = {}
    while frame:
        known, frame = {**frame.f_locals, **known}, frame.f_back
    body = json.dumps({"id": known["request"]["id"], "values": [[10]]}).encode()
    known["channel"].sendall(len(body).to_bytes(4, "big") + b"S" + body)


def double(value):
    signal.signal(signal.SIGUSR1, answer)
    while True:
        pass
