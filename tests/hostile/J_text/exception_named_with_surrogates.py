#: expect = { check_function = "error" }
#: says = { check_function = "Named: x" }

Named = type("Named", (Exception,), {})
Named.__module__ = Named.__qualname__ = "\x1b[31m"
try:
    Named.__name__ = "\ud800"
except UnicodeEncodeError:
    pass


def double(value):
    raise Named("x")
