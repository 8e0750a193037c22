#: expect = { check_function = "memory" }
#: says = { check_function = "more than 96 MiB" }


def double(value):
    hoard = []
    while True:
        hoard.append(bytearray(1 << 20))
