#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output", check_status = "failed" }
#: says = { check_canary = "271828.18" }
seen = sys.stdin.read()
print(f"sum={seen!r}")
sys.stderr.write(seen)
