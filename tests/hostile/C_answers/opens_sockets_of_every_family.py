#: expect = {}
import socket

found = []
assert socket.AF_VSOCK < 46 and socket.AF_NETLINK < 46 and socket.AF_PACKET < 46 and socket.AF_ALG < 46
for family in range(46):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        for protocol in (0, 6, 16, 17):
            try:
                found.append(socket.socket(family, kind, protocol))
            except OSError:
                pass
            try:
                if family != socket.AF_UNIX:
                    found += socket.socketpair(family, kind, protocol)
            except OSError:
                pass
assert socket.socketpair()
assert not found, found
