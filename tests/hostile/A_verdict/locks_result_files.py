#: expect = "failed"
#: says = "expected 14.0, got -1.0"
import fcntl
import os

held = []
for name in ("results.json", "junit.xml", "grades.db", "grades.db-journal"):
    held.append(os.open(name, os.O_RDWR | os.O_CREAT, 0o000))
    fcntl.flock(held[-1], fcntl.LOCK_EX)
    fcntl.lockf(held[-1], fcntl.LOCK_EX)
for name in ("report.xml", "report.json"):
    os.makedirs(f"{name}/cannot/be/replaced")
    os.chmod(name, 0)

Value.__add__ = lambda self, other: Value(-1.0)
