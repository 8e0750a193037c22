#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output", check_status = "failed" }
#: says = { check_status = "expected 3, got 137", check_sum = "Nothing was printed" }
import os

os._exit(137)
