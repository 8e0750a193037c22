#: expect = { check_function = "error" }
#: says = { check_function = "Honest: x" }

class Liar(type):
    @property
    def __name__(cls):
        return "passed\x1b[0m"

    def __instancecheck__(cls, instance):
        return True

    def __subclasscheck__(cls, subclass):
        return True

    def __getattribute__(cls, name):
        raise SystemExit(name)


class Honest(Exception, metaclass=Liar):
    pass


def double(value):
    raise Honest("x")
