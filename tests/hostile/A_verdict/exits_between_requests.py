#: expect = "error"
#: says = { check_value = "exit status 0" }
import os
import threading
import time


def add(self, other):
    threading.Thread(target=lambda: (time.sleep(0.05), os._exit(0)), daemon=True).start()
    time.sleep(0.5)
    return Value(self.data + other.data)


Value.__add__ = add
