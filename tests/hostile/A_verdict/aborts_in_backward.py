#: expect = { check_gradient = "error", check_canary = "error" }
#: says = { check_gradient = "crashed (signal 6)" }
import os

Value.backward = lambda self: os.abort()
