"""What a student can see: points on a line, and points near it."""

from __future__ import annotations

from grader.output import printed


def check_line(program):
    """Points on the line y = 3 * x + 2 give w=3.00 and b=2.00."""
    run = program(stdin="-2 -4\n-1 -1\n0 2\n1 5\n2 8\n")
    return printed(run.stdout, "w={:.2f}", "b={:.2f}")


def check_noisy_line(program):
    """Points near that line give a line near it."""
    run = program(stdin="-2.0 -4.1\n-1.5 -2.0\n-1.0 -0.8\n-0.5 0.3\n0.5 3.8\n1.0 5.3\n1.5 6.6\n2.0 7.6\n")
    return printed(run.stdout, "w={:.2f}", "b={:.2f}")
