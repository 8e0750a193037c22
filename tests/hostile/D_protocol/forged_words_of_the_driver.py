#: expect = { check_function = "error" }
#: says = { check_function = "interfered with the grader's own messages" }
import json
import sys


def double(value):
    known, frame = {}, sys._getframe()
    while frame:
        known, frame = {**frame.f_locals, **known}, frame.f_back
    verdict = {"id": known["request"]["id"], "status": "ok", "verdict": "passed", "exit": 0}
    body = json.dumps(verdict).encode()
    known["channel"].sendall(len(body).to_bytes(4, "big") + b"D" + body)
    while True:
        pass
