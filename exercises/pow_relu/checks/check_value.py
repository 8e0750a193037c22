"""What a student can see: the new operations one at a time, the old ones, and the test program."""

from __future__ import annotations

import pytest

from grader.output import printed


@pytest.mark.parametrize(("base", "exponent"), [(3.0, 2), (-2.0, 3), (2.0, -1), (9.0, 0.5), (7.0, 1), (7.0, 0)])
def check_power_value(engine, base, exponent):
    """A power has the value of Python's **, be the exponent positive, negative, a fraction, 1 or 0."""
    x = engine.Value(base)
    y = x**exponent
    return {"y.data": y.data}


@pytest.mark.parametrize(("base", "exponent"), [(3.0, 2), (2.0, 3), (-2.0, 3)])
def check_power_gradient(engine, base, exponent):
    """The gradient of x ** n with respect to x is n * x ** (n - 1)."""
    x = engine.Value(base)
    y = x**exponent
    y.backward()
    return {"x.grad": x.grad}


@pytest.mark.parametrize("number", [2.0, -2.0, 0.5, -0.5])
def check_relu(engine, number):
    """Relu keeps positive numbers and passes their gradient on; negative ones become 0 and pass nothing on."""
    x = engine.Value(number)
    y = x.relu()
    y.backward()
    return {"y.data": y.data, "x.grad": x.grad}


def check_old_operations(engine):
    """What the engine could do before, it can still do: +, -, * and tanh."""
    a, b, c = engine.Value(2.0), engine.Value(-3.0), engine.Value(10.0)
    d = a * b + c
    d.backward()
    w, x, bias, y = engine.Value(0.5), engine.Value(2.0), engine.Value(-0.3), engine.Value(1.0)
    p = (w * x + bias).tanh()
    error = p - y
    loss = error * error
    loss.backward()
    return {
        "d.data": d.data,
        "a.grad": a.grad,
        "b.grad": b.grad,
        "c.grad": c.grad,
        "p.data": p.data,
        "loss.data": loss.data,
        "w.grad": w.grad,
        "x.grad": x.grad,
        "bias.grad": bias.grad,
    }


def check_test_program(program):
    """The program at the bottom of the file prints its two lines, and nothing else."""
    run = program()
    return printed(
        run.stdout,
        "y = {:.4f}, dy/dx = {:.4f}",
        "z = {:.4f}, dz/da = {:.4f}, dz/db = {:.4f}",
    )
