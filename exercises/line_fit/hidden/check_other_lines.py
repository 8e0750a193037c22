"""What a student does not see: other points, drawn for each student from pools.

A test holds the pools to what their names say: no number that is printed lies near a rounding edge, and only
where the fit has not arrived does it show that it was 500 steps, at 0.05, of the mean.
"""

from __future__ import annotations

from grader.output import printed


def line(w, b, xs):
    """Points on one line."""
    return [(x, round(w * x + b, 6)) for x in xs]


LINES = (
    line(-2.45, -1.41, (-2.0, -1.0, 1.0, 2.0)),
    line(4.42, 2.4, (-1.2, -0.2, 0.3, 1.4)),
    line(-4.71, -0.34, (-2.0, -1.0, 1.0, 2.0)),
    line(1.49, 4.01, (-1.5, -0.5, 0.5, 1.5)),
    line(-1.28, 3.68, (-2.0, -1.0, 0.0, 1.0, 2.0)),
    line(0.44, 0.74, (-1.0, -0.5, 0.5, 1.0)),
    line(2.31, -0.92, (-2.0, -1.0, 0.0, 1.0, 2.0)),
    line(4.16, 2.66, (-1.5, -0.5, 0.5, 1.5)),
)

NOISY = (
    [(-2.0, 4.0), (-1.0, -0.1), (0.0, -3.2), (1.0, -4.5), (2.0, -9.4)],
    [(-2.0, -2.8), (-1.0, -2.0), (0.0, -0.1), (1.0, -1.1), (2.0, 0.4)],
    [(-1.8, -10.2), (-1.1, -6.7), (-0.4, -4.0), (0.4, -1.4), (1.1, 1.7), (1.8, 5.1)],
    [(-1.8, 2.0), (-1.1, -0.2), (-0.4, -2.3), (0.4, -5.2), (1.1, -7.8), (1.8, -8.6)],
    [(-1.5, 11.5), (-0.5, 7.0), (0.5, 2.1), (1.5, -2.4)],
    [(-1.2, -4.7), (-0.2, -3.4), (0.3, -3.8), (1.4, -2.5)],
)

MANY = (
    [
        *((-1.2, 0.083), (-1.6, 0.383), (-0.8, -0.577), (0.4, -2.786), (1.6, -6.016), (0.8, -5.206)),
        *((0.0, -3.536), (1.6, -6.656), (-0.4, -2.526)),
    ],
    [
        *((0.8, 1.363), (0.0, 2.733), (-0.4, 2.994), (-0.4, 2.774), (0.4, 1.213), (-0.8, 3.823)),
        *((-1.6, 4.763), (0.4, 1.483), (0.4, 1.504), (0.8, 0.843), (-1.2, 4.424)),
    ],
    [
        *((0.8, -3.027), (1.2, -2.336), (-1.6, -4.747), (0.4, -3.666), (-1.2, -4.646), (-0.8, -4.436)),
        *((0.4, -2.687), (-0.8, -3.956), (0.8, -1.967), (0.0, -3.916)),
    ],
    [
        *((-1.2, -1.656), (0.4, 3.723), (1.2, 6.494), (-1.6, -3.337), (0.4, 3.083), (-0.4, 1.163)),
        *((1.6, 7.863), (0.8, 5.003), (-0.8, -0.417), (0.0, 2.414), (-1.6, -3.176)),
    ],
)

PAIRS = (
    [(-0.8, -1.9), (1.2, -0.1)],
    [(-0.8, 2.2), (1.2, 3.4)],
    [(-1.2, 0.7), (0.8, -3.5)],
    [(-0.8, 5.9), (1.6, -2.4)],
    [(-1.6, 3.2), (1.6, -3.9)],
    [(-1.2, 2.0), (0.4, 0.0)],
)

SINGLES = (
    [(1.0, 5.0)],
    [(2.0, -5.0)],
    [(-1.0, 4.4)],
    [(0.5, 2.5)],
    [(-2.0, 3.0)],
    [(1.0, -3.2)],
)

STACKED = (
    [(1.5, 3.9), (1.5, 0.6)],
    [(-1.0, 2.9), (-1.0, 4.3)],
    [(-1.5, -3.1), (-1.5, -2.9), (-1.5, -0.1)],
    [(1.0, 3.0), (1.0, 4.2), (1.0, 4.4)],
)

UNTIDY = (
    "-2 5.5  \n\n-1 4\n0 2.5   \n\n1 1\n2 -0.5\n\n",
    "\n\n-2 -6.5\n-1 -4.0 \n   \n1 1.0\n2 3.5",
    "-1.5 1.2\n  \n-0.5 0.8 \n0.5 0.4\n\n\n1.5 0.0  ",
    "   \n-2 -8\n-1 -5    \n\n1 1\n2 4\n",
)

UNCONVERGED = (
    [(0.8, -29.2), (1.2, -22.8)],
    [(0.9, 13.9), (1.1, 18.6), (1.3, 25.0), (1.5, 31.0)],
    [(-1.2, 33.8), (-1.0, 26.0), (-0.8, 18.2)],
    [(1.5, 71.0), (1.7, 74.5), (1.9, 77.5), (2.1, 80.5)],
    [(1.2, -5.7), (1.5, 3.5), (1.8, 12.8)],
    [(1.3, -71.2), (1.7, -90.3)],
    [(0.85, 5.6), (1.15, -6.0)],
    [(1.8, 83.0), (2.2, 94.1)],
    [(-1.8, 18.6), (-1.5, 24.3), (-1.2, 29.4)],
    [(-1.8, 4.4), (-1.5, 0.5), (-1.2, -3.9)],
)


def fit(program, text):
    """What the program prints about points, given as text."""
    run = program(stdin=text)
    return printed(run.stdout, "w={:.2f}", "b={:.2f}")


def as_text(points):
    """Points as the program reads them."""
    return "".join(f"{x} {y}\n" for x, y in points)


def check_other_lines(program, rng):
    """Points on another line give that line."""
    return [fit(program, as_text(points)) for points in rng.sample(LINES, 3)]


def check_other_noise(program, rng):
    """Points near another line, few or many, give the line that fits them best."""
    return [fit(program, as_text(points)) for points in (*rng.sample(NOISY, 1), *rng.sample(MANY, 1))]


def check_two_points(program, rng):
    """Two points give the line through both."""
    return [fit(program, as_text(points)) for points in rng.sample(PAIRS, 2)]


def check_one_point(program, rng):
    """One point, or several with the same x, give the line that the steps lead to from w = 0 and b = 0."""
    return [fit(program, as_text(points)) for points in (*rng.sample(SINGLES, 2), *rng.sample(STACKED, 1))]


def check_untidy_input(program, rng):
    """Blank lines, and spaces at the end of a line, change nothing."""
    return [fit(program, text) for text in rng.sample(UNTIDY, 2)]


def check_unconverged(program, rng):
    """The fit is 500 steps at a rate of 0.05 down the mean squared error, and stops there, arrived or not."""
    return [fit(program, as_text(points)) for points in rng.sample(UNCONVERGED, 4)]
