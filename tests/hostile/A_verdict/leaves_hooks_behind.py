#: expect = {}
import signal
import sys
import threading

seen = []


def watch(frame, event, argument):
    seen.append(event)
    return watch


for number in (
    signal.SIGALRM,
    signal.SIGTERM,
    signal.SIGINT,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGCHLD,
    signal.SIGPIPE,
):
    signal.signal(number, lambda *_: seen.append("signal"))
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
sys.settrace(watch)
sys.setprofile(watch)
threading.settrace(watch)
sys.excepthook = sys.unraisablehook = sys.displayhook = watch
sys.addaudithook(lambda *event: None)
