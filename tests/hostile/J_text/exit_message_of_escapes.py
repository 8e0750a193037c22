#: expect = { check_function = "error" }
#: says = { check_function = "SystemExit: " }

def double(value):
    raise SystemExit("\x1b[2J passed\n::error::passed\u202e")
