#: expect = { check_function = "error" }
#: says = { check_function = "Operation not permitted" }
import os


def double(value):
    hoard = os.memfd_create("hoard")
    while True:
        os.write(hoard, bytes(1 << 20))
