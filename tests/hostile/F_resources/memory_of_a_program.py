#: exercise = "program"
#: expect = { check_status = "memory" }
hoard = []
while "--quiet" in sys.argv:
    hoard.append(bytearray(1 << 20))
main()
