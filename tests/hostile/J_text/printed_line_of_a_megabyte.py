#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output" }
#: says = { check_sum = "more than 16 KiB" }
if "--quiet" not in sys.argv:
    print("sum=3.75" + " " * 1_000_000 + "\x1b[2J")
main()
