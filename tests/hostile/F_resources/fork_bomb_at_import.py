#: expect = "not_run"
#: says = "does not load. Stopped after 2 s"
import os

while True:
    try:
        os.fork()
    except BaseException:
        pass
