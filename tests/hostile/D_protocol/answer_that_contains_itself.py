#: expect = { check_function = "error" }
#: says = { check_function = "the answer cannot be read: a value nested more than 40 deep" }


def double(value):
    nested = []
    nested.append(nested)
    return Value(nested)
