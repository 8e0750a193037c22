#: expect = {}
import os
import socket
import stat
import sys

frame = sys._getframe()
while not any(isinstance(value, socket.socket) for value in frame.f_locals.values()):
    frame = frame.f_back
own = next(value for value in frame.f_locals.values() if isinstance(value, socket.socket)).fileno()
null = os.stat("/dev/null").st_rdev
found = []
for descriptor in range(4096):
    try:
        status = os.fstat(descriptor)
    except OSError:
        continue
    if descriptor != own and not (stat.S_ISCHR(status.st_mode) and status.st_rdev == null):
        found.append((descriptor, status))
assert stat.S_ISSOCK(os.fstat(own).st_mode)
assert not found, found
