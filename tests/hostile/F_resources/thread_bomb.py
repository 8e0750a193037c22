#: expect = { check_function = "error" }
#: says = { check_function = "at most 16 processes and threads" }
import threading
import time


def double(value):
    while True:
        threading.Thread(target=time.sleep, args=[3600]).start()
