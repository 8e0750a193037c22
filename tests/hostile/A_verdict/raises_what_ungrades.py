#: expect = "error"
#: says = "SandboxError: the Docker engine does not answer"
class SandboxError(Exception):
    pass


class GraderError(SandboxError):
    pass


SandboxError.__module__ = GraderError.__module__ = "grader.errors"


def add(self, other):
    raise SandboxError("the Docker engine does not answer") from GraderError("ungraded")


Value.__add__ = add
