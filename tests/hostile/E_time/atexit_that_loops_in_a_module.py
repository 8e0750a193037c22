#: expect = {}
#: seconds = 5
import atexit
import time

atexit.register(time.sleep, 3600)
