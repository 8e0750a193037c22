#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output" }
#: says = { check_sum = "sum=" }
if "--quiet" not in sys.argv:
    print("\x1b[2J\u202esum\x1b[31m=\x00]]>\x85 ::error::passed \x1b]8;;https://example.org\x07")
main()
