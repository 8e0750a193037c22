"""One check for each kind of thing that student code is asked to do."""


def check_value(engine):
    """Numbers add and multiply."""
    y = engine.Value(3.0) * engine.Value(4.0) + engine.Value(2.0)
    return {"y.data": y.data}


def check_gradient(engine):
    """backward() passes gradients to everything a number was made of."""
    x = engine.Value(3.0)
    y = x * x + x
    y.backward()
    return {"y.data": y.data, "x.grad": x.grad}


def check_function(engine):
    """double() adds a number to itself."""
    return {"double(x).data": engine.double(engine.Value(5.0)).data}


def check_last(engine):
    """Whatever happened before, numbers still add."""
    return {"y.data": (engine.Value(1.0) + engine.Value(2.0)).data}
