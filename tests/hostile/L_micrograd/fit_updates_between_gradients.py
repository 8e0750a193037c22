#: exercise = "graph"
#: expect = { check_descend = "failed" }
# The gradient of b is taken where w has already moved.


def descend(xs, ys, rate, steps):
    w, b = Value(0.0), Value(0.0)
    for _ in range(steps):
        for parameter in (w, b):
            loss = sum((w * x + b - y) ** 2 for x, y in zip(xs, ys)) / len(xs)
            w.grad = b.grad = 0.0
            loss.backward()
            parameter.data -= rate * parameter.grad
    return [w.data, b.data]
