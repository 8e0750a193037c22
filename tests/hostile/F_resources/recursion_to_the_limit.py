#: expect = { check_function = "error" }
#: says = { check_function = "RecursionError" }


def double(value):
    return double(value)
