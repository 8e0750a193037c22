#: expect = { check_function = "error" }
#: says = { check_function = "the answer cannot be read" }


def double(value):
    return Value("x" * (4 << 20))
