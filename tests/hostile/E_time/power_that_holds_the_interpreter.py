#: expect = { check_function = "timeout" }


def double(value):
    return Value(10 ** 10**7 % 10**5)
