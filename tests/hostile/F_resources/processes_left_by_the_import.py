#: expect = {}
import os
import time

while True:
    try:
        if os.fork() == 0:
            time.sleep(3600)
    except OSError:
        break
