#: expect = { check_function = "timeout" }
#: says = { check_function = "Stopped after 1 s" }
import os
import stat
import time


def double(value):
    channels = [fd for fd in range(3, 64) if os.path.exists(f"/proc/self/fd/{fd}") and stat.S_ISSOCK(os.fstat(fd).st_mode)]
    for byte in (1 << 20).to_bytes(4, "big") + b"S" + b" " * (1 << 20):
        for channel in channels:
            os.write(channel, bytes([byte]))
        time.sleep(1)
