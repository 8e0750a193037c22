#: expect = { check_function = "failed" }
#: says = { check_function = "expected 10.0, got 11.0" }
import json
import sys


def double(value):
    known, frame = {}, sys._getframe()
    while frame:
        known, frame = {**frame.f_locals, **known}, frame.f_back
    body = json.dumps({"id": known["request"]["id"], "values": [[{"f": "0x1.6p+3"}]]}).encode()
    known["channel"].sendall(len(body).to_bytes(4, "big") + b"S" + body)
    while True:
        pass
