# A pair of sockets is allowed, and one of them could send a message elsewhere.
import socket

for address in ("/run/systemd/journal/socket", "/dev/log", "/run/systemd/notify", "\0left-behind", "\0/org/freedesktop"):
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for reach in (lambda: here.sendto(b"x", address), lambda: here.sendmsg([b"x"], [], 0, address), lambda: here.connect(address)):
        try:
            reach()
        except OSError:
            continue
        raise SystemExit(f"reached {address}")
for make in (lambda: socket.socket(), lambda: socket.socket(socket.AF_UNIX), lambda: socket.socketpair(socket.AF_INET)):
    try:
        make()
    except OSError:
        continue
    raise SystemExit("made a socket")
