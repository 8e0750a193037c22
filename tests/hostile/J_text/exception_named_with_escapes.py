#: expect = { check_function = "error" }
#: says = { check_function = "\u001b[31mPassed" }

def double(value):
    raise type("\x1b[31mPassed\n]]>\u202e<b>" * 100, (Exception,), {})("x")
