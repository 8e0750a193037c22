#: expect = { check_function = "error" }
#: says = { check_function = "crashed (signal 6)" }
import os
import resource

try:
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
except ValueError:
    pass


def double(value):
    os.abort()
