#: expect = { check_function = "memory" }
#: says = { check_function = "more than 96 MiB" }


def double(value):
    return Value("x" * (1 << 40))
