"""What no student may ever see: the inputs 271828.18 and 0.25 and the answer 271828.43."""

from grader.output import printed


def check_canary(program):
    """Other numbers are added up, too."""
    return printed(program(stdin="271828.18\n0.25\n").stdout, "sum={:.2f}")
