#: expect = { check_function = "error" }
#: says = { check_function = "\ufffe" }

def double(value):
    raise ValueError("\ud800 \udfff \udc80 \ufffe \uffff \x00 \x0b \x0c \r")
