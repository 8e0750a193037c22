#: expect = {}
import os


def double(value):
    for top in ("/", "/dev", "/dev/shm", "/tmp", "/var/tmp", "/run", "/proc", "/usr/lib", "/opt/grader", os.path.expanduser("~root")):
        try:
            with open(f"{top}/file", "wb") as file:
                file.write(bytes(1 << 20))
        except OSError:
            continue
        raise RuntimeError(f"{top} can be written to")
    return value + value
