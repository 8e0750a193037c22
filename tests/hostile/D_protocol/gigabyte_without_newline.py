#: expect = { check_function = "error" }
#: says = { check_function = "interfered with the grader's own messages" }
import contextlib
import gc
import socket


def double(value):
    for found in gc.get_objects():
        if isinstance(found, socket.socket):
            with contextlib.suppress(OSError):
                for _ in range(1 << 10):
                    found.sendall(b"x" * (1 << 20))
    return value + value
