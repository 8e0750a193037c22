#: expect = { check_function = "failed" }
#: says = { check_function = "expected a number, got \u0027\\x1b[2J" }

def double(value):
    value.data = "\x1b[2J\u202e]]><script>\n::error::passed\ud800" * 30
    return value
