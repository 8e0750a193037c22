# A pipe or a socket in the file system could keep for ever whoever opens it.
import os
import socket

try:
    os.mkfifo("pipe")
except PermissionError:
    pass
else:
    raise SystemExit("made a pipe")
for here in socket.socketpair():
    try:
        here.bind("socket")
    except PermissionError:
        continue
    raise SystemExit("made a socket")
