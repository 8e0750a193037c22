#: expect = { check_value = "error", check_gradient = "error", check_function = "error" , check_canary = "error" }
#: says = { check_function = "Skipped" }
import unittest


class Skipped(BaseException):
    allow_module_level = True
    msg = "skipped"


def skips(self, other):
    raise unittest.SkipTest("not today")


def double(value):
    raise Skipped("not today")


Value.__mul__ = skips
pytestmark = __unittest_skip__ = skip = True
