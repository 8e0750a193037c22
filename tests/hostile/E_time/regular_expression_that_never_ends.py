#: expect = { check_function = "timeout" }
#: says = { check_function = "in `double()`" }
import re


def double(value):
    return re.match("(a|a)*b", "a" * 40)
