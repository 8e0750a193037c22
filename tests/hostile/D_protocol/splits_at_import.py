#: expect = {}
import os
import time

if os.fork() == 0:
    time.sleep(1)  # and then be a loaded process, too
