#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output" }
if "--quiet" not in sys.argv:
    sys.stdout.buffer.write(b"sum=\xff\xfe\xed\xa0\x80\x00" * 100 + b"\n")
    sys.stdout.flush()
main()
