#: exercise = "program"
#: expect = { check_status = "timeout" }
import atexit
import time

if "--quiet" in sys.argv:
    atexit.register(time.sleep, 3600)
main()
