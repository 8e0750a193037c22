"""What a prompt for micrograd asks about. Not asked: a second backward(), `1 - x`, and other spellings of a class."""

import pytest


def check_reused(engine):
    """A number that is used twice gets both gradients."""
    a = engine.Value(3.0)
    b = a + a
    c = b * b
    d = c * b + c
    d.backward()
    return {"d.data": d.data, "a.grad": a.grad, "b.grad": b.grad, "c.grad": c.grad}


def check_order(engine):
    """backward() passes a gradient on when all of it has arrived, whatever the graph looks like."""
    numbers = [engine.Value(0.5 + index / 8) for index in range(8)]
    first = numbers[0]
    layers = numbers
    for _ in range(4):
        layers = [layers[index] * layers[index - 1] + layers[index - 2] for index in range(len(layers))]
    total = layers[0]
    for layer in [*layers[1:], *numbers]:
        total = total + layer * first
    total.backward()
    return {f"numbers[{index}].grad": number.grad for index, number in enumerate(numbers)}


@pytest.mark.parametrize(
    ("base", "exponent"),
    [(3.0, 2), (-1.5, 3), (2.0, -1), (4.0, 0.5), (-2.0, 1), (3.0, 0), (0.0, 2), (0.0, 1), (0.0, 0)],
)
def check_power(engine, base, exponent):
    """A power passes on exponent * base ** (exponent - 1), also where its base is used again."""
    x = engine.Value(base)
    y = x**exponent * x + x
    y.backward()
    return {"y.data": y.data, "x.grad": x.grad}


@pytest.mark.parametrize("number", [2.0, -2.0, 0.0])
def check_relu(engine, number):
    """relu() passes a gradient on where its number is positive, and nowhere else; at exactly 0 it does not."""
    x = engine.Value(number)
    y = x.relu()
    z = (y + x) * engine.Value(-3.0) + y
    z.backward()
    return {"y.data": y.data, "z.data": z.data, "x.grad": x.grad}


def check_constants(engine):
    """Plain numbers take part: `x + 2`, `2 + x`, `x * 2`, `2 * x`, `sum([x, y])`."""
    x, y = engine.Value(3.0), engine.Value(-4.0)
    z = (x + 2) * 2 + 2 * (2 + y) + sum([x, y]) * y
    z.backward()
    return {"z.data": z.data, "x.grad": x.grad, "y.grad": y.grad}


def check_difference_and_quotient(engine):
    """`-x`, `x - y` and `x / y` pass their gradients on."""
    x, y = engine.Value(3.0), engine.Value(-4.0)
    z = (x - y) / y + -x
    z.backward()
    return {"z.data": z.data, "x.grad": x.grad, "y.grad": y.grad}


def check_chain(engine):
    """backward() finds its way through 3000 sums."""
    x = engine.Value(1.0)
    y = x
    for _ in range(3000):
        y = y + x
    y.backward()
    return {"y.data": y.data, "x.grad": x.grad}


@pytest.mark.parametrize("steps", [1, 2, 7])
def check_descend(engine, steps):
    """descend(xs, ys, rate, steps) goes down the mean of (w * x + b - y) ** 2 from w = b = 0, and returns [w, b]."""
    w, b = engine.descend([1.0, 2.0, 4.0], [3.0, 4.5, 10.0], 0.02, steps)
    return {"w": w, "b": b}
