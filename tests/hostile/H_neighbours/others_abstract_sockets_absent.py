#: not_promised_by = ["user"]
import socket

assert not [line for line in open("/proc/net/unix") if "@" in line or "/" in line]
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    here, there = socket.socketpair(socket.AF_UNIX, kind)
    for act in (here.connect, here.bind):
        try:
            act("\0left-behind")
        except PermissionError:
            continue
        raise SystemExit("reached or made an abstract socket")
