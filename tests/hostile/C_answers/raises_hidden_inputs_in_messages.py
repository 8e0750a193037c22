#: exercise = "program"
#: expect = "error"
#: says = { check_canary = "ValueError: the input was 271828.18" }
seen = " ".join(sys.stdin.read().split())
raise ValueError(f"the input was {seen}")
