#: exercise = "program"
#: expect = { check_status = "failed" }
#: says = { check_status = "expected 3, got 137" }
import os

try:
    main()
finally:
    sys.stdout.flush()
    os._exit(137)
