#: expect = {}
import socket

found = []
for host in (
    "localhost",
    "example.com",
    "example.org",
    "host.docker.internal",
    "gateway.docker.internal",
    "metadata.google.internal",
):
    for ask in (
        socket.gethostbyname,
        lambda host: socket.getaddrinfo(host, 80),
        lambda host: socket.create_connection((host, 80), 0.2),
    ):
        try:
            found.append((host, ask(host)))
        except OSError:
            pass
found = [
    (host, answer) for host, answer in found if host != "localhost" or not isinstance(answer, (str, list))
]  # needs no network
assert not found, found
