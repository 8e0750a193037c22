#: expect = {}
#: seconds = 5
import os
import signal

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        while True:
            pass
    os._exit(0)
