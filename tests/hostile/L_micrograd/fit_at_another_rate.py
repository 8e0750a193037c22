#: exercise = "graph"
#: expect = { check_descend = "failed" }


def descend(xs, ys, rate, steps):
    w, b = Value(0.0), Value(0.0)
    for _ in range(steps):
        loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
        w.grad = b.grad = 0.0
        loss.backward()
        w.data -= 0.01 * w.grad
        b.data -= 0.01 * b.grad
    return [w.data, b.data]
