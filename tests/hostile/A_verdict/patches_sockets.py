#: expect = { check_value = "error", check_gradient = "error", check_function = "error", check_last = "error", check_canary = "not_run" }
#: says = "interfered"
import socket

send = socket.socket.sendall


class Chatty(socket.socket):
    """Says everything twice, the second time with an answer that nobody asked for."""

    def sendall(self, data):
        send(self, data + data.replace(b"values", b"passed"))


socket.socket = Chatty
