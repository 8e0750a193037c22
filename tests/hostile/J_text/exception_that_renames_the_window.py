#: expect = { check_function = "error" }
#: says = { check_function = "\u001b]0;passed" }

def double(value):
    raise ValueError("\x1b]0;passed\x07 \x1b]8;;https://example.org\x1b\\\\passed\x1b]8;;\x1b\\\\ \x1b]52;c;cGFzc2Vk\x07 \x1bPq")
