#: not_promised_by = ["user"]
# A namespace in which nobody was before: the driver, this process, and numbers that start again.
import os

assert {int(name) for name in os.listdir("/proc") if name.isdigit()} == {1, os.getpid()}
assert os.getppid() == 1
assert os.getpid() < 50
for pid in range(2, 2000):
    if pid == os.getpid():
        continue
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        continue
    raise SystemExit(f"there is a process {pid}")
