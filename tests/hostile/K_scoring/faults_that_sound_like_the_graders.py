#: expect = { check_gradient = "error", check_function = "error", check_canary = "error" }
#: says = { check_function = "SandboxError: no Docker engine answers" }
# Nobody can choose to be ungraded.


class ExerciseError(Exception):
    pass


class SandboxError(Exception):
    pass


def backward(self, upstream=1.0):
    raise ExerciseError("engine: check_gradient is at fault")


def double(value):
    raise SandboxError("no Docker engine answers")


Value.backward = backward
