# Besides the standard streams, there is a socket to the driver, and that is all.
import os


def open_here():
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[int(name)] = os.readlink(f"/proc/self/fd/{name}")
        except OSError:  # that of the listing itself
            pass
    return found


def only_what_is_needed(found):
    sockets = [place for place in found.values() if place.startswith("socket:")]
    others = set(found.values()) - set(sockets)
    return len(sockets) <= 1 and others <= {"/dev/null"}


assert only_what_is_needed(open_here()), open_here()


def double(value):
    assert only_what_is_needed(open_here()), open_here()
    return value + value
