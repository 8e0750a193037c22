#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output", check_status = "failed" }
#: says = { check_sum = "Nothing was printed", check_status = "expected 3, got 1" }
import os

os.closerange(3, 64)  # where it would be told what was raised
raise ValueError("nobody hears of this")
