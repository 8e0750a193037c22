#: exercise = "program"
#: expect = {}
#: seconds = 5
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(0)
main()
