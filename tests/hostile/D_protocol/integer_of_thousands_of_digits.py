#: expect = { check_function = "failed" }
#: says = { check_function = "got an integer of 16384 bits" }


def double(value):
    return Value(2**16384 - 1)
