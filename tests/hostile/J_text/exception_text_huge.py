#: expect = { check_function = "error" }
#: says = { check_function = "ValueError: xxx" }

def double(value):
    raise ValueError("x" * 20_000_000)
