#: expect = { check_function = "error" }
#: says = { check_function = "the answer cannot be read" }
import sys


def double(value):
    known, frame = {}, sys._getframe()
    while frame:
        known, frame = {**frame.f_locals, **known}, frame.f_back
    nonce = known["request"]["id"].encode()
    body = b'{"id": "%s", "values": [[{"r": "x", "o": []}]]}' % nonce
    known["channel"].sendall(len(body).to_bytes(4, "big") + b"S" + body)
    while True:
        pass
