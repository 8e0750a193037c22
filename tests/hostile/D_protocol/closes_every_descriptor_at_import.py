#: expect = "not_run"
#: says = "does not load. The process ended before it had answered"
import os

os.closerange(0, 4096)
