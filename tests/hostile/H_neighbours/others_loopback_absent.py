#: not_promised_by = ["user"]
import socket

for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            socket.socket(family, kind).connect((address, 27182))
        except OSError:
            continue
        raise SystemExit("reached another's port")
for protocol in ("tcp", "tcp6", "udp", "udp6", "raw", "packet"):
    try:
        lines = open(f"/proc/net/{protocol}").readlines()
    except FileNotFoundError:
        continue
    assert len(lines) == 1, lines  # its headings
assert len(open("/proc/net/route").readlines()) == 1
