#: expect = { check_function = "error" }
#: says = { check_function = "interfered with the grader's own messages" }
import json
import sys


def double(value):
    known, frame = {}, sys._getframe()
    while frame:
        known, frame = {**frame.f_locals, **known}, frame.f_back
    body = json.dumps({"id": "0123456789abcdef", "values": [[10]]}).encode()
    known["channel"].sendall(len(body).to_bytes(4, "big") + b"S" + body)
    while True:
        pass
