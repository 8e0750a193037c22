#: expect = {}
#: not_promised_by = ["user"]
import glob
import socket

names = ["/run/docker.sock", "/var/run/docker.sock", "/run/systemd/notify", "/dev/log", "/run/dbus/system_bus_socket"]
names += ["\0/containerd-shim/moby.sock", "\0/tmp/.X11-unix/X0", "\0/tmp/dbus", "\0@", "\0"]
names += glob.glob("/run/**", recursive=True) + glob.glob("/tmp/**", recursive=True)
with open("/proc/net/unix") as table:
    names += [line.split()[7].replace("@", "\0") for line in table.read().splitlines()[1:] if len(line.split()) > 7]
found = []
for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
    for name in names:
        ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
        for attempt in (
            lambda: (
                ours.sendto(b"GET /info HTTP/1.0\r\n\r\n", name) if kind == socket.SOCK_DGRAM else ours.connect(name)
            ),
            lambda: ours.connect(name),
            lambda: ours.bind("\0mine"),
            lambda: ours.listen(),
        ):
            try:
                attempt()
                found.append((kind, name))
            except OSError:
                pass
        ours.send(b"!")
        assert theirs.recv(1) == b"!"
assert not found, found
