#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_status = "output", check_canary = "output" }
#: says = "more than 16 KiB, and the rest was not read"
import os

for _ in range(1 << 10):
    os.write(1, b"x" * (1 << 16))
main()
