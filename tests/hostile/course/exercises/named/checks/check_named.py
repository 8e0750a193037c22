"""What every check of it needs is a class named Value, with data."""


def check_value(engine):
    """Numbers add and multiply."""
    y = engine.Value(3.0) * engine.Value(4.0) + engine.Value(2.0)
    return {"y.data": y.data}


def check_last(engine):
    """Whatever happened before, numbers still add."""
    return {"y.data": (engine.Value(1.0) + engine.Value(2.0)).data}
