#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output", check_status = "failed" }
#: says = { check_sum = "Nothing was printed", check_status = "expected 3, got 0" }
import os

os._exit(0)
