"""What a student can see: the lesson's examples, and examples of another neuron on standard input."""

from __future__ import annotations

from grader.output import printed

FORM = (
    "step 0: loss {:.4f}",
    "step 100: loss {:.4f}",
    "step 200: loss {:.4f}",
    "step 300: loss {:.4f}",
    "w = {:.2f}, b = {:.2f}",
)


def check_lesson(program):
    """With nothing to read, the program trains on the lesson's four points and ends near w = 2, b = -1."""
    run = program()
    return printed(run.stdout, *FORM)


def check_own_examples(program):
    """With examples to read, the program trains on those instead."""
    run = program(stdin="-1.0 0.9\n-0.5 0.7\n0.0 0.1\n0.5 -0.6\n1.0 -0.8\n")
    return printed(run.stdout, *FORM)
