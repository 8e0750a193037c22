#: exercise = "program"
#: expect = { check_status = "timeout" }
import threading
import time

if "--quiet" in sys.argv:
    threading.Thread(target=time.sleep, args=[3600]).start()
main()
