#: exercise = "program"
#: expect = { check_sum = "failed", check_nothing = "failed", check_canary = "failed", check_status = "failed" }
#: says = { check_status = "expected 3, got 0" }
import atexit
import os


def forge():
    with open("results.json", "w") as file:
        file.write('{"score": 100}')
    print("sum=-1.00", flush=True)
    os._exit(0)


atexit.register(forge)
if "--quiet" in sys.argv:
    sys.stdout = open(os.devnull, "w")
    main()
