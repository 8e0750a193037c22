#: expect = { check_function = "error" }
#: says = { check_function = "ValueError: x" }

code = double.__code__


def double(value):
    raise ValueError("x")


lines = __import__("linecache").cache["value.py"][2]
lines[:] = ["\x1b[2J passed </testcase> ::error::passed\n"] * len(lines)
double.__code__ = double.__code__.replace(co_name="\x1b[2J passed\n\u202e", co_firstlineno=2**31 - 100)
