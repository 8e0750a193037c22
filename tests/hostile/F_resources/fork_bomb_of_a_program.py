#: exercise = "program"
#: expect = { check_status = "timeout" }
import os

while "--quiet" in sys.argv:
    try:
        os.fork()
    except OSError:
        pass
main()
