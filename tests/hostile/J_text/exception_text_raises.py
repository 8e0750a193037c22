#: expect = { check_function = "error" }
#: says = { check_function = "Refuses" }
class Refuses(Exception):
    def __str__(self):
        raise self

    __repr__ = __str__


def double(value):
    raise Refuses("text that is never read")
