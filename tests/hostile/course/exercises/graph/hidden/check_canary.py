"""What no student may ever see: the input 271828.1828 and the answer 543656.3656."""


def check_canary(engine, rng):
    """Other numbers add and multiply, too."""
    x = engine.Value(271828.1828)
    y = engine.Value(float(rng.randrange(10)))
    z = x * engine.Value(2.0) + y * engine.Value(0.0)
    z.backward()
    return {"z.data": z.data, "x.grad": x.grad}
