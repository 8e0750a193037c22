#: expect = { check_function = "timeout" }
#: says = { check_function = "Stopped after 1 s" }

class Endless(Exception):
    def __str__(self):
        while True:
            pass


def double(value):
    raise Endless
