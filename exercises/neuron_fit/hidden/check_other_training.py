"""What a student does not see: other examples, drawn for each student from pools.

A test holds the pools to what their names say: no number that is printed lies near a rounding edge, and only
where training has not arrived does one step more show.
"""

from __future__ import annotations

import math

from grader.output import printed

FORM = (
    "step 0: loss {:.4f}",
    "step 100: loss {:.4f}",
    "step 200: loss {:.4f}",
    "step 300: loss {:.4f}",
    "w = {:.2f}, b = {:.2f}",
)


def neuron(w, b, xs):
    """The examples of one neuron."""
    return [(x, math.tanh(w * x + b)) for x in xs]


NEURONS = (
    neuron(1.5, 0.5, (-1.0, 0.0, 0.5, 1.0)),
    neuron(-0.7, 0.9, (-1.0, 0.0, 0.5, 1.0)),
    neuron(-1.1, -0.6, (-1.0, 0.0, 0.5, 1.0)),
    neuron(1.2, -0.8, (-1.0, -0.5, 0.0, 0.5, 1.0)),
    neuron(-1.5, 0.5, (-1.0, -0.5, 0.0, 0.5, 1.0)),
    neuron(-1.75, 0.25, (-0.8, -0.4, 0.1, 0.6, 0.9)),
    neuron(0.8, 0.3, (-1.5, -0.5, 0.5, 1.5)),
    neuron(1.5, 0.5, (-0.8, -0.4, 0.1, 0.6, 0.9)),
)

NOISY = (
    [(-1.2, -0.77), (-0.6, 0.05), (0.0, 0.45), (0.6, 0.86), (1.2, 0.78)],
    [(-1.0, 0.62), (-0.5, 0.56), (0.0, -0.41), (0.5, -0.39), (1.0, -0.58)],
    [(-1.0, 0.52), (-0.5, 0.17), (0.0, -0.53), (0.5, -0.61), (1.0, -0.82)],
    [(-1.0, -0.49), (-0.5, -0.17), (0.0, 0.67), (0.5, 0.63), (1.0, 0.68)],
    [(-0.9, -0.95), (-0.3, -0.79), (0.3, -0.27), (0.9, 0.09)],
    [(-1.0, 0.59), (-1.0, 0.45), (0.0, -0.15), (1.0, -0.95), (1.0, -0.95)],
)

MANY = (
    [
        *((0.0, -0.661), (0.3, -0.208), (0.6, -0.039), (0.9, 0.437), (1.2, 0.831)),
        *((-1.2, -0.965), (-0.9, -0.97), (-0.3, -0.435), (-0.6, -0.874)),
    ],
    [
        *((-0.6, 0.742), (0.9, -0.499), (0.6, -0.226), (1.2, -0.808), (-0.9, 0.732)),
        *((-1.2, 0.892), (0.0, 0.5), (0.3, -0.048), (-0.3, 0.949)),
    ],
    [
        *((0.9, 0.749), (0.6, 0.631), (-0.3, 0.039), (1.2, 0.97), (-0.9, -0.9)),
        *((-0.6, -0.215), (0.0, 0.435), (-1.2, -0.921), (0.3, 0.508)),
    ],
    [
        *((-1.2, -0.873), (-0.6, -0.613), (0.6, 0.233), (0.9, 0.545), (0.3, 0.127)),
        *((1.2, 0.713), (0.0, 0.002), (-0.9, -0.882), (-0.3, -0.492)),
    ],
)

PAIRS = (
    [(-0.6, 0.42), (0.5, 0.61)],
    [(-1.4, 0.7), (0.5, -0.67)],
    [(-1.0, -0.52), (1.3, 0.02)],
    [(-0.6, -0.35), (0.9, 0.48)],
)

SINGLES = (
    [(-0.8, 0.42)],
    [(-1.5, -0.56)],
    [(1.2, 0.75)],
    [(0.8, -0.64)],
)

UNCONVERGED = (
    [(-1.1, 0.88), (-1.05, 0.81), (-1.0, 0.72), (-0.95, 0.6), (-0.9, 0.44)],
    [(-0.075, 0.07), (-0.025, -0.29), (0.025, -0.59), (0.075, -0.78)],
    [(-0.2, 0.88), (0.0, -0.17), (0.2, -0.94)],
    [(-0.1, -0.8), (0.1, 0.85)],
    [(-0.7, -0.16), (-0.5, -0.76), (-0.3, -0.95)],
    [(-0.6, -0.32), (-0.5, 0.2), (-0.4, 0.62)],
    [(0.45, 0.8), (0.55, 0.0)],
    [(-1.05, -0.23), (-0.95, 0.39)],
    [(0.85, 0.87), (1.15, -0.97)],
    [(-0.1, -0.88), (0.0, -0.59), (0.1, 0.06)],
)


def train(program, examples):
    """What the program prints about the examples."""
    run = program(stdin="".join(f"{x} {y}\n" for x, y in examples))
    return printed(run.stdout, *FORM)


def check_other_neurons(program, rng):
    """Given the examples of another neuron, training finds that neuron."""
    return [train(program, examples) for examples in rng.sample(NEURONS, 3)]


def check_noisy_examples(program, rng):
    """Training does its best where no neuron fits all examples, few or many."""
    return [train(program, examples) for examples in (*rng.sample(NOISY, 1), *rng.sample(MANY, 1))]


def check_few_examples(program, rng):
    """Two examples are enough to train on, and so is one."""
    return [train(program, examples) for examples in (*rng.sample(PAIRS, 2), *rng.sample(SINGLES, 1))]


def check_unconverged(program, rng):
    """Training is 301 steps at a rate of 0.2 from w = 0.1 and b = 0, and stops there, arrived or not."""
    return [train(program, examples) for examples in rng.sample(UNCONVERGED, 4)]
