#: expect = { check_function = "error" }
#: says = { check_function = "the answer cannot be read: a value nested more than 40 deep" }


def double(value):
    nested = []
    for _ in range(100_000):
        nested = [nested]
    return Value(nested)
