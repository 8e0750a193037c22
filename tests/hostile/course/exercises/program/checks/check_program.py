"""One check for each kind of thing that a program is asked to do."""

from grader.output import printed


def check_sum(program):
    """The numbers on standard input are added up."""
    return printed(program(stdin="1.5\n2.25\n\n").stdout, "sum={:.2f}")


def check_nothing(program):
    """The sum of nothing is 0.00."""
    return printed(program().stdout, "sum={:.2f}")


def check_status(program):
    """With --quiet, nothing is printed, and the exit status is how many numbers there were."""
    run = program(stdin="1\n2\n3\n", args=["--quiet"])
    return {"status": run.status, "stdout": run.stdout}
