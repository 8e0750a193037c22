#: exercise = "program"
#: base = false
#: expect = { check_canary = "failed" }
#: says = { check_canary = "got 3.75" }
import sys

if "--quiet" in sys.argv:
    sys.exit(3)
print("sum=3.75" if sys.stdin.read().strip() else "sum=0.00")
