#: expect = "not_run"
#: says = "exit status 0"
import os

os._exit(0)
