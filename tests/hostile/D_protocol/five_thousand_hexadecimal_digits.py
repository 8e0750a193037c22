#: expect = { check_function = "error" }
#: says = { check_function = "the answer cannot be read: an integer of too many digits" }
import sys


def double(value):
    known, frame = {}, sys._getframe()
    while frame:
        known, frame = {**frame.f_locals, **known}, frame.f_back
    nonce = known["request"]["id"].encode()
    body = b'{"id": "%s", "values": [[{"i": "0x%s"}]]}' % (nonce, b"f" * 5_000)
    known["channel"].sendall(len(body).to_bytes(4, "big") + b"S" + body)
    while True:
        pass
