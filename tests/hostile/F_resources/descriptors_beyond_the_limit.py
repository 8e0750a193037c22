#: expect = { check_function = "error" }
import resource


def double(value):
    resource.setrlimit(resource.RLIMIT_NOFILE, (100_000, 100_000))
    return value + value
