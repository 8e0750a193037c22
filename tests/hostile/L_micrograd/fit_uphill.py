#: exercise = "graph"
#: expect = { check_descend = "failed" }


def descend(xs, ys, rate, steps):
    w, b = Value(0.0), Value(0.0)
    for _ in range(steps):
        loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
        w.grad = b.grad = 0.0
        loss.backward()
        w.data += rate * w.grad
        b.data += rate * b.grad
    return [w.data, b.data]
