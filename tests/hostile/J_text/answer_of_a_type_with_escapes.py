#: expect = { check_function = "failed" }
#: says = { check_function = "an object of type \u001b[2J" }

def double(value):
    value.data = type("\x1b[2J\u202e]]>\n::error::passed", (), {})()
    return value
