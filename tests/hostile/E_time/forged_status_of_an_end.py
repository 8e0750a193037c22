#: exercise = "program"
#: expect = { check_status = "error" }
#: says = { check_status = "signal 15" }
import os
import signal

if "--quiet" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTERM)
main()
