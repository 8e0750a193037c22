#: exercise = "program"
#: expect = {}
import os

try:
    main()
finally:
    sys.stdout.flush()
    os.closerange(3, 4096)
