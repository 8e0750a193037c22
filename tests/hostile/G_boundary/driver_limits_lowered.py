#: expect = { check_gradient = "error", check_canary = "error" }
# Whoever lowers the driver's own limits ends a sandbox, and the next check gets another.
import os
import resource


def backward(self, upstream=1.0):
    for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_STACK):
        resource.prlimit(1, limit, (0, 0))
    os._exit(1)


Value.backward = backward
