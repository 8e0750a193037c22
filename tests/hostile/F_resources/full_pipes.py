#: expect = { check_function = "error" }
#: says = { check_function = "at most 64 open files at once" }
import os
import socket


def double(value):
    while True:
        for end in socket.socketpair():
            end.setblocking(False)
            try:
                while True:
                    end.send(bytes(1 << 16))
            except BlockingIOError:
                pass
            end.detach()
