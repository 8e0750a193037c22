#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output", check_status = "failed" }
#: says = { check_status = "expected 3, got 0" }
import json
import os
import struct

for message in ({"ready": 3}, {"id": "0", "status": "ended", "exit": 3, "stdout": "sum=3.75\n", "report": "{}"}):
    body = json.dumps(message).encode()
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, body)
        except OSError:
            pass
    os.write(1, struct.pack("!I1s", len(body), b"D") + body)
os._exit(0)
