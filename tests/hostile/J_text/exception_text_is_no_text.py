#: expect = { check_function = "error" }
#: says = { check_function = "Lies" }

class Lies(Exception):
    def __str__(self):
        return 5


def double(value):
    raise Lies
