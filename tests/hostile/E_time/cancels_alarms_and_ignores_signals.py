#: expect = { check_function = "timeout" }
import signal


def double(value):
    signal.alarm(0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        pass
