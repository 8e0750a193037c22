#: expect = { check_function = "error" }
#: says = { check_function = "the answer cannot be read: a value of more than 50000 items" }


def double(value):
    return Value([0.1] * 1_000_000)
