#: expect = { check_gradient = "error", check_canary = "error" }
#: says = { check_gradient = "exit status 0" }
import os


def backward(self, upstream=1.0):
    os._exit(0)


Value.backward = backward
