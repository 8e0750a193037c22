#: expect = { check_function = "memory" }
#: says = { check_function = "more than 96 MiB" }
import mmap


def double(value):
    hoard = mmap.mmap(-1, 1 << 30)
    hoard.write(b"x" * (1 << 30))
