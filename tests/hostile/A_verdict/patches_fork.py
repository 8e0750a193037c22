#: expect = "error"
#: says = "The process ended before it had answered"
import os

os.fork = lambda: 0
os.waitpid = lambda *process: (0, 0)
