#: expect = { check_function = "error" }
#: says = { check_function = "\u001b[2J" }

def double(value):
    raise ValueError("\x1b[2J\x1b[1;1H\x1b[32mpassed\x1b[0m \x9b31m \b\b\b\x07\x7f")
