#: expect = { check_function = "error" }
#: says = { check_function = "the answer cannot be read: an integer of 16610 bits" }


def double(value):
    return Value(10**5000)
