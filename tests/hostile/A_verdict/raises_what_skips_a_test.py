#: expect = "error"
#: says = "Skipped: this check does not apply"
class Skipped(BaseException):
    allow_module_level = True


Skipped.__module__ = "builtins"


def add(self, other):
    raise Skipped("this check does not apply")


Value.__add__ = add
