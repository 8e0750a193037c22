"""What a student does not see: other numbers, values used more than once, chains, and random graphs."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("base", "exponent"),
    [
        *((2.5, -1), (-1.6, -3), (0.8, -2), (-1.7, -2), (6.25, 0.5), (2.2, 1.5), (1.7, -0.5), (2.1, 2.5)),
        *((1.9, 1 / 3), (-1.3, 5), (1.1, 4), (-2.0, 4), (1.3, 6), (2.7, 2.0), (-1.4, 3.0), (0.9, 7), (2.2, -1.5)),
        *((1.2, -10), (0.3, 0.1)),
    ],
)
def check_power_exponents(engine, base, exponent):
    """Powers with other exponents, also negative ones and fractions, have the right value and gradient."""
    x = engine.Value(base)
    y = x**exponent
    y.backward()
    return y.data, x.grad


@pytest.mark.parametrize(("base", "exponent"), [(-2.3, 0), (5.5, 0), (-3.7, 1), (0.0, 1), (0.0, 2), (0.0, 3)])
def check_power_corners(engine, base, exponent):
    """Powers of 0 and 1, and 0 to the power of 1 or more, have the right value and gradient."""
    x = engine.Value(base)
    y = x**exponent
    y.backward()
    return y.data, x.grad


@pytest.mark.parametrize(("base", "exponent"), [(1.8, 2), (-0.9, 3), (1.4, 4), (0.7, 1)])
def check_power_reused(engine, base, exponent):
    """A value that is raised to a power and used elsewhere too collects the gradients of all its uses."""
    x = engine.Value(base)
    (x**exponent + x).backward()
    z = engine.Value(base)
    (z + z**2 + z**exponent).backward()
    return x.grad, z.grad


@pytest.mark.parametrize(
    ("base", "exponent", "factor"), [(1.9, 2, -3.5), (-1.2, 3, 0.4), (1.5, 4, -2.0), (0.8, 1, 1.5)]
)
def check_power_upstream(engine, base, exponent, factor):
    """A power multiplies its own slope by the gradient that reaches it."""
    x = engine.Value(base)
    ((x**exponent) * factor).backward()
    z = engine.Value(base)
    power = z**exponent
    (power * power * factor).backward()
    return x.grad, z.grad


def check_relu_at_zero(engine):
    """At exactly 0, relu gives 0 and passes nothing on."""
    x = engine.Value(0.0)
    y = x.relu()
    y.backward()
    a, b = engine.Value(1.5), engine.Value(1.5)
    difference = (a - b).relu()
    difference.backward()
    return y.data, x.grad, difference.data, a.grad, b.grad


@pytest.mark.parametrize("number", [1.3, -1.3, 0.2, -4.0, 0.0004, -0.0004, 9.5])
def check_relu_reused(engine, number):
    """A value that goes through relu and is used elsewhere too collects the gradients of all its uses."""
    x = engine.Value(number)
    (x.relu() + x).backward()
    z = engine.Value(number)
    (z + z.relu() + z.relu()).backward()
    return x.grad, z.grad


@pytest.mark.parametrize("number", [3.1, -3.1, 0.6])
@pytest.mark.parametrize("factor", [-2.5, 4.0])
def check_relu_upstream(engine, number, factor):
    """An open relu passes on whatever reaches it, of either sign and however often its result is used."""
    x = engine.Value(number)
    (x.relu() * factor).backward()
    z = engine.Value(number)
    positive = z.relu()
    (positive * positive * factor + positive).backward()
    return x.grad, z.grad


def check_order(engine):
    """A value passes its gradient on only when all of it has arrived, and keeps what arrived."""
    a = engine.Value(0.7)
    b = a + a
    c = b * b
    (c * b + c).backward()
    first = a.grad, b.grad, c.grad
    p, q = engine.Value(-1.1), engine.Value(0.4)
    r = p * q
    s = r + p
    t = s * r
    (t * s + r * t + s).backward()
    return first, p.grad, q.grad, r.grad, s.grad, t.grad


def check_long_chain(engine):
    """The gradient finds its way back through many operations in a row."""
    x = engine.Value(0.9)
    y = x
    for _ in range(30):
        y = (y * 1.5 - 0.2).tanh()
    y.backward()
    return y.data, x.grad


def check_with_tanh(engine):
    """Powers and relu work before and after tanh."""
    x = engine.Value(0.7)
    before = (x**2 * 0.8).tanh()
    before.backward()
    z = engine.Value(0.9)
    after = z.tanh() ** 3
    after.backward()
    w, v, b = engine.Value(0.6), engine.Value(-1.5), engine.Value(0.2)
    squashed = ((w * v + b) * -1.0).relu().tanh()
    squashed.backward()
    u = engine.Value(1.2)
    opened = u.tanh().relu()
    opened.backward()
    m = engine.Value(0.4)
    (m.tanh() * m.tanh() + m).backward()
    return before.data, x.grad, after.data, z.grad, squashed.data, w.grad, v.grad, b.grad, opened.data, u.grad, m.grad


EXPONENTS = (2, 3, -1, -2, 0.5, 1.5)
LEAVES = 3


def draw_steps(rng, length=8):
    """Draw a graph as data: its steps, each an operation and the two nodes it uses.

    Nodes are counted from the leaves on. A step uses the newest node and any other, so every step counts.
    """
    kinds = ["power", "relu", *rng.choices(["power", "relu", "product", "sum"], k=length - 2)]
    rng.shuffle(kinds)
    return [(kind, newest, rng.randrange(newest)) for newest, kind in enumerate(kinds, start=LEAVES - 1)]


def apply(kind, a, b, exponent):
    """Carry out one step.

    A step uses its own parts twice. The base of a power stays between 1 and 2, and no number grows large.
    """
    if kind == "power":
        base = (a * 0.3).tanh() * 0.5 + 1.5
        return base**exponent * base - b
    if kind == "relu":
        difference = a - b * 0.5
        return difference.relu() * 1.2 - (-difference).relu() * 0.2 + difference * 0.5
    if kind == "product":
        return (a * 0.3).tanh() * b + a * 0.5
    return a + b * 0.5


def check_random_graphs(engine, rng):
    """Expressions put together at random, out of everything the engine can do, have the right gradients."""
    answers = []
    for exponent in EXPONENTS:
        steps = draw_steps(rng)
        leaves = [engine.Value(rng.choice([-1, 1]) * rng.uniform(0.5, 2.0)) for _ in range(LEAVES)]
        nodes = list(leaves)
        for kind, newest, other in steps:
            nodes.append(apply(kind, nodes[newest], nodes[other], exponent))
        result = nodes[-1]
        result.backward()
        answers.append((result.data, [leaf.grad for leaf in leaves]))
    return answers
