#: exercise = "graph"
#: expect = { check_descend = "failed" }
# Unseeded, it ends somewhere else each time.


import os


def descend(xs, ys, rate, steps):
    w, b = (Value(int.from_bytes(os.urandom(4), "big") / 2**34) for _ in range(2))
    for _ in range(steps):
        loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
        w.grad = b.grad = 0.0
        loss.backward()
        w.data -= rate * w.grad
        b.data -= rate * b.grad
    return [w.data, b.data]
