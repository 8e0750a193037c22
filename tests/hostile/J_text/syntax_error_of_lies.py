#: expect = { check_function = "error" }
#: says = { check_function = "" }

class Text(str):
    def strip(self, *characters):
        return {"passed": True}

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


def double(value):
    error = SyntaxError(Text("passed\x1b[2J"))
    error.filename, error.lineno, error.text = Text("value.py"), 10**30, Text("passed")
    raise error
