#: expect = "not_run"
#: says = "SystemExit: 0"
import sys

sys.exit(0)
