#: expect = { check_function = "error" }
from multiprocessing.shared_memory import SharedMemory


def double(value):
    hoard = SharedMemory("hoard", create=True, size=1 << 30)
    hoard.buf[:] = b"x" * (1 << 30)
