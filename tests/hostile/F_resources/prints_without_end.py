#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output" }
#: says = { check_sum = "more than 16 KiB" }
if "--quiet" not in sys.argv:
    for _ in range(100_000):
        print("x" * 1000)
main()
