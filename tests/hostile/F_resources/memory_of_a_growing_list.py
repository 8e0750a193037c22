#: expect = { check_function = "memory" }
#: says = { check_function = "more than 96 MiB" }


def double(value):
    hoard = [value]
    for item in hoard:
        hoard.append(item)
