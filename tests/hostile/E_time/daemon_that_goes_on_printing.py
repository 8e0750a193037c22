#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output" }
import os

if "--quiet" not in sys.argv:
    if os.fork() == 0:
        os.setsid()
        os.write(1, b"sum=0.00\n")
        if os.fork() == 0:
            while True:
                os.write(1, b"sum=0.00\n")
        os._exit(0)
    os.wait()
main()
