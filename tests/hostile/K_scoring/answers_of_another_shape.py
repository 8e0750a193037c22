#: exercise = "graph"
#: expect = { check_descend = "failed" }
# Too few numbers, or too many, earn no part of a check.


def descend(xs, ys, rate, steps):
    return [0.0, 0.0, 0.0][: steps + 1]
