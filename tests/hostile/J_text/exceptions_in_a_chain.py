#: expect = { check_function = "error" }
#: says = { check_function = "ValueError: number 49999" }

def double(value):
    error = ValueError("the first")
    for number in range(50_000):
        later = ValueError(f"number {number}")
        later.__cause__ = later.__context__ = error
        later.__notes__ = ["\x1b[2J", error, None]
        error = later
    raise error
